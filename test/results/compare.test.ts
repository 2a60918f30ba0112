import { expect, test } from 'vitest'
import type { CaseMeta } from '../../src/model/case-meta.ts'
import type { Sample } from '../../src/model/sample.ts'
import { buildResult } from '../../src/results/build.ts'
import { compareResults, type Comparison } from '../../src/results/compare.ts'
import type { ResultFile } from '../../src/results/format.ts'
import { caseMeta, RUN, sample, unscored } from '../support/samples.ts'
import { draws, seeded } from '../support/seeded.ts'

/** `right` of `n` samples right, then `spoiled` ones that are not scored. */
function taken(right: number, n: number, spoiled = 0, overrides: Partial<Sample> = {}): Sample[] {
  const scored = Array.from({ length: n }, (_, index) =>
    sample(index, { ...(index >= right && { valueAccuracy: 0.5 }), ...overrides }),
  )
  return [...scored, ...Array.from({ length: spoiled }, (_, index) => unscored(n + index))]
}

function result(samples: Record<string, Sample[]>, overrides: Partial<CaseMeta> = {}): ResultFile {
  return buildResult(
    RUN,
    Object.entries(samples).map(([id, own]) => caseMeta(id, own, overrides)),
  )
}

const compared = (a: ResultFile, b: ResultFile): Comparison =>
  compareResults({ file: 'a.json', result: a }, { file: 'b.json', result: b })

const A = result({ a: taken(5, 5), b: taken(1, 5), c: taken(3, 5), d: taken(0, 5) })
const B = result({ a: taken(5, 5), b: taken(5, 5), c: taken(4, 5), d: taken(5, 5) })

test('every number of a small comparison, worked out by hand', () => {
  const { rates, headline, verdict } = compared(A, B)
  expect(headline).toBe('extraction')
  const { a, b, difference, test: stratified, fixtures } = rates.extraction!
  expect([a, b].map(({ successes, n }) => [successes, n])).toEqual([
    [9, 20],
    [19, 20],
  ])
  // Differences 0, 0.8, 0.2, 1: mean 0.5, squares 0.25 + 0.09 + 0.09 + 0.25 = 0.68, v = 0.68 / 12; t(3) = 3.18245.
  expect(difference).toMatchObject({ pairs: 4, difference: expect.closeTo(0.5, 12) })
  expect(difference?.ci95[0]).toBeCloseTo(0.5 - 3.18245 * Math.sqrt(0.68 / 12), 2)
  expect(difference?.ci95[1]).toBe(1)
  // b: K 6, E 3, V 25·6·4/900 = 2/3; c: K 7, E 3.5, V 25·7·3/900 = 7/12; d: K 5, E 2.5, V 25·25/900 = 25/36.
  // Excess 2 + 0.5 + 2.5 = 5; V 35/18; χ² = 4.5² · 18/35 = 10.414; p = 0.00125.
  expect(stratified).toMatchObject({ excess: expect.closeTo(5, 12), informative: 3 })
  expect(stratified.chiSquared).toBeCloseTo((4.5 ** 2 * 18) / 35, 10)
  expect(stratified.p).toBeCloseTo(0.00125, 5)
  // Fisher: b (5 + 5)/210, c all of 120 as likely or less, d 2/252. Holm: d × 4, b × 3, the others 1.
  expect(fixtures.map(({ fixtureId }) => fixtureId)).toEqual(['a', 'b', 'c', 'd'])
  for (const [index, p] of [1, 10 / 210, 1, 2 / 252].entries()) expect(fixtures[index]!.p).toBeCloseTo(p, 10)
  for (const [index, p] of [1, 30 / 210, 1, 8 / 252].entries()) expect(fixtures[index]!.holmP).toBeCloseTo(p, 10)
  expect(fixtures.map((one) => one.difference)).toEqual([0, 0.8, expect.closeTo(0.2, 12), 1])
  // Wilson 5/5 [0.56552, 1], 1/5 [0.03622, 0.62447]: 0.8 - √(0.43448² + 0.42447²), 0.8 + 0.16378.
  expect(fixtures[1]!.ci95).toEqual([expect.closeTo(0.19258, 4), expect.closeTo(0.96378, 4)])
  expect(verdict).toEqual({
    kind: 'b_better',
    // The interval over fixtures reaches below 0: four of them are few.
    mayNotCarryOver: true,
    unscoredCouldTurnIt: false,
    differingFixtures: ['d'],
  })
  // Both conform and parse always.
  expect(rates.conform).toMatchObject({ test: { p: 1, informative: 0 }, difference: { difference: 0 } })
})

