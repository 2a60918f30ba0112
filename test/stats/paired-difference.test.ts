import { expect, test } from 'vitest'
import type { Stratum } from '../../src/stats/cochran-mantel-haenszel.ts'
import { newcombe } from '../../src/stats/newcombe.ts'
import { pairedDifference } from '../../src/stats/paired-difference.ts'
import { t95 } from '../../src/stats/student.ts'
import { draws, seeded } from '../support/seeded.ts'

const pair = (a: number, nA: number, b: number, nB: number): Stratum => ({
  a: { successes: a, n: nA },
  b: { successes: b, n: nB },
})

// Published tables of Student's t, 97.5 %.
test.each([
  [1, 12.706, 0.001],
  [2, 4.303, 0.001],
  [3, 3.182, 0.005],
  [4, 2.776, 0.002],
  [5, 2.571, 0.001],
  [10, 2.228, 0.001],
  [30, 2.042, 0.001],
  [1000, 1.962, 0.001],
])('t at %i degrees of freedom is %d', (degrees, expected, within) => {
  expect(Math.abs(t95(degrees) - expected)).toBeLessThan(within)
})

test('t needs degrees of freedom', () => {
  expect(() => t95(0)).toThrow(RangeError)
  expect(() => t95(1.5)).toThrow(RangeError)
})

test('worked by hand', () => {
  // Differences b - a: 1/5, -1/5, 3/5; mean 1/5; squares 0, 4/25, 4/25; v = 8/25 / 6 = 4/75; t(2) = 4.30265
  const found = pairedDifference([pair(4, 5, 5, 5), pair(3, 5, 2, 5), pair(1, 5, 4, 5)])
  expect(found).toMatchObject({ pairs: 3, difference: expect.closeTo(0.2, 12) })
  expect(found?.ci95[0]).toBeCloseTo(0.2 - 4.30265 * Math.sqrt(4 / 75), 5)
  // 0.2 + 0.9936 is beyond what a difference can be.
  expect(found?.ci95[1]).toBe(1)
})

test('every fixture counts once, however many samples it has', () => {
  const found = pairedDifference([pair(0, 2, 1, 2), pair(50, 100, 50, 100), pair(3, 10, 4, 10)])
  expect(found?.difference).toBeCloseTo((0.5 + 0 + 0.1) / 3, 12)
})

test('what makes a fixture hard for both cancels out', () => {
  const hardAndEasy = [pair(5, 5, 5, 5), pair(0, 5, 0, 5), pair(5, 5, 5, 5), pair(0, 5, 1, 5), pair(5, 5, 4, 5)]
  const [lower = NaN, upper = NaN] = pairedDifference(hardAndEasy)?.ci95 ?? []
  const [pooledLower = NaN, pooledUpper = NaN] = newcombe({ successes: 15, n: 25 }, { successes: 15, n: 25 }) ?? []
  expect(upper - lower).toBeLessThan(pooledUpper - pooledLower)
})

test('fixtures that agree are one fact each', () => {
  const all = Array.from({ length: 13 }, () => pair(5, 5, 5, 5))
  // Newcombe of 13/13 and 13/13: 1 - lower bound of Wilson's interval of 13/13, z²/(13 + z²) = 0.22810.
  expect(pairedDifference(all)).toEqual({
    pairs: 13,
    difference: 0,
    ci95: [expect.closeTo(-0.2281, 4), expect.closeTo(0.2281, 4)],
  })
  expect(pairedDifference([pair(0, 5, 5, 5)])?.ci95).toEqual(newcombe({ successes: 1, n: 1 }, { successes: 0, n: 1 }))
})

test('a hair of variation does not make a hair of an interval', () => {
  // 99 fixtures agree and one of a thousand samples lacks one: at least t(99) √(2/1000²) / 100 = 0.0000281.
  const nearly = [...Array.from({ length: 99 }, () => pair(1000, 1000, 1000, 1000)), pair(1000, 1000, 999, 1000)]
  const [lower = NaN, upper = NaN] = pairedDifference(nearly)?.ci95 ?? []
  expect((upper - lower) / 2).toBeCloseTo((1.9842 * Math.SQRT2) / 1000 / 100, 8)
})

test('fixtures that one side lacks are no pairs; without pairs there is none', () => {
  const pairs = [pair(4, 5, 5, 5), pair(3, 5, 1, 5)]
  expect(pairedDifference([...pairs, pair(0, 0, 5, 5), pair(1, 5, 0, 0)])).toEqual(pairedDifference(pairs))
  expect(pairedDifference([pair(0, 0, 5, 5)])).toBeNull()
  expect(pairedDifference([])).toBeNull()
  expect(() => pairedDifference([pair(6, 5, 0, 5)])).toThrow(RangeError)
})

/** Share of runs whose interval holds the mean difference of the kind of fixtures they draw. */
function coverage(fixtures: number, samples: number, rates: Kind) {
  const random = seeded(1908)
  const many = Array.from({ length: 200_000 }, () => rates(random))
  const truth = many.reduce((sum, [a, b]) => sum + b - a, 0) / many.length
  let covered = 0
  const runs = 4000
  for (let run = 0; run < runs; run += 1) {
    const strata = Array.from({ length: fixtures }, () => {
      const [a, b] = rates(random)
      return pair(draws(random, samples, a), samples, draws(random, samples, b), samples)
    })
    const [lower = NaN, upper = NaN] = pairedDifference(strata)?.ci95 ?? []
    if (lower <= truth && truth <= upper) covered += 1
  }
  return covered / runs
}

type Kind = (random: () => number) => readonly [a: number, b: number]
const SIZES: readonly (readonly [fixtures: number, samples: number])[] = [
  [5, 10],
  [13, 5],
  [20, 5],
  [50, 3],
]

test.each<[string, Kind, typeof SIZES]>([
  ['as hard for both', (random) => twice(0.5 + 0.45 * random()), SIZES],
  ['a fifth harder for one', (random) => ((rate) => [rate, rate - 0.2] as const)(0.4 + 0.55 * random()), SIZES],
  ['as hard as may be for either', (random) => [random(), random()], SIZES],
  // Five of these differ in one or two, which tells too little.
  ['always or never right, a third of them otherwise for the other', allOrNothing, SIZES.slice(1)],
])('covers 0.93 to 0.97 of the time where fixtures are %s', (_name, rates, sizes) => {
  for (const [fixtures, samples] of sizes) {
    const share = coverage(fixtures, samples, rates)
    expect(share, `${fixtures} x ${samples}`).toBeGreaterThan(0.93)
    expect(share, `${fixtures} x ${samples}`).toBeLessThan(0.97)
  }
})

function twice(rate: number): readonly [number, number] {
  return [rate, rate]
}

function allOrNothing(random: () => number): readonly [number, number] {
  const one = random() < 0.7 ? 1 : 0
  return [one, random() < 1 / 3 ? 1 - one : one]
}
