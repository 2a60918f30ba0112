import { expect, test } from 'vitest'
import { scriptedProvider } from '../../src/providers/scripted.ts'
import { askFor, gatewayOf } from '../support/gateway.ts'

/** Asks a model whose server counts so many input tokens for a prompt. */
async function counted(prompt: string, tokensIn: number | null) {
  let sent = 0
  const usage = { tokensIn, tokensOut: 50, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null }
  const provider = scriptedProvider({
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 1 },
    reply: () => {
      sent += 1
      return { text: 'x', usage }
    },
  })
  const { gateway, clock } = gatewayOf([provider])
  const ask = askFor('a', 0)
  const outcome = await clock.runUntil(gateway.ask({ ...ask, request: { ...ask.request, prompt } }))
  return { outcome, sent }
}

test.for([
  ['a token for more than sixteen bytes', 'x'.repeat(8001), 500],
  ['bytes, not characters', '長'.repeat(2667), 500],
  ['a byte more than a context always has', 'x'.repeat(4097), 256],
] as const)(
  'a prompt that counts as too little was cut, and no retry would mend that: %s',
  async ([, prompt, tokens]) => {
    const { outcome, sent } = await counted(prompt, tokens)
    expect(outcome).toMatchObject({
      kind: 'fault',
      failureClass: 'bad_response',
      detail: expect.stringMatching(new RegExp(`cut the prompt.* ${tokens} tokens.*context`)),
      // The input and 50 tokens of output, at a millionth of a dollar.
      record: { costUsd: (tokens + 50) / 1e6, costUpperBoundUsd: null, attempts: 1 },
    })
    expect(sent).toBe(1)
  },
)

test.for([
  ['sixteen bytes a token', 'x'.repeat(8000), 500],
  ['a prompt that fits into any context', 'x'.repeat(4096), 1],
  ['a count of nothing is none', 'x'.repeat(9000), 0],
  ['no count', 'x'.repeat(9000), null],
] as const)('a prompt that may have been shown whole: %s', async ([, prompt, tokens]) => {
  expect((await counted(prompt, tokens)).outcome).toMatchObject({ kind: 'reply' })
})

test('what the provider says that a cut prompt has cost is what it has cost', async () => {
  const usage = { tokensIn: 500, tokensOut: 50, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null }
  const provider = scriptedProvider({
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 1 },
    reply: () => ({ text: 'x', usage, reportedCostUsd: 0.25 }),
  })
  const { gateway, clock } = gatewayOf([provider])
  const ask = askFor('a', 0)
  const asked = gateway.ask({ ...ask, request: { ...ask.request, prompt: 'x'.repeat(8001) } })
  expect(await clock.runUntil(asked)).toMatchObject({ kind: 'fault', record: { costUsd: 0.25 } })
  expect(gateway.spentUsd('scripted/model')).toBe(0.25)
})