test('the other way round everything is mirrored', () => {
  const there = compared(A, B).rates.extraction!
  const { verdict, rates } = compared(B, A)
  const back = rates.extraction!
  expect(verdict.kind).toBe('a_better')
  expect(back.test.p).toBe(there.test.p)
  expect(back.test.excess).toBe(-there.test.excess)
  expect(back.difference!.difference).toBe(-there.difference!.difference)
  expect(back.difference!.ci95).toEqual([-there.difference!.ci95[1], -there.difference!.ci95[0]])
  expect(back.fixtures.map(({ p }) => p)).toEqual(there.fixtures.map(({ p }) => p))
})

test('what so many samples can tell', () => {
  // From 0.45 upwards with 20 and 20: d solves d - 1/20 = 1.96 √(p̄ q̄ / 10) + 0.8416 √((0.2475 + p₂q₂)/20), d = 0.4497.
  // 10 points: n’ = 391.27, with the correction 411.03; 412 over 4 fixtures.
  expect(compared(A, B).resolution).toEqual({
    minimumDetectable: expect.closeTo(0.4497, 4),
    toDetect: { difference: 0.1, samplesPerFixture: 103 },
    // Four tests share 5 %: 4 · 2/252 is below it, 4 · 2/70 above.
    singleFixtureCould: true,
    singleFixtureNeeds: 5,
  })
  const few = compared(result({ a: taken(4, 4), b: taken(1, 4) }), result({ a: taken(3, 4), b: taken(2, 4) }))
  // Two tests: 2 · 2/70 is above 5 %, 2 · 2/252 below.
  expect(few.resolution).toMatchObject({ singleFixtureCould: false, singleFixtureNeeds: 5 })
  expect(few.verdict.kind).toBe('no_difference_shown')
})

test('cost is per success, and what failed or was not scored is paid for too', () => {
  // 5 · $0.01 + $0.05 at its bound, for 2 successes: $0.05 each.
  const { a, b } = compared(result({ a: taken(2, 5, 1) }), result({ a: taken(0, 5) }))
  expect(a.cost).toEqual({ samples: 6, totalUsd: 0.1, successes: 2, per1000Usd: 50, upperBound: true })
  expect(b.cost).toEqual({ samples: 5, totalUsd: 0.05, successes: 0, per1000Usd: null, upperBound: false })
})

test('latency is over the scored samples of shared fixtures', () => {
  const slow = [10, 20, 30, 40, 50].map((latencyMs, index) => sample(index, { latencyMs }))
  const a = result({ a: [...slow, unscored(5)], z: taken(1, 1, 0, { latencyMs: 9000 }) })
  const { a: side, b } = compared(a, result({ a: taken(1, 1, 0, { latencyMs: null }) }))
  // Nine tenths of the way from the first to the fifth: 40 + 0.6 · 10.
  expect(side.latencyMs).toEqual({ n: 5, p50: 30, p90: expect.closeTo(46, 10), max: 50 })
  expect(b.latencyMs).toBeNull()
})

test('unscored samples are bounded, and it is told when they could have turned the verdict', () => {
  const few = compared(
    result({ a: taken(0, 8, 2), b: taken(0, 8, 2) }),
    result({ a: taken(8, 8, 2), b: taken(8, 8, 2) }),
  )
  // A 0 to 2 of 10, B 8 to 10 of 10.
  expect(few.rates.extraction!.a).toMatchObject({ unscored: 4, bounds: [0, 0.2] })
  expect(few.rates.extraction!.b.bounds).toEqual([0.8, 1])
  expect(few.rates.extraction!.differenceBounds).toEqual([expect.closeTo(0.6, 12), 1])
  expect(few.verdict).toMatchObject({ kind: 'b_better', unscoredCouldTurnIt: false })
  const many = compared(result({ a: taken(0, 8, 12) }), result({ a: taken(8, 8, 12) }))
  expect(many.rates.extraction!.differenceBounds).toEqual([expect.closeTo(-0.2, 12), 1])
  expect(many.verdict).toMatchObject({ kind: 'b_better', unscoredCouldTurnIt: true })
  expect(compared(result({ a: taken(8, 8, 12) }), result({ a: taken(0, 8, 12) })).verdict).toMatchObject({
    kind: 'a_better',
    unscoredCouldTurnIt: true,
  })
  expect(compared(result({ a: taken(8, 8, 2) }), result({ a: taken(0, 8, 2) })).verdict).toMatchObject({
    kind: 'a_better',
    unscoredCouldTurnIt: false,
  })
})

test('where large fixtures speak against small ones, no unscored sample is blamed', () => {
  // Differences 0.5, -1, -1; the test weighs them by their samples.
  const a = result({ big: taken(10, 100), s: taken(1, 1), t: taken(1, 1) })
  const b = result({ big: taken(60, 100), s: taken(0, 1), t: taken(0, 1) })
  const { verdict, rates } = compared(a, b)
  expect(rates.extraction!.difference!.difference).toBeCloseTo(-0.5, 12)
  expect(verdict).toMatchObject({ kind: 'b_better', mayNotCarryOver: true, unscoredCouldTurnIt: false })
})

