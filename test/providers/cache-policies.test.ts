import { expect, test } from 'vitest'
import { cachePolicyOf } from '../../src/providers/cache-policies.ts'

const OPENAI = 'developers.openai.com/api/docs/guides/prompt-caching; delay: askalf/dario#1259'
const GEMINI = 'ai.google.dev/gemini-api/docs/caching'
const ANTHROPIC = 'platform.claude.com/docs/en/build-with-claude/prompt-caching; delay: anthropic-sdk-python#1451'
const DEEPSEEK = 'api-docs.deepseek.com/guides/kv_cache; delay: vectorize-io/hindsight#4404'

/** Provider, model, smallest cached prefix in tokens, milliseconds until it is read, where that is written. */
test.for<[string, string, number, number, string]>([
  ['openai', 'gpt-5.2', 1024, 30_000, OPENAI],
  ['openai', 'anything-new', 1024, 30_000, OPENAI],
  ['gemini', 'gemini-2.5-flash', 4096, 5000, GEMINI],
  ['gemini', 'gemini-3.5-pro', 4096, 5000, GEMINI],
  ['anthropic', 'claude-haiku-4-5', 4096, 2000, ANTHROPIC],
  ['anthropic', 'claude-haiku-4-5-20251001', 4096, 2000, ANTHROPIC],
  ['anthropic', 'claude-opus-4-5', 4096, 2000, ANTHROPIC],
  ['anthropic', 'claude-opus-4-6', 4096, 2000, ANTHROPIC],
  ['anthropic', 'claude-opus-4-1', 1024, 2000, ANTHROPIC],
  ['anthropic', 'claude-sonnet-4-6', 2048, 2000, ANTHROPIC],
  ['anthropic', 'claude-sonnet-4-5', 1024, 2000, ANTHROPIC],
  ['anthropic', 'claude-opus-5', 512, 2000, ANTHROPIC],
  ['anthropic', 'claude-fable-5', 512, 2000, ANTHROPIC],
  ['anthropic', 'claude-mythos-5', 512, 2000, ANTHROPIC],
  ['anthropic', 'claude-3-7-sonnet-latest', 1024, 2000, ANTHROPIC],
  ['deepseek', 'deepseek-chat', 64, 30_000, DEEPSEEK],
])('%s/%s caches from %i tokens on, to be read after %i ms', ([provider, model, minTokens, delayMs, source]) => {
  // Protocol buffers leave zeros out.
  const absentIsZero = provider === 'gemini'
  expect(cachePolicyOf(provider, model)).toEqual({ minTokens, delayMs, absentIsZero, source, asOf: '2026-11-29' })
})

test.for(['xai', 'openrouter', 'deepinfra', 'fireworks', 'groq', 'together', 'mistral', 'vllm', 'compatible', ''])(
  'nothing is documented of the cache of "%s"',
  (provider) => expect(cachePolicyOf(provider, 'gpt-5.2')).toBeNull(),
)
