import { expect, test } from 'vitest'
import { createProviderSet } from '../../src/providers/provider-set.ts'
import { requestOf } from '../support/gateway.ts'
import { useLoopback } from '../../kits/adapter-kit/loopback.ts'
import { messagesFormat } from './wire-formats.ts'

const server = useLoopback()
const set = () => createProviderSet({ environment: { apiKey: () => 'key-of-tests', baseUrl: () => server.origin } })

test.for([
  ['anthropic', 'claude-haiku-4-5', 5],
  ['gemini', 'gemini-2.5-flash', 1],
  ['gemini', 'gemini-3-pro', undefined],
  ['openai', 'gpt-5.2', undefined],
  ['xai', 'grok-4', undefined],
  // Its own search looks once; models that search for themselves may go on.
  ['openrouter', 'meta-llama/llama-4:free', 1],
  ['openrouter', 'google/gemini-3-pro', 1],
  ['openrouter', 'openai/gpt-5.2', undefined],
  ['openrouter', 'anthropic/claude-haiku-4.5', undefined],
  ['openrouter', 'x-ai/grok-4', undefined],
  ['openrouter', 'perplexity/sonar', undefined],
] as const)('most searches that %s bills for one call of %s: %s', ([name, model, most]) => {
  const price = set().get(name).searchPrice?.(model)
  expect(price?.usd).toBeGreaterThan(0)
  expect(price?.most).toBe(most)
})

test('what money is held for is what Anthropic is told', async () => {
  const format = messagesFormat()
  server.answer = (arrived) => ({
    body: JSON.stringify(format.reply({ text: 'x', end: 'stop', model: 'm' }, arrived)),
  })
  const provider = set().get('anthropic')
  await provider.call(requestOf({ search: true }), { model: 'm', signal: new AbortController().signal })
  const { tools } = server.arrived.at(-1)!.body as { tools: { max_uses: number }[] }
  expect(tools.map(({ max_uses }) => max_uses)).toEqual([provider.searchPrice?.('m')?.most])
})