test('samples that could have shown nothing are no unscored ones', () => {
  const ineligible = unscored(5)
  const none = { ...ineligible, failureClass: 'cache_not_reported' as const }
  expect(compared(result({ a: [...taken(5, 5), none] }), result({ a: taken(5, 5) })).rates.extraction!.a).toMatchObject(
    {
      unscored: 0,
      bounds: [1, 1],
    },
  )
})

test('nothing scored on one side is no difference', () => {
  const { verdict, resolution, rates } = compared(result({ a: taken(5, 5) }), result({ a: taken(0, 0, 3) }))
  expect([verdict.kind, resolution]).toEqual(['nothing_scored', null])
  expect(rates.extraction).toMatchObject({ difference: null, test: { p: 1 }, b: { n: 0, rate: null, bounds: [0, 1] } })
  expect(rates.extraction!.fixtures[0]).toMatchObject({ difference: null, ci95: null, p: null, holmP: null })
})

test('fixtures are the same by their hash; the others are named, and in no number', () => {
  const other = { fixtureHash: 'ffffffffffffffff' }
  const both = caseMeta('both', taken(3, 5))
  const a = buildResult(RUN, [
    both,
    caseMeta('changed', taken(5, 5)),
    caseMeta('mine', taken(5, 5)),
    caseMeta('unmeasured', taken(5, 5)),
    caseMeta('x', []),
  ])
  const b = buildResult(RUN, [
    both,
    caseMeta('changed', taken(0, 5), other),
    caseMeta('theirs', taken(0, 5)),
    caseMeta('unmeasured', [], { samplesWanted: 5 }),
    caseMeta('x', taken(0, 5)),
  ])
  const { sharedFixtures, leftOut, rates } = compared(a, b)
  expect(sharedFixtures).toEqual(['both'])
  expect(leftOut).toEqual([
    { fixtureId: 'changed', why: 'another fixture by its hash' },
    { fixtureId: 'mine', why: 'only in A' },
    { fixtureId: 'theirs', why: 'only in B' },
    { fixtureId: 'unmeasured', why: 'no samples in B' },
    { fixtureId: 'x', why: 'no samples in A' },
  ])
  expect([rates.parse!.a.n, rates.parse!.b.n]).toEqual([5, 5])
})

test('no shared fixture, or another class, is refused', () => {
  expect(() => compared(result({ a: taken(1, 1) }), result({ b: taken(1, 1) }))).toThrow(
    expect.objectContaining({
      code: 'COMPARE_REFUSED',
      file: 'b.json',
      message: expect.stringContaining('a (only in A)'),
    }),
  )
  const schema = buildResult({ ...RUN, probeClass: 'schema' as never }, [caseMeta('a', taken(1, 1))])
  expect(() => compared(result({ a: taken(1, 1) }), schema)).toThrow(
    expect.objectContaining({ code: 'COMPARE_REFUSED', field: 'class' }),
  )
})

test.each([
  ['grounding', 'grounded', { grounded: true }],
  ['caching', 'cacheHit', { cachedTokens: 500 }],
  ['schema', 'conform', {}],
] as const)('the headline of %s is %s', (probeClass, headline, overrides) => {
  const file = buildResult({ ...RUN, probeClass: probeClass as never }, [
    caseMeta('a', taken(5, 5, 0, { ...overrides }), { hasSchema: probeClass === 'schema' }),
  ])
  const comparison = compared(file, file)
  expect(comparison.headline).toBe(headline)
  expect(comparison.rates[headline]).toMatchObject({ a: { successes: 5, n: 5 }, test: { p: 1 } })
  expect(Object.keys(comparison.rates)).toEqual(
    probeClass === 'schema' ? ['parse', 'conform', 'values'] : ['parse', headline],
  )
})

/** Two runs over 12 fixtures of 5, whose true rates are `rateA` and `rateB` of what the fixture allows. */
function simulated(random: () => number, rateA: number, rateB: number): Comparison['verdict']['kind'] {
  const ids = Array.from({ length: 12 }, (_, index) => `f${index}`)
  const ease = new Map(ids.map((id) => [id, 0.6 + 0.4 * random()]))
  const run = (rate: number): ResultFile =>
    result(Object.fromEntries(ids.map((id) => [id, taken(draws(random, 5, rate * ease.get(id)!), 5)])))
  return compared(run(rateA), run(rateB)).verdict.kind
}

test('two runs of one model are called different in at most 5 % of 400; a model 30 points worse in over 90 %', () => {
  const random = seeded(12)
  const same = Array.from({ length: 400 }, () => simulated(random, 0.95, 0.95))
  expect(same.filter((kind) => kind !== 'no_difference_shown').length).toBeLessThanOrEqual(20)
  const worse = Array.from({ length: 200 }, () => simulated(random, 0.95, 0.58))
  expect(worse.filter((kind) => kind === 'a_better').length).toBeGreaterThan(180)
  expect(worse).not.toContain('b_better')
})
