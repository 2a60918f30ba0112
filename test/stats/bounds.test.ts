import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { unscoredBounds } from '../../src/stats/bounds.ts'

test.each([
  // 3 of 4 passed, 2 spoiled: 3/6 had both failed, 5/6 had both passed.
  [3, 4, 2, [3 / 6, 5 / 6]],
  [0, 4, 1, [0, 1 / 5]],
  [4, 4, 0, [1, 1]],
  [0, 0, 3, [0, 1]],
])('%i of %i with %i unscored', (successes, n, unscored, expected) => {
  expect(unscoredBounds({ successes, n }, unscored)).toEqual(expected)
})

test('no samples have no bounds', () => {
  expect(unscoredBounds({ successes: 0, n: 0 }, 0)).toBeNull()
})

test('whatever had become of them, the rate would lie within', () => {
  const counts = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20), fc.nat(20)).filter((each) => each.some((one) => one > 0))
  fc.assert(
    fc.property(counts, ([passed, failed, wouldPass, wouldFail]) => {
      const seen = { successes: passed, n: passed + failed }
      const [lower = NaN, upper = NaN] = unscoredBounds(seen, wouldPass + wouldFail) ?? []
      const truth = (passed + wouldPass) / (passed + failed + wouldPass + wouldFail)
      expect(lower <= truth && truth <= upper).toBe(true)
    }),
  )
})

test('refuses what is no count', () => {
  expect(() => unscoredBounds({ successes: 2, n: 1 }, 0)).toThrow(RangeError)
  expect(() => unscoredBounds({ successes: 1, n: 1 }, -1)).toThrow(RangeError)
  expect(() => unscoredBounds({ successes: 1, n: 1 }, 0.5)).toThrow(RangeError)
})
