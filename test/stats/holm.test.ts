import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { holm } from '../../src/stats/holm.ts'
import { seeded } from '../support/seeded.ts'

test('worked by hand', () => {
  // In rising order 0.005 ×4, 0.01 ×3, 0.03 ×2, 0.04 ×1: 0.02, 0.03, 0.06, and 0.04 raised to 0.06.
  const adjusted = holm([0.01, 0.04, 0.03, 0.005])
  for (const [position, expected] of [0.03, 0.06, 0.06, 0.02].entries())
    expect(adjusted[position]).toBeCloseTo(expected)
})

test('stops at 1, leaves one alone, takes none', () => {
  expect(holm([0.5, 0.6, 0.7])).toEqual([1, 1, 1])
  expect(holm([0.03])).toEqual([0.03])
  expect(holm([])).toEqual([])
})

test('between the value and Bonferroni’s, and the order of the values stays', () => {
  const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(values, (ps) => {
      const adjusted = holm(ps)
      for (const [position, p] of ps.entries()) {
        expect(adjusted[position]).toBeGreaterThanOrEqual(p)
        expect(adjusted[position]).toBeLessThanOrEqual(Math.min(1, p * ps.length) + 1e-12)
        for (const [other, q] of ps.entries()) if (p < q) expect(adjusted[position]! <= adjusted[other]!).toBe(true)
      }
    }),
  )
})

test('of 20 true hypotheses any is rejected in about 5 % of runs', () => {
  const random = seeded(1979)
  let wrong = 0
  for (let run = 0; run < 10_000; run += 1)
    if (holm(Array.from({ length: 20 }, random)).some((p) => p <= 0.05)) wrong += 1
  expect(wrong / 10_000).toBeGreaterThan(0.043)
  expect(wrong / 10_000).toBeLessThan(0.055)
})

test('refuses what is no p value', () => {
  for (const p of [-0.1, 1.1, NaN]) expect(() => holm([0.5, p])).toThrow(RangeError)
})
