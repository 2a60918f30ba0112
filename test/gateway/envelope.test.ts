import { expect, test } from 'vitest'
import type { CallOutcome } from '../../src/model/call.ts'
import { ProviderFault } from '../../src/providers/provider.ts'
import { scriptedProvider } from '../../src/providers/scripted.ts'
import { askFor, CENT, gatewayOf } from '../support/gateway.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const kinds = (outcomes: readonly CallOutcome[]): string[] => outcomes.map(({ kind }) => kind)

test('only what fits is sent, and the rest is refused with figures', async () => {
  const provider = scriptedProvider({ price: CENT, reply: () => 'x' })
  const { gateway, clock } = gatewayOf([provider], { envelopeUsd: 0.025 })
  const asks = ['a', 'b', 'c'].map((id) => gateway.ask(askFor(id, 0)))
  const outcomes = await clock.runUntil(Promise.all(asks))
  expect(kinds(outcomes)).toEqual(['reply', 'reply', 'refused'])
  const message =
    'scripted/model: the envelope of $0.025 is reached: $0.02 spent, and the next call may cost up to $0.01'
  const error = { code: 'ENVELOPE_EXCEEDED', message, spentUsd: 0.02, envelopeUsd: 0.025 }
  expect(outcomes[2]).toEqual({ kind: 'refused', error })
  expect(gateway.spentUsd('scripted/model')).toBe(0.02)
})

test('a call that no envelope of this size can hold is refused alone, with what it may cost', async () => {
  const { gateway, clock } = gatewayOf([scriptedProvider({ price: CENT, reply: () => 'x' })], { envelopeUsd: 0.0075 })
  const message = 'scripted/model: one call may cost up to $0.01, more than the whole envelope of $0.0075'
  // Fewer samples would not help: each costs as much.
  const fix = 'raise PROBE_ENVELOPE_USD, or lower PROBE_MAX_OUTPUT_TOKENS'
  const error = { code: 'ENVELOPE_EXCEEDED', message, spentUsd: 0, envelopeUsd: 0.0075, fix }
  expect(await clock.runUntil(gateway.ask(askFor('a', 0)))).toEqual({ kind: 'refused', error })
})

test('a call waits for others in flight, since they may cost less than was held for them', async () => {
  // Worst case: 1,124 bytes and tokens in, 100 out. At $10 and $100 a million: far more than is really used.
  const usage = { tokensIn: 10, tokensOut: 10, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null }
  const clock = new VirtualClock()
  let open = 0
  let mostOpen = 0
  const provider = scriptedProvider({
    price: { inputUsdPerMTok: 10, outputUsdPerMTok: 100 },
    async reply() {
      mostOpen = Math.max(mostOpen, ++open)
      await clock.sleep(100)
      open -= 1
      return { text: 'x', usage }
    },
  })
  // One worst case is about $0.0214; a real call costs 10 x 10 + 10 x 100 millionths = $0.0011.
  const { gateway } = gatewayOf([provider], { envelopeUsd: 0.03, clock })
  const outcomes = await clock.runUntil(Promise.all([0, 1, 2, 3, 4].map((index) => gateway.ask(askFor('a', index)))))
  expect(kinds(outcomes)).toEqual(['reply', 'reply', 'reply', 'reply', 'reply'])
  expect(mostOpen).toBe(1)
  expect(gateway.spentUsd('scripted/model')).toBe(0.0055)
})

test('first samples of all fixtures go before second ones, whatever the order of asking', async () => {
  const seen: string[] = []
  const provider = scriptedProvider({ reply: ({ request }) => (seen.push(request.prompt), 'x') })
  const { gateway, clock } = gatewayOf([provider], { concurrency: 1 })
  const asks = ['a', 'b', 'c'].flatMap((id) => [0, 1].map((index) => gateway.ask(askFor(id, index))))
  await clock.runUntil(Promise.all(asks))
  expect(seen).toEqual(['a', 'b', 'c', 'a', 'b', 'c'].map((id) => `prompt of ${id}`))
})

test('when a round cannot be finished, no later round is begun, even for cheaper fixtures', async () => {
  const provider = scriptedProvider({
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 0 },
    reply: () => ({ text: 'x' }),
  })
  // Without usage every call is settled at its bound: bytes of the prompt and 1,024 tokens for what stands around it.
  const dear = { request: { ...askFor('dear', 0).request, prompt: 'x'.repeat(3000) } }
  const { gateway, clock } = gatewayOf([provider], { envelopeUsd: 0.005, concurrency: 1 })
  const outcomes = await clock.runUntil(
    Promise.all([
      gateway.ask(askFor('cheap', 0)),
      gateway.ask(askFor('dear', 0, dear)),
      gateway.ask(askFor('cheap', 1)),
    ]),
  )
  expect(kinds(outcomes)).toEqual(['reply', 'refused', 'refused'])
})

test('a call that timed out is settled at its worst case and its sample keeps the bound', async () => {
  const provider = scriptedProvider({ price: CENT, reply: () => new Promise<never>(() => {}) })
  const { gateway, clock } = gatewayOf([provider], { timeoutMs: 1000, envelopeUsd: 0.025 })
  const outcome = await clock.runUntil(gateway.ask(askFor('a', 0)))
  // Two attempts fit; the retry that could have helped was not affordable any more.
  expect(outcome).toMatchObject({
    kind: 'fault',
    failureClass: 'timeout',
    refusal: { code: 'ENVELOPE_EXCEEDED' },
    record: { attempts: 2, costUsd: null, costUpperBoundUsd: 0.02 },
  })
  expect(gateway.spentUsd('scripted/model')).toBe(0.02)
})

test('an error before anything was sent costs nothing', async () => {
  const provider = scriptedProvider({
    price: CENT,
    reply({ index }) {
      if (index < 2) throw new ProviderFault('rate_limited', 'slow down', { billing: { kind: 'none' } })
      return 'x'
    },
  })
  const { gateway, clock } = gatewayOf([provider], { envelopeUsd: 0.01 })
  const outcome = await clock.runUntil(gateway.ask(askFor('a', 0)))
  expect(outcome).toMatchObject({ kind: 'reply', record: { attempts: 3, costUsd: 0.01, costUpperBoundUsd: null } })
})

test('a model without a price is refused, not called', async () => {
  const provider = { ...scriptedProvider({ reply: () => 'x' }), price: () => null }
  const { gateway, clock } = gatewayOf([provider])
  expect(await clock.runUntil(gateway.ask(askFor('a', 0)))).toMatchObject({
    kind: 'refused',
    error: { code: 'PRICE_MISSING' },
  })
})

test('each model has its own envelope', async () => {
  const provider = scriptedProvider({ price: CENT, reply: () => 'x' })
  const { gateway, clock } = gatewayOf([provider], { envelopeUsd: 0.01 })
  const models = ['scripted/one', 'scripted/two']
  const outcomes = await clock.runUntil(
    Promise.all(models.map((modelKey) => gateway.ask(askFor('a', 0, { modelKey })))),
  )
  expect(kinds(outcomes)).toEqual(['reply', 'reply'])
})
