import { expect, test } from 'vitest'
import { atLeast, atMost } from '../../src/stats/binomial-tail.ts'

// Published cumulative binomial tables, to four decimals.
test.for([
  { successes: 2, n: 5, rate: 0.5, chance: 0.5 },
  { successes: 3, n: 10, rate: 0.5, chance: 0.1719 },
  { successes: 7, n: 10, rate: 0.9, chance: 0.0702 },
  { successes: 0, n: 20, rate: 0.05, chance: 0.3585 },
  { successes: 15, n: 20, rate: 0.9, chance: 0.0432 },
])('at most $successes of $n at $rate: $chance', ({ successes, n, rate, chance }) => {
  expect(atMost({ successes, n }, rate)).toBeCloseTo(chance, 4)
  expect(atLeast({ successes: successes + 1, n }, rate)).toBeCloseTo(1 - chance, 4)
})

test('the ends are exact, and large numbers stay finite', () => {
  expect([atMost({ successes: 5, n: 5 }, 0.3), atLeast({ successes: 0, n: 5 }, 0.3)]).toEqual([1, 1])
  expect([
    atMost({ successes: 4, n: 5 }, 1),
    atMost({ successes: 0, n: 5 }, 0),
    atLeast({ successes: 5, n: 5 }, 1),
  ]).toEqual([0, 1, 1])
  expect(atMost({ successes: 5000, n: 10_000 }, 0.5)).toBeCloseTo(0.504, 3)
  expect(atMost({ successes: 0, n: 10_000 }, 0.5)).toBe(0)
  expect(() => atMost({ successes: 2, n: 1 }, 0.5)).toThrow(RangeError)
  expect(() => atMost({ successes: 0, n: 1 }, 1.5)).toThrow(RangeError)
})
