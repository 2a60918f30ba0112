import { expect, test } from 'vitest'
import type { Clock } from '../../src/gateway/clock.ts'
import { ProviderFault } from '../../src/providers/provider.ts'
import { scriptedProvider } from '../../src/providers/scripted.ts'
import { askFor, CENT, gatewayOf } from '../support/gateway.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const LATENCY_MS = 1000
const TIMEOUT_MS = 10_000
const CONCURRENCY = 64
const FIXTURES = 100
const SAMPLES = 20

/** The same numbers in every run, uniform in [0, 1). */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A provider of which 5 % of calls are refused, 3 % fail, 2 % are cut and 1 % hang. */
function stormyProvider(clock: Clock & { sleep(ms: number): Promise<void> }) {
  const roll = dice(17)
  const seen = { calls: 0, answered: 0, refused: 0, failed: 0, cut: 0, hung: 0 }
  const provider = scriptedProvider({
    price: CENT,
    async reply({ request }) {
      seen.calls += 1
      const fate = roll()
      if (fate >= 0.1 && fate < 0.11) {
        seen.hung += 1
        return new Promise<string>(() => {})
      }
      await clock.sleep(LATENCY_MS)
      if (fate < 0.05) {
        seen.refused += 1
        const retryAfterMs = 1000 * Math.ceil(roll() * 5)
        throw new ProviderFault('rate_limited', 'slow down', { billing: { kind: 'none' }, retryAfterMs })
      }
      if (fate < 0.08) {
        seen.failed += 1
        throw new ProviderFault('server_error', '500 oops', { billing: { kind: 'none' } })
      }
      if (fate < 0.1) {
        seen.cut += 1
        throw new ProviderFault('network', 'connection reset', { billing: { kind: 'unknown' } })
      }
      seen.answered += 1
      return `answer to the ${request.prompt}`
    },
  })
  return { provider, seen }
}

test('a storm loses nothing, doubles nothing, charges nothing to the model, and hardly slows the run', async () => {
  const clock = new VirtualClock(dice(4))
  const { provider, seen } = stormyProvider(clock)
  const options = { concurrency: CONCURRENCY, timeoutMs: TIMEOUT_MS, clock }
  const { gateway, journal } = gatewayOf([provider], options)
  const ids = Array.from({ length: FIXTURES }, (_, index) => `f${index}`)
  const asks = ids.flatMap((id) => Array.from({ length: SAMPLES }, (_, index) => askFor(id, index)))
  const outcomes = await clock.runUntil(Promise.all(asks.map((ask) => gateway.ask(ask))))

  const texts = outcomes.map((outcome) => (outcome.kind === 'reply' ? outcome.reply.text : outcome.kind))
  expect(texts).toEqual(asks.map(({ fixtureId }) => `answer to the prompt of ${fixtureId}`))
  const kept = journal.entries.map(({ fixtureId, sampleIndex }) => `${fixtureId} ${sampleIndex}`)
  expect([kept.length, new Set(kept).size]).toEqual([2000, 2000])
  const attempts = outcomes.map((outcome) => (outcome.kind === 'refused' ? 0 : outcome.record.attempts))
  expect(attempts.reduce((sum, one) => sum + one, 0)).toBe(seen.calls)
  expect(seen.answered).toBe(2000)
  // It was a storm, and a cut or hanging call may have been billed.
  expect(Math.min(seen.refused, seen.failed, seen.cut, seen.hung)).toBeGreaterThan(10)
  expect(gateway.spentUsd('scripted/model')).toBeCloseTo(0.01 * (2000 + seen.cut + seen.hung), 6)
  const { clean, rateLimited, strained } = gateway.pacing('scripted/model')!
  expect({ clean, rateLimited, strained }).toEqual({
    clean: 2000,
    rateLimited: seen.refused,
    strained: seen.failed + seen.cut + seen.hung,
  })
  const floorMs = ((FIXTURES * SAMPLES) / CONCURRENCY) * LATENCY_MS
  expect(clock.now() / floorMs).toBeLessThan(4)
})

test.for([1, 2, 3])('an account that answers so many calls in ten seconds is not hurried: seed %i', async (seed) => {
  const clock = new VirtualClock(dice(seed))
  const window = { begins: 0, calls: 0 }
  let refusals = 0
  const provider = scriptedProvider({
    async reply() {
      const begins = Math.floor(clock.now() / 10_000) * 10_000
      if (begins > window.begins) Object.assign(window, { begins, calls: 0 })
      if (++window.calls > 10) {
        refusals += 1
        const retryAfterMs = begins + 10_000 - clock.now()
        throw new ProviderFault('rate_limited', 'slow down', { billing: { kind: 'none' }, retryAfterMs })
      }
      await clock.sleep(LATENCY_MS)
      return 'x'
    },
  })
  const { gateway } = gatewayOf([provider], { concurrency: 16, clock })
  const asks = Array.from({ length: 200 }, (_, index) => gateway.ask(askFor('a', index)))
  const outcomes = await clock.runUntil(Promise.all(asks))
  expect(outcomes.every(({ kind }) => kind === 'reply')).toBe(true)
  // Twenty windows are enough for two hundred calls; of refusals there are no more than a few in each.
  expect(clock.now()).toBeLessThanOrEqual(260_000)
  expect(refusals).toBeLessThan(100)
})
