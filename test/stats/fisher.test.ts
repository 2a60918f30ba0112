import { expect, test } from 'vitest'
import { fisherExact, smallestFisherP } from '../../src/stats/fisher.ts'
import { binomial } from '../support/seeded.ts'

const p = (a: number, nA: number, b: number, nB: number): number =>
  fisherExact({ successes: a, n: nA }, { successes: b, n: nB })

test.each([
  // The lady who tastes tea (Fisher 1935): 3 of 4 against 1 of 4. (16 + 1 + 16 + 1) / 70.
  ['tea tasting', 3, 4, 1, 4, 34 / 70],
  // Convictions of twins of criminals (Fisher 1935, table 3.1): 10 of 13 against 2 of 17; R's documentation of fisher.test.
  ['twins', 10, 13, 2, 17, 0.0005367],
  // 2 / C(10, 5): the most that five samples against five can show.
  ['5 against 5', 5, 5, 0, 5, 2 / 252],
  // 7 successes among 10: x = 2 … 5 in C(5, x) C(5, 7 - x) = 10, 50, 50, 10 of 120; the ends as extreme as each other.
  ['a tie at the other end', 5, 5, 2, 5, 20 / 120],
])('%s', (_name, a, nA, b, nB, expected) => {
  expect(p(a, nA, b, nB)).toBeCloseTo(expected, 7)
})

/** By brute force: every way in which K successes can fall on the samples, each as likely as the next. */
function enumerated(a: number, nA: number, b: number, nB: number): number {
  const samples = nA + nB
  const ways = Array.from({ length: nA + 1 }, () => 0)
  for (let pattern = 0; pattern < 1 << samples; pattern += 1) {
    const bits = Array.from({ length: samples }, (_, bit) => (pattern >> bit) & 1)
    if (bits.reduce((sum, bit) => sum + bit, 0) !== a + b) continue
    const first = bits.slice(0, nA).reduce((sum, bit) => sum + bit, 0)
    ways[first]! += 1
  }
  const extreme = ways.filter((own) => own <= ways[a]!).reduce((sum, own) => sum + own, 0)
  return extreme / ways.reduce((sum, own) => sum + own, 0)
}

test('is what counting every pattern of successes gives, for all tables of up to 5 and 4 samples', () => {
  for (let nA = 0; nA <= 5; nA += 1)
    for (let nB = 0; nB <= 4; nB += 1)
      for (let a = 0; a <= nA; a += 1)
        for (let b = 0; b <= nB; b += 1) expect(p(a, nA, b, nB)).toBeCloseTo(enumerated(a, nA, b, nB), 12)
})

test('calls equal rates different in at most 5 % of runs, whatever the rate', () => {
  for (const [nA, nB] of [
    [5, 5],
    [10, 7],
    [20, 20],
  ] as const) {
    for (const rate of [0.05, 0.2, 0.5, 0.8, 0.95]) {
      let wrong = 0
      for (let a = 0; a <= nA; a += 1)
        for (let b = 0; b <= nB; b += 1)
          if (p(a, nA, b, nB) <= 0.05) wrong += binomial(a, nA, rate) * binomial(b, nB, rate)
      expect(wrong).toBeLessThanOrEqual(0.05)
    }
  }
})

test('large samples keep their digits', () => {
  // In whole numbers: the sum of C(10000, x) C(10000, 10200 - x) that are no larger than that at 5200, over C(20000, 10200).
  expect(p(5200, 10_000, 5000, 10_000)).toBeCloseTo(0.004878795768906829, 10)
  expect(p(100_000, 100_000, 0, 100_000)).toBe(0)
})

test('is 1 where nothing else could have been observed', () => {
  expect([p(5, 5, 5, 5), p(0, 5, 0, 5), p(0, 0, 3, 5), p(2, 4, 2, 4)].map((one) => Number(one.toFixed(12)))).toEqual([
    1, 1, 1, 1,
  ])
})

test('the smallest p there can be is that of all against none', () => {
  expect(smallestFisherP(5, 5)).toBeCloseTo(2 / 252, 12)
  // One of C(4, 3) ways; its mirror image does not exist.
  expect(smallestFisherP(3, 1)).toBeCloseTo(1 / 4, 12)
  expect(smallestFisherP(0, 5)).toBe(1)
})

test.each([
  [2, 1, 0, 1],
  [0, 1, -1, 1],
  [0.5, 1, 0, 1],
])('refuses %d of %d against %d of %d', (a, nA, b, nB) => {
  expect(() => p(a, nA, b, nB)).toThrow(RangeError)
})
