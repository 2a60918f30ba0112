import { expect, test } from 'vitest'
import { chanceOf, logNormal } from '../../../src/providers/sim/chance.ts'
import { SIM_PROFILES } from '../../../src/providers/sim/profiles.ts'

const N = 20_000

/** Amounts of N samples, smallest first. */
function draws(median: number, spread: number): number[] {
  const amounts = Array.from({ length: N }, (_, index) => logNormal({ median, spread }, chanceOf('a call', index)))
  return amounts.toSorted((a, b) => a - b)
}

/** Share of amounts below a bound. */
const below = (amounts: readonly number[], bound: number): number =>
  amounts.filter((amount) => amount < bound).length / amounts.length

/** Shares of a normal distribution below so many standard deviations. */
const NORMAL: readonly (readonly [deviations: number, share: number])[] = [
  [-3, 0.00135],
  [-2, 0.0228],
  [-1, 0.1587],
  [-0.6745, 0.25],
  [0, 0.5],
  [0.6745, 0.75],
  [1, 0.8413],
  [2, 0.9772],
  [3, 0.99865],
]

test.for([
  ['a steady model', SIM_PROFILES['steady']!.latencyMs],
  ['a perfect model', SIM_PROFILES['perfect']!.latencyMs],
  ['something slow', { median: 900, spread: 1.5 }],
] as const)(
  'amounts of %s are as widely spread around their median as they are declared to be',
  ([, { median, spread }]) => {
    const amounts = draws(median, spread)
    if (spread === 0) return expect(new Set(amounts)).toEqual(new Set([median]))
    for (const [deviations, share] of NORMAL) {
      // Four standard errors of a share.
      const within = 4 * Math.sqrt((share * (1 - share)) / N)
      expect(Math.abs(below(amounts, median * Math.exp(deviations * spread)) - share)).toBeLessThan(within)
    }
    const logs = amounts.map((amount) => Math.log(amount / median))
    const deviation = Math.sqrt(logs.reduce((sum, log) => sum + log * log, 0) / N)
    // Its standard error is 1/sqrt(2 N) of it.
    expect(Math.abs(deviation / spread - 1)).toBeLessThan(4 / Math.sqrt(2 * N))
  },
)

test('the same call has the same amount, another has another', () => {
  const amountOf = (...identity: (string | number)[]) => logNormal({ median: 20, spread: 0.4 }, chanceOf(...identity))
  expect(amountOf('steady', 1, 7)).toBe(amountOf('steady', 1, 7))
  expect(amountOf('steady', 1, 8)).not.toBe(amountOf('steady', 1, 7))
})

test('chance is uniform, and each question has its own', () => {
  const values = Array.from({ length: N }, (_, index) => chanceOf('a call', index)('cache'))
  for (const bound of [0.01, 0.25, 0.5, 0.75, 0.99]) {
    expect(Math.abs(below(values, bound) - bound)).toBeLessThan(4 * Math.sqrt((bound * (1 - bound)) / N))
  }
  const chance = chanceOf('a call', 1)
  expect([chance('cache'), chance('cache') === chance('values')]).toEqual([chance('cache'), false])
})
