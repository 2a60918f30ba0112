import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rateOf } from '../../src/stats/rate.ts'
import { wilson, wilsonFromRate } from '../../src/stats/wilson.ts'

describe('wilson', () => {
  // Newcombe 1998, Statistics in Medicine 17, 857-872, table I, method 3 (score, without continuity correction).
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('%i of %i as published', (successes, n, lower, upper) => {
    const interval = wilson(successes, n)
    expect(interval?.map((bound) => Number(bound.toFixed(4)))).toEqual([lower, upper])
  })

  test('the formula worked by hand: 2 of 4', () => {
    // centre 0.5; half-width z / (4 + z²) × sqrt(4 × 0.25 + z² / 4), z² = 3.841459
    const [lower, upper] = wilson(2, 4) ?? []
    expect(lower).toBeCloseTo(0.150036, 5)
    expect(upper).toBeCloseTo(0.849964, 5)
  })

  test('5 of 5 as in the result files that ModelRig publishes', () => {
    expect(wilson(5, 5)?.[0]).toBeCloseTo(0.5655175352168251, 14)
    expect(wilson(0, 5)?.[1]).toBeCloseTo(0.43448246478317476, 14)
  })

  test('is exact at both ends for every n up to 500', () => {
    for (let n = 1; n <= 500; n += 1) {
      const [none, all] = [wilson(0, n), wilson(n, n)]
      expect(none?.[0]).toBe(0)
      expect(all?.[1]).toBe(1)
      expect(none?.[1]).toBeLessThan(1)
      expect(all?.[0]).toBeGreaterThan(0)
    }
  })

  test('contains the rate and stays between 0 and 1, for every count up to 200', () => {
    for (let n = 1; n <= 200; n += 1) {
      for (let successes = 0; successes <= n; successes += 1) {
        const [lower = NaN, upper = NaN] = wilson(successes, n) ?? []
        const ordered = 0 <= lower && lower <= successes / n && successes / n <= upper && upper <= 1 && lower < upper
        expect(ordered, `${successes} of ${n}`).toBe(true)
      }
    }
  })

  test('is null without trials', () => {
    expect(wilson(0, 0)).toBeNull()
    expect(wilsonFromRate(0.5, 0)).toBeNull()
  })

  test.each([
    [1, 0],
    [-1, 5],
    [-1, 0],
    [6, 5],
    [1.5, 5],
    [1, 5.5],
    [NaN, 5],
    [1, NaN],
    [1, Infinity],
  ])('refuses %d of %d', (successes, n) => {
    expect(() => wilson(successes, n)).toThrow(RangeError)
  })

  test.each([
    [-0.1, 5],
    [1.1, 5],
    [NaN, 5],
    [0.5, -1],
    [0.5, NaN],
    [0.5, Infinity],
  ])('refuses a rate of %d over %d', (rate, n) => {
    expect(() => wilsonFromRate(rate, n)).toThrow(RangeError)
  })

  test('does not fall below zero for a rate next to zero', () => {
    expect(wilsonFromRate(4.4249653984009733e-16, 36358.01990299441)?.[0]).toBe(0)
  })

  test('mirrors: failures have the mirrored interval', () => {
    fc.assert(
      fc.property(counts, ({ successes, n }) => {
        const [lower = NaN, upper = NaN] = wilson(successes, n) ?? []
        const [mirroredLower = NaN, mirroredUpper = NaN] = wilson(n - successes, n) ?? []
        expect(mirroredLower).toBeCloseTo(1 - upper, 12)
        expect(mirroredUpper).toBeCloseTo(1 - lower, 12)
      }),
    )
  })

  test('narrows with n at the same rate, whole or not', () => {
    const arbitrary = fc.record({
      rate: fc.double({ min: 0, max: 1, noNaN: true }),
      n: fc.double({ min: 0.5, max: 1e6, noNaN: true }),
    })
    fc.assert(
      fc.property(arbitrary, ({ rate, n }) => {
        expect(width(wilsonFromRate(rate, n * 2))).toBeLessThan(width(wilsonFromRate(rate, n)))
      }),
    )
  })

  test('contains the rate for any effective n', () => {
    const arbitrary = fc.record({
      rate: fc.double({ min: 0, max: 1, noNaN: true }),
      n: fc.double({ min: 1e-3, max: 1e15, noNaN: true }),
    })
    fc.assert(
      fc.property(arbitrary, ({ rate, n }) => {
        const [lower = NaN, upper = NaN] = wilsonFromRate(rate, n) ?? []
        expect(0 <= lower && lower <= rate && rate <= upper && upper <= 1).toBe(true)
      }),
    )
  })
})

describe('rateOf', () => {
  test('carries counts, rate and interval', () => {
    expect(rateOf(1, 4)).toEqual({ successes: 1, n: 4, rate: 0.25, ci95: wilson(1, 4) })
    expect(rateOf(0, 0)).toEqual({ successes: 0, n: 0, rate: null, ci95: null })
    expect(() => rateOf(2, 1)).toThrow(RangeError)
  })
})

const counts = fc
  .integer({ min: 1, max: 5000 })
  .chain((n) => fc.record({ n: fc.constant(n), successes: fc.integer({ min: 0, max: n }) }))

function width(interval: readonly [number, number] | null): number {
  if (interval === null) throw new Error('no interval')
  return interval[1] - interval[0]
}
