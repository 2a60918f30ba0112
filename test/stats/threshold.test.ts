import { describe, expect, test } from 'vitest'
import type { Sample } from '../../src/model/sample.ts'
import { judge, samplesToDecide, verdictOf } from '../../src/stats/threshold.ts'
import { thresholdLine } from '../../src/stats/threshold-line.ts'
import { rateOf } from '../../src/stats/rate.ts'
import { sample, unscored } from '../support/samples.ts'
import { binomial } from '../support/seeded.ts'

/** Samples of which the first conform. */
function conforming(successes: number, n: number): Sample[] {
  return Array.from({ length: n }, (_, index) => sample(index, { schemaConform: index < successes }))
}

describe('verdictOf', () => {
  test.for<[number, number, number, string]>([
    // Exactly, five of five have a chance of at most 2.5 % up to 0.025^(1/5) = 0.478.
    [5, 5, 0.47, 'met'],
    [5, 5, 0.48, 'inconclusive'],
    [5, 5, 1, 'inconclusive'],
    [4, 5, 1, 'missed'],
    [0, 5, 0.52, 'inconclusive'],
    [0, 5, 0.53, 'missed'],
    // 4 of 5 or fewer at 0.9: 0.41; 3 or fewer: 0.081; 2 or fewer: 0.0086.
    [3, 5, 0.9, 'inconclusive'],
    [2, 5, 0.9, 'missed'],
    [1, 1, 0.9, 'inconclusive'],
    [0, 1, 0.999, 'inconclusive'],
    [0, 2, 0.9, 'missed'],
    [0, 0, 0.5, 'inconclusive'],
    [0, 5, 0, 'met'],
  ])('%i of %i, at least %f: %s', ([successes, n, atLeast, verdict]) => {
    expect(verdictOf(rateOf(successes, n), atLeast)).toBe(verdict)
  })
})

test('neither verdict is wrong more often than one time in forty, whatever n and threshold', () => {
  for (const threshold of [0.05, 0.5, 0.8, 0.9, 0.95, 0.99]) {
    for (let n = 1; n <= 60; n += 1) {
      let [met, missed] = [0, 0]
      for (let successes = 0; successes <= n; successes += 1) {
        const verdict = verdictOf(rateOf(successes, n), threshold)
        if (verdict === 'met') met += binomial(successes, n, threshold)
        if (verdict === 'missed') missed += binomial(successes, n, threshold)
      }
      expect(met, `${n} at ${threshold}`).toBeLessThan(0.025)
      expect(missed, `${n} at ${threshold}`).toBeLessThan(0.025)
    }
  }
})

describe('samplesToDecide', () => {
  test('decides, and is not far above what the interval alone needs', () => {
    // All right, at 0.9: 0.9^n is at most 0.025 from n = 35.01 on.
    expect(samplesToDecide(1, 0.9)).toBe(36)
    expect(samplesToDecide(0, 0.1)).toBe(36)
    for (const [rate, threshold] of [
      [0.8, 0.9],
      [0.95, 0.9],
      [0.4, 0.5],
    ] as const) {
      const enough = samplesToDecide(rate, threshold)!
      const at = (n: number) => verdictOf(rateOf(Math.round(rate * n), n), threshold)
      expect(at(enough)).not.toBe('inconclusive')
      // Wilson's bound is at the threshold t when n (p - t)² = z² t (1 - t): it cannot be fewer.
      const least = (3.8414588206941236 * threshold * (1 - threshold)) / (rate - threshold) ** 2
      expect(enough).toBeGreaterThanOrEqual(least)
      expect(enough).toBeLessThan(least * 1.5)
    }
  })

  test('no number does at the threshold itself, nor a hair beside it', () => {
    expect(samplesToDecide(0.9, 0.9)).toBeNull()
    expect(samplesToDecide(0.9001, 0.9)).toBeNull()
    expect(samplesToDecide(1, 1)).toBeNull()
  })

  test('what is no rate is refused', () => {
    expect(() => samplesToDecide(0.5, 1.1)).toThrow(RangeError)
    expect(() => samplesToDecide(1.5, 0.5)).toThrow(RangeError)
  })
})

const judged = (samples: Sample[], thresholds: Record<string, number>, shard: string | null = null) =>
  judge({ samples, thresholds, shard })

describe('judge', () => {
  test('rates and custom checks by their names; unscored samples count for neither', () => {
    const samples = [
      ...conforming(1, 12).map((one) => ({ ...one, checks: { adds: one.index < 6 } })),
      { ...unscored(12), checks: { adds: null } },
    ]
    expect(judged(samples, { conform: 0.9, adds: 0.5, parse: 0.7 })).toMatchObject([
      { name: 'conform', atLeast: 0.9, rate: { successes: 1, n: 12 }, verdict: 'missed', wouldDecide: null },
      { name: 'adds', rate: { successes: 6, n: 12 }, verdict: 'inconclusive', wouldDecide: null },
      { name: 'parse', rate: { successes: 12, n: 12 }, verdict: 'met' },
    ])
  })

  test('a name that nothing was counted under is inconclusive, whatever it is', () => {
    const samples = [sample(0, { checks: {} }), sample(1, { checks: { other: true } })]
    for (const name of ['cacheHit', 'never-made', 'samples', 'toString', 'constructor']) {
      expect(judged(samples, { [name]: 0 })).toMatchObject([
        { rate: { n: 0 }, verdict: 'inconclusive', wouldDecide: null },
      ])
    }
  })

  test('a shard is held against none', () => {
    expect(judged(conforming(0, 20), { conform: 0.9 }, '1/2')).toEqual([])
  })

  test('its line has the count, the interval, the threshold and what would tell', () => {
    const [open, met, always] = judged(conforming(5, 5), { conform: 0.9, values: 0.333, parse: 1 })
    expect(thresholdLine(open!)).toBe(
      'conform 5/5 100.0% [56.6%, 100.0%], at least 90%: inconclusive (about 36 samples at this rate would tell)',
    )
    expect(thresholdLine(met!)).toBe('values 5/5 100.0% [56.6%, 100.0%], at least 33.3%: met')
    expect(thresholdLine(always!)).toBe(
      'parse 5/5 100.0% [56.6%, 100.0%], at least 100%: inconclusive (no number of samples can show that it never fails)',
    )
    expect(thresholdLine(judged([], { conform: 0.5 })[0]!)).toBe('conform no n, at least 50%: inconclusive')
  })
})
