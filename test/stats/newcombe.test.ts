import { expect, test } from 'vitest'
import { newcombe } from '../../src/stats/newcombe.ts'
import { binomial } from '../support/seeded.ts'

const interval = (a: number, nA: number, b: number, nB: number): [number, number] => {
  const found = newcombe({ successes: a, n: nA }, { successes: b, n: nB })
  if (found === null) throw new Error('no interval')
  return found
}

// Newcombe 1998, Statistics in Medicine 17, 873-890, table II, method 10.
test.each([
  [56, 70, 48, 80, 0.0524, 0.3339],
  [9, 10, 3, 10, 0.1705, 0.809],
  [6, 7, 2, 7, 0.0582, 0.8062],
  [5, 56, 0, 29, -0.0381, 0.1926],
  [0, 10, 0, 20, -0.1611, 0.2775],
  [0, 10, 0, 10, -0.2775, 0.2775],
  [10, 10, 0, 20, 0.6791, 1],
  [10, 10, 0, 10, 0.6075, 1],
])('%i/%i - %i/%i as published', (a, nA, b, nB, lower, upper) => {
  expect(interval(a, nA, b, nB).map((bound) => Number(bound.toFixed(4)))).toEqual([lower, upper])
})

test('swapping the sides mirrors it; it holds the difference and is never of zero width', () => {
  for (const [nA, nB] of [
    [1, 1],
    [5, 8],
    [13, 4],
  ] as const) {
    for (let a = 0; a <= nA; a += 1) {
      for (let b = 0; b <= nB; b += 1) {
        const [lower, upper] = interval(a, nA, b, nB)
        const mirrored = interval(b, nB, a, nA)
        expect(mirrored[0]).toBeCloseTo(-upper, 12)
        expect(mirrored[1]).toBeCloseTo(-lower, 12)
        expect(lower).toBeLessThan(upper)
        expect(lower <= a / nA - b / nB && a / nA - b / nB <= upper).toBe(true)
      }
    }
  }
})

test('covers the true difference 93 to 97 % of the time, averaged over rates; all outcomes weighed', () => {
  const rates = Array.from({ length: 9 }, (_, step) => 0.1 * (step + 1))
  for (const [nA, nB] of [
    [10, 10],
    [20, 10],
    [30, 30],
  ] as const) {
    let covered = 0
    for (const one of rates) {
      for (const two of rates) {
        for (let a = 0; a <= nA; a += 1) {
          for (let b = 0; b <= nB; b += 1) {
            const [lower, upper] = interval(a, nA, b, nB)
            if (lower <= one - two && one - two <= upper) covered += binomial(a, nA, one) * binomial(b, nB, two)
          }
        }
      }
    }
    expect(covered / rates.length ** 2).toBeGreaterThan(0.93)
    expect(covered / rates.length ** 2).toBeLessThan(0.97)
  }
})

test('is null without samples on a side, and refuses what is no count', () => {
  expect(newcombe({ successes: 0, n: 0 }, { successes: 1, n: 2 })).toBeNull()
  expect(newcombe({ successes: 1, n: 2 }, { successes: 0, n: 0 })).toBeNull()
  expect(() => newcombe({ successes: 3, n: 2 }, { successes: 0, n: 1 })).toThrow(RangeError)
})
