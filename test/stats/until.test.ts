import { describe, expect, test } from 'vitest'
import type { Sample } from '../../src/model/sample.ts'
import { isNarrow, mostSamplesUntil, widthOf } from '../../src/stats/until.ts'
import { halfWidth, wilson } from '../../src/stats/wilson.ts'
import { sample, unscored } from '../support/samples.ts'

function samplesOf(successes: number, n: number, how: (right: boolean) => Partial<Sample>): Sample[] {
  return Array.from({ length: n }, (_, index) => sample(index, how(index < successes)))
}

test('the most samples a rate can need, by the formula worked out by hand', () => {
  // z² (1 / (4 × 0.05²) - 1) = 3.8414588 × 99 = 380.3
  expect(mostSamplesUntil(0.05)).toBe(381)
  // 3.8414588 × 24 = 92.2; 3.8414588 × 2499 = 9599.8; 3.8414588 × 0 = 0
  expect(mostSamplesUntil(0.1)).toBe(93)
  expect(mostSamplesUntil(0.01)).toBe(9600)
  expect(mostSamplesUntil(0.5)).toBe(1)
  for (const wrong of [0, -1, 0.51, Number.NaN]) expect(() => mostSamplesUntil(wrong)).toThrow(RangeError)
})

test('with that many every rate is narrow enough, and with one fewer one half is not', () => {
  for (const target of [0.02, 0.05, 0.1, 0.2]) {
    const most = mostSamplesUntil(target)
    for (let successes = 0; successes <= most; successes += 1) {
      expect(halfWidth(successes / most, most)).toBeLessThanOrEqual(target)
    }
    expect(halfWidth(0.5, most - 1)).toBeGreaterThan(target)
  }
})

describe('widthOf', () => {
  test('the widest of the rates that the class is judged by', () => {
    // conform 8/10: [49.0, 94.3]; values 4/8: [21.5, 78.5]
    const samples = samplesOf(8, 10, (right) => ({ schemaConform: right, valueAccuracy: right ? 1 : null })).map(
      (one) => (one.index < 4 ? one : { ...one, valueAccuracy: one.valueAccuracy === null ? null : 0.5 }),
    )
    expect(widthOf(samples, 'schema', 0)!.now).toBeCloseTo(0.28479, 4)
    expect(widthOf(samples, 'image', 0)!.now).toBeCloseTo(halfWidth(0.4, 10), 12)
  })

  test('samples to come are taken to be like those that came', () => {
    const samples = samplesOf(9, 10, (right) => ({ schemaConform: right, valueAccuracy: null }))
    const { now, ahead } = widthOf(samples, 'schema', 30)!
    expect(now).toBeCloseTo(halfWidth(0.9, 10), 12)
    expect(ahead).toBeCloseTo(halfWidth(0.9, 40), 12)
  })

  test('samples without a scored one have no width; a rate that nothing is in does not count', () => {
    expect(widthOf([unscored(0), unscored(1)], 'schema', 5)).toBeNull()
    expect(widthOf([], 'image', 5)).toBeNull()
    const none = samplesOf(0, 4, () => ({ schemaConform: false, valueAccuracy: null }))
    expect(widthOf(none, 'schema', 0)!.now).toBeCloseTo(halfWidth(0, 4), 12)
  })
})

test('narrow is what has nothing more to ask for', () => {
  const right = (n: number): Sample[] => samplesOf(n, n, () => ({}))
  // At 100 % half the width is z² / (2 (n + z²)): 0.05 from n = 9 z² = 34.6 on.
  expect([34, 35].map((n) => isNarrow(right(n), 'image', 0.05))).toEqual([false, true])
  const half = (n: number): Sample[] => samplesOf(n / 2, n, (ok) => ({ valueAccuracy: ok ? 1 : 0 }))
  expect([380, 382].map((n) => isNarrow(half(n), 'image', 0.05))).toEqual([false, true])
  expect(isNarrow([unscored(0)], 'image', 0.05)).toBe(true)
})

/**
 * Chance that the interval holds the true rate, when samples are taken one by one from `least` on until it is narrow
 * enough: every course the counts can take is followed with its probability.
 */
function coverage(rate: number, target: number, least: number): number {
  const most = mostSamplesUntil(target)
  let open = new Map([[0, 1]])
  let covered = 0
  for (let n = 1; n <= most; n += 1) {
    const reached = new Map<number, number>()
    for (const [successes, chance] of open) {
      reached.set(successes, (reached.get(successes) ?? 0) + chance * (1 - rate))
      reached.set(successes + 1, (reached.get(successes + 1) ?? 0) + chance * rate)
    }
    open = new Map()
    for (const [successes, chance] of reached) {
      const [low, high] = wilson(successes, n)!
      const stops = n === most || (n >= least && (high - low) / 2 <= target)
      if (!stops) open.set(successes, chance)
      else if (low <= rate && rate <= high) covered += chance
    }
  }
  return covered
}

// What docs/sampling.md tells.
test.for([
  { target: 0.05, lowest: 0.932, mean: 0.952 },
  { target: 0.1, lowest: 0.923, mean: 0.953 },
  { target: 0.15, lowest: 0.908, mean: 0.954 },
])('stopped at ± $target the interval covers as documented', ({ target, lowest, mean }) => {
  const rates = Array.from({ length: 199 }, (_, step) => (step + 1) / 200)
  const covered = rates.map((rate) => coverage(rate, target, 5))
  expect(Math.min(...covered)).toBeCloseTo(lowest, 3)
  expect(covered.reduce((sum, one) => sum + one, 0) / covered.length).toBeCloseTo(mean, 3)
})
