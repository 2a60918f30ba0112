import { expect, test } from 'vitest'
import { estimate, planModel, type PlannedCall } from '../../src/gateway/plan/plan.ts'

const CENT = 10_000_000

/** Calls for `rounds` samples of these fixtures, in the order a run asks for them; worst cases in cents. */
function calls(fixtures: Record<string, number>, rounds: number, overrides: Partial<PlannedCall> = {}): PlannedCall[] {
  return Array.from({ length: rounds }, (_, sampleIndex) =>
    Object.entries(fixtures).map(([fixtureId, cents]) => ({
      modelKey: 'm/x',
      probeClass: 'image' as const,
      fixtureId,
      fixtureHash: `hash of ${fixtureId}`,
      sampleIndex,
      step: 0,
      worst: cents * CENT,
      ...overrides,
    })),
  ).flat()
}

const paid = (fixtureId: string, cents: number, step = 0) => ({
  fixtureHash: `hash of ${fixtureId}`,
  step,
  cost: cents * CENT,
})

test('a fixture is expected to cost what it did; one that is new, what its class did', () => {
  const journaled = [paid('a', 1), paid('a', 3), paid('b', 8)]
  const { summary } = estimate(calls({ a: 20, c: 30 }, 5), journaled)
  // a: 5 calls at (1 + 3) / 2 cents; c: 5 calls at (1 + 3 + 8) / 3 cents.
  expect(summary).toEqual({
    modelKey: 'm/x',
    probeClass: 'image',
    calls: 10,
    worstUsd: 2.5,
    largestUsd: 0.3,
    expected: { usd: 0.3, journaledCalls: 3, leastUsd: 0.01, mostUsd: 0.08 },
  })
})

test('what rests on the same fixtures alone counts their calls alone', () => {
  const { summary } = estimate(calls({ a: 20 }, 2), [paid('a', 1), paid('a', 2), paid('b', 8)])
  expect(summary.expected).toEqual({ usd: 0.03, journaledCalls: 2, leastUsd: 0.01, mostUsd: 0.02 })
})

test('the two calls of a sample have histories of their own', () => {
  const both = [...calls({ a: 9 }, 3), ...calls({ a: 9 }, 3, { step: 1 })]
  const { summary } = estimate(both, [paid('a', 5, 0), paid('a', 1, 1)])
  expect(summary).toMatchObject({ calls: 6, expected: { usd: 0.18, journaledCalls: 2 } })
})

test('without a journaled call nothing is expected', () => {
  const known = estimate(calls({ a: 2 }, 2), [])
  expect(known.summary.expected).toBe(null)
  expect(planModel([known], 3 * CENT)).toMatchObject({ unknown: ['image'], stop: null, certain: 1, calls: 2 })
})

test('the first calls whose worst cases fit together are certain; at the expected cost more are made', () => {
  // Three fixtures at up to 4 cents; 12 calls. Each did cost 1 cent.
  const known = estimate(calls({ a: 4, b: 4, c: 4 }, 4), [paid('a', 1), paid('b', 1), paid('c', 1)])
  // Certain: 4 + 4 fits 10, a third 4 does not. Expected: 6 spent after 6 calls, 6 + 4 fits; 7 + 4 does not. The eighth
  // call, the first that does not fit, is that of b in the third round.
  expect(planModel([known], 10 * CENT)).toEqual({
    modelKey: 'm/x',
    envelopeUsd: 0.1,
    spentUsd: 0,
    calls: 12,
    certain: 2,
    atOnce: 2,
    stop: { calls: 7, probeClass: 'image', sampleIndex: 2 },
    unknown: [],
    tooLarge: [],
  })
})

test('once a call does not fit, smaller ones of its round are still made, and none of a later round', () => {
  // Each costs its worst. Spent 5; b does not fit in the 2 left, c does; round 2 is never begun though c would fit.
  const known = estimate(calls({ a: 5, b: 3, c: 1 }, 2), [paid('a', 5), paid('b', 3), paid('c', 1)])
  expect(planModel([known], 7 * CENT)).toMatchObject({
    certain: 1,
    stop: { calls: 2, probeClass: 'image', sampleIndex: 0 },
  })
})

test('an envelope that holds everything stops nothing', () => {
  const known = estimate(calls({ a: 4 }, 3), [paid('a', 4)])
  expect(planModel([known], 12 * CENT)).toMatchObject({ calls: 3, certain: 3, stop: null })
})

test('what is replayed has used up its part of the envelope', () => {
  const known = estimate(calls({ a: 4 }, 3), [paid('a', 1)])
  // 8 of 14 cents are left: two worst cases; at 1 cent each 1 + 1 + 4 fits.
  expect(planModel([known], 14 * CENT, 6 * CENT)).toMatchObject({ spentUsd: 0.06, certain: 2, stop: null })
  // 5 are left: after two calls, 2 + 4 does not fit.
  expect(planModel([known], 11 * CENT, 6 * CENT)).toMatchObject({ certain: 1, stop: { calls: 2, sampleIndex: 2 } })
})

test('a call that no empty envelope would hold is named once a fixture, and stops no other', () => {
  const known = estimate(calls({ a: 1, huge: 9 }, 3), [paid('a', 1), paid('huge', 1)])
  expect(planModel([known], 5 * CENT)).toMatchObject({
    calls: 6,
    certain: 3,
    stop: null,
    tooLarge: [{ probeClass: 'image', fixtureId: 'huge', calls: 1, worstUsd: 0.09 }],
  })
})

test('classes share the envelope of their model, one after the other', () => {
  const schema = estimate(calls({ s: 2 }, 2, { probeClass: 'schema' }), [paid('s', 2)])
  const image = estimate(calls({ a: 2 }, 2), [paid('a', 2)])
  expect(planModel([image, schema], 6 * CENT)).toMatchObject({
    certain: 3,
    stop: { calls: 3, probeClass: 'image', sampleIndex: 1 },
  })
})

test('of two calls that are of use only together neither is certain, nor made, without the other', () => {
  const pairs = [0, 1].flatMap((step) => calls({ a: 1, b: 1 }, 2, { probeClass: 'caching', paired: true, step }))
  const known = estimate(pairs, [paid('a', 1), paid('a', 1, 1), paid('b', 1), paid('b', 1, 1)])
  // Eight calls of a cent, four pairs: an odd cent buys nothing.
  expect(planModel([known], 3 * CENT)).toMatchObject({
    calls: 8,
    certain: 2,
    atOnce: 1,
    stop: { calls: 2, sampleIndex: 0 },
  })
  expect(planModel([known], 5 * CENT)).toMatchObject({ certain: 4, atOnce: 2, stop: { calls: 4, sampleIndex: 1 } })
  expect(planModel([known], 7 * CENT)).toMatchObject({ certain: 6, atOnce: 3, stop: { calls: 6, sampleIndex: 1 } })
  expect(planModel([known], 8 * CENT)).toMatchObject({ certain: 8, atOnce: 4, stop: null })
  const tooLarge = ['a', 'b'].map((fixtureId) => ({ probeClass: 'caching', fixtureId, calls: 2, worstUsd: 0.02 }))
  expect(planModel([known], CENT)).toMatchObject({ certain: 0, atOnce: 0, stop: null, tooLarge })
})

test('what costs nothing at worst needs no history', () => {
  const known = estimate(calls({ a: 0 }, 3), [])
  expect(planModel([known], 0)).toMatchObject({ certain: 3, stop: null, unknown: [] })
})
