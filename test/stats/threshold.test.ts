import { describe, expect, test } from 'vitest'
import type { Sample } from '../../src/model/sample.ts'
import { judge, samplesToDecide, verdictOf } from '../../src/stats/threshold.ts'
import { thresholdLine } from '../../src/stats/threshold-line.ts'
import { rateOf } from '../../src/stats/rate.ts'
import { sample, unscored } from '../support/samples.ts'

/** Samples of which the first conform. */
function conforming(successes: number, n: number): Sample[] {
  return Array.from({ length: n }, (_, index) => sample(index, { schemaConform: index < successes }))
}

describe('verdictOf', () => {
  // Wilson at 5/5 is [56.6, 100], at 0/5 [0, 43.4], at 3/5 [23.1, 88.2].
  test.for<[number, number, number, string]>([
    [5, 5, 0.56, 'met'],
    [5, 5, 0.57, 'inconclusive'],
    [5, 5, 1, 'inconclusive'],
    [0, 5, 0.43, 'inconclusive'],
    [0, 5, 0.44, 'missed'],
    [3, 5, 0.23, 'met'],
    [3, 5, 0.88, 'inconclusive'],
    [3, 5, 0.89, 'missed'],
    [1, 1, 0.9, 'inconclusive'],
    [0, 1, 0.9, 'missed'],
    [0, 0, 0.5, 'inconclusive'],
    [0, 5, 0, 'met'],
  ])('%i of %i, at least %f: %s', ([successes, n, atLeast, verdict]) => {
    expect(verdictOf(rateOf(successes, n), atLeast)).toBe(verdict)
  })
})

describe('samplesToDecide', () => {
  test('is the first number of samples that decides', () => {
    // At a rate of 1 the lower end is n / (n + z²): it reaches 0.9 from n = 9 z² = 34.57 on.
    expect(samplesToDecide(1, 0.9)).toBe(35)
    expect(samplesToDecide(0, 0.1)).toBe(35)
    for (const [rate, atLeast] of [
      [0.8, 0.9],
      [0.95, 0.9],
      [0.4, 0.5],
    ] as const) {
      const enough = samplesToDecide(rate, atLeast)!
      // Solved for n, Wilson's bound is at the threshold t when n (p - t)² = z² t (1 - t).
      const solved = (3.8414588206941236 * atLeast * (1 - atLeast)) / (rate - atLeast) ** 2
      expect(enough).toBe(Math.ceil(solved))
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

describe('judge', () => {
  test('rates and custom checks by their names; unscored samples count for neither', () => {
    const samples = [
      ...conforming(1, 12).map((one) => ({ ...one, checks: { adds: one.index < 6 } })),
      { ...unscored(12), checks: { adds: false } },
    ]
    expect(judge(samples, { conform: 0.9, adds: 0.5, parse: 0.7 })).toMatchObject([
      { name: 'conform', atLeast: 0.9, rate: { successes: 1, n: 12 }, verdict: 'missed', wouldDecide: null },
      { name: 'adds', rate: { successes: 6, n: 12 }, verdict: 'inconclusive', wouldDecide: null },
      { name: 'parse', rate: { successes: 12, n: 12 }, verdict: 'met' },
    ])
  })

  test('a name that nothing was counted under is inconclusive, whatever it is', () => {
    for (const name of ['grounded', 'never-made', 'samples', 'toString']) {
      expect(judge([], { [name]: 0 })).toMatchObject([{ rate: { n: 0 }, verdict: 'inconclusive', wouldDecide: null }])
    }
  })

  test('its line has the count, the interval, the threshold and what would tell', () => {
    const [open, none] = judge(conforming(5, 5), { conform: 0.9, values: 0.333 })
    expect(thresholdLine(open!)).toBe(
      'conform 5/5 100.0% [56.6%, 100.0%], at least 90%: inconclusive (about 35 samples at this rate would tell)',
    )
    expect(thresholdLine(none!)).toContain('values 5/5 100.0% [56.6%, 100.0%], at least 33.3%: met')
    expect(thresholdLine(judge([], { conform: 0.5 })[0]!)).toBe('conform no n, at least 50%: inconclusive')
  })
})
