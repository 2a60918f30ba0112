import { expect, test } from 'vitest'
import { clusteredInterval } from '../../src/stats/cluster.ts'
import { wilson } from '../../src/stats/wilson.ts'
import { binomial, draws, seeded } from '../support/seeded.ts'

test.each([5, 10, 20, 50])(
  'Wilson, n = %i: covers 0.93 to 0.97 of the time, averaged over true rates; all outcomes weighed',
  (n) => {
    const rates = Array.from({ length: 99 }, (_, step) => (step + 1) / 100)
    let covered = 0
    for (const rate of rates) {
      for (let successes = 0; successes <= n; successes += 1) {
        const [lower = NaN, upper = NaN] = wilson(successes, n) ?? []
        if (lower <= rate && rate <= upper) covered += binomial(successes, n, rate)
      }
    }
    expect(covered / rates.length).toBeGreaterThan(0.93)
    expect(covered / rates.length).toBeLessThan(0.97)
  },
)

/** Share of runs over fixtures of such rates in which the interval holds their mean. */
function share(fixtures: number, interval: 'clustered' | 'pooled', rateOf: (random: () => number) => number): number {
  const random = seeded(1965)
  const drawn = Array.from({ length: 200_000 }, () => rateOf(random))
  const truth = drawn.reduce((sum, one) => sum + one, 0) / drawn.length
  const runs = 4000
  let covered = 0
  for (let run = 0; run < runs; run += 1) {
    const clusters = Array.from({ length: fixtures }, () => ({ successes: draws(random, 5, rateOf(random)), n: 5 }))
    const successes = clusters.reduce((sum, own) => sum + own.successes, 0)
    const ci95 = interval === 'pooled' ? wilson(successes, fixtures * 5) : clusteredInterval(clusters)?.ci95
    const [lower = NaN, upper = NaN] = ci95 ?? []
    if (lower <= truth && truth <= upper) covered += 1
  }
  return covered / runs
}

// U^(1/a) and its like: beta-distributed rates without a library.
test.each<[string, (random: () => number) => number]>([
  ['spread evenly', (random) => random()],
  ['mostly high', (random) => random() ** 0.25],
])('clustered: covers 0.93 to 0.97 of the time over 20 and 50 fixtures of 5, rates %s', (_name, rateOf) => {
  for (const fixtures of [20, 50]) {
    expect(share(fixtures, 'clustered', rateOf), `${fixtures}`).toBeGreaterThan(0.93)
    expect(share(fixtures, 'clustered', rateOf), `${fixtures}`).toBeLessThan(0.97)
  }
})

test('clustered: and where fixtures are right always or never, averaged over how many are', () => {
  const often = [0.5, 0.6, 0.7, 0.8, 0.9]
  for (const fixtures of [20, 50]) {
    const shares = often.map((right) => share(fixtures, 'clustered', (random) => (random() < right ? 1 : 0)))
    const mean = shares.reduce((sum, one) => sum + one, 0) / shares.length
    expect(mean, `${fixtures}`).toBeGreaterThan(0.93)
    expect(mean, `${fixtures}`).toBeLessThan(0.97)
  }
})

test('pooled as if independent, the same samples cover far too seldom: that is why there is another', () => {
  expect(share(20, 'pooled', (random) => (random() < 0.7 ? 1 : 0))).toBeLessThan(0.7)
})
