import { expect, test } from 'vitest'
import type { Ask, CallOutcome } from '../../src/model/call.ts'
import { ProviderFault } from '../../src/providers/provider.ts'
import { scriptedProvider } from '../../src/providers/scripted.ts'
import { askFor, CENT, gatewayOf } from '../support/gateway.ts'

const SECOND = 1000

function pairOf(fixtureId: string, sampleIndex: number): { first: Ask; second: Ask; waived: Ask } {
  const ask = askFor(fixtureId, sampleIndex, { probeClass: 'caching' })
  const second = { ...ask, step: 1 }
  return {
    first: { ...ask, pair: 'first' },
    second: { ...second, pair: 'second' },
    waived: { ...second, pair: 'waived' },
  }
}

/** What became of a sample of two calls. */
async function take(
  gateway: { ask(ask: Ask): Promise<CallOutcome> },
  fixtureId: string,
  index: number,
  delayMs = SECOND,
) {
  const { first, second } = pairOf(fixtureId, index)
  const prime = await gateway.ask(first)
  if (prime.kind !== 'reply') return [prime.kind]
  return [prime.kind, (await gateway.ask({ ...second, delayMs })).kind]
}

test('no first call is paid for whose second one cannot be', async () => {
  const provider = scriptedProvider({ price: CENT, reply: () => 'x' })
  // Room for twenty calls: ten pairs of the twenty that are asked for.
  const { gateway, clock } = gatewayOf([provider], { envelopeUsd: 0.2, concurrency: 50 })
  const samples = [0, 1, 2, 3, 4].flatMap((index) => ['a', 'b', 'c', 'd'].map((id) => take(gateway, id, index)))
  const outcomes = await clock.runUntil(Promise.all(samples))
  expect(outcomes.filter((kinds) => kinds.join() === 'reply,reply')).toHaveLength(10)
  expect(outcomes.filter((kinds) => kinds.join() === 'refused')).toHaveLength(10)
  expect(gateway.spentUsd('scripted/model')).toBe(0.2)
})

test('an odd cent is left over, and told as too little for a pair', async () => {
  const provider = scriptedProvider({ price: CENT, reply: () => 'x' })
  const { gateway, clock } = gatewayOf([provider], { envelopeUsd: 0.03 })
  expect(await clock.runUntil(take(gateway, 'a', 0))).toEqual(['reply', 'reply'])
  const refused = await clock.runUntil(gateway.ask(pairOf('a', 1).first))
  expect(refused).toMatchObject({
    error: { code: 'ENVELOPE_EXCEEDED', message: expect.stringContaining('up to $0.02') },
  })
})

test('what is held for a second call is free again when it is waived, or when the first one fails', async () => {
  const unbilled = { billing: { kind: 'none' }, retryable: false } as const
  const provider = scriptedProvider({
    price: CENT,
    reply({ index }) {
      if (index === 1) throw new ProviderFault('bad_response', 'cut', unbilled)
      return 'x'
    },
  })
  const { gateway, clock } = gatewayOf([provider], { envelopeUsd: 0.03, concurrency: 1 })
  await clock.runUntil(gateway.ask(pairOf('a', 0).first))
  const plain = gateway.ask(askFor('b', 0))
  const both = clock.runUntil(Promise.all([plain, gateway.ask(pairOf('c', 0).first)]))
  await gateway.ask(pairOf('a', 0).waived)
  // The plain call fails unbilled; then a pair fits, and after it nothing.
  expect((await both).map(({ kind }) => kind)).toEqual(['fault', 'reply'])
  expect((await clock.runUntil(gateway.ask(pairOf('c', 0).second))).kind).toBe('reply')
  expect((await clock.runUntil(gateway.ask(askFor('d', 0)))).kind).toBe('refused')
  expect(gateway.spentUsd('scripted/model')).toBe(0.03)
})

test('a second call waits for its time, and an interruption ends the wait', async () => {
  const provider = scriptedProvider({ price: CENT, reply: () => 'x' })
  const { gateway, clock } = gatewayOf([provider], { envelopeUsd: 1 })
  const { first, second } = pairOf('a', 0)
  await clock.runUntil(gateway.ask(first))
  const due = await clock.runUntil(gateway.ask({ ...second, delayMs: 30 * SECOND }))
  expect([due.kind, clock.now()]).toEqual(['reply', 30 * SECOND])

  await clock.runUntil(gateway.ask(pairOf('b', 0).first))
  const waiting = gateway.ask({ ...pairOf('b', 0).second, delayMs: 30 * SECOND })
  clock.after(SECOND, () => gateway.interrupt())
  const ended = await clock.runUntil(waiting)
  expect([ended, clock.now()]).toMatchObject([{ kind: 'refused', error: { code: 'INTERRUPTED' } }, 31 * SECOND])
  expect(gateway.spentUsd('scripted/model')).toBe(0.03)
})

test('who asked for a pair and is gone holds nothing any more', async () => {
  const provider = scriptedProvider({ price: CENT, reply: () => 'x' })
  const { gateway, clock } = gatewayOf([provider], { envelopeUsd: 0.02 })
  const gone = new AbortController()
  await clock.runUntil(gateway.ask(pairOf('a', 0).first, gone.signal))
  gone.abort()
  expect((await clock.runUntil(gateway.ask(askFor('b', 0)))).kind).toBe('reply')
})
