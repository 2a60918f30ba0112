import { expect, test } from 'vitest'
import { compatibleProvider } from '../../src/providers/openai/compatible.ts'
import { createProviderSet } from '../../src/providers/provider-set.ts'
import type { NativeRung } from '../../src/model/call.ts'
import { FREE } from '../../src/providers/provider.ts'
import { scriptedProvider } from '../../src/providers/scripted.ts'

const set = createProviderSet({ environment: { apiKey: () => 'key-of-vera', baseUrl: () => 'http://models.test/v1' } })

const NATIVE_RUNGS: Readonly<Record<string, NativeRung | undefined>> = {
  openai: 'enforced',
  gemini: 'enforced',
  anthropic: 'enforced',
  deepseek: 'none',
  xai: 'unproven',
  openrouter: 'unproven',
  deepinfra: 'unproven',
  fireworks: 'unproven',
  groq: 'unproven',
  together: 'unproven',
  mistral: 'unproven',
  ollama: 'unproven',
  vllm: 'unproven',
  lmstudio: 'unproven',
  compatible: 'unproven',
  local: undefined,
}

test('what is known of the native rung of every provider', () => {
  expect(Object.fromEntries(set.names.map((name) => [name, set.get(name).nativeRung]))).toEqual(NATIVE_RUNGS)
})

test.for([
  [{}, 'unproven'],
  [{ jsonSchema: 'unproven' }, 'unproven'],
  [{ jsonSchema: 'enforced' }, 'enforced'],
  [{ jsonSchema: false }, 'none'],
] as const)('of a provider of one’s own its dialect tells it: %j', ([dialect, rung]) => {
  const own = compatibleProvider({ name: 'our-proxy', baseUrl: 'http://models.test/v1', price: FREE, dialect })
  expect(own.nativeRung).toBe(rung)
})

test('of a script nothing needs to be told', () => {
  expect(scriptedProvider({ reply: () => '' }).nativeRung).toBeUndefined()
})
