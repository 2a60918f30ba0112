import { checkCounts } from './counts.ts'

/** Two-sided 95 % quantile of the normal distribution. */
export const Z95 = 1.959963984540054

/** Lower and upper bound of a rate, both 0 to 1. */
export type Interval = [lower: number, upper: number]

/**
 * 95 % Wilson score interval of a binomial rate (Wilson 1927; method 3 of Newcombe 1998, without continuity
 * correction). The lower bound is exactly 0 when nothing succeeded and the upper exactly 1 when everything did, where
 * the formula is off by a rounding error. Null when there are no trials.
 * @throws RangeError unless both are whole numbers with 0 <= successes <= n.
 */
export function wilson(successes: number, n: number): Interval | null {
  checkCounts({ successes, n })
  return n === 0 ? null : wilsonFromRate(successes / n, n)
}

/**
 * The same interval around a rate for an effective number of trials, which need not be whole. Null for no trials.
 * @throws RangeError unless 0 <= rate <= 1 and the effective number is finite and not negative.
 */
export function wilsonFromRate(rate: number, effectiveN: number): Interval | null {
  if (!(rate >= 0 && rate <= 1)) throw new RangeError(`${rate} is not a rate`)
  if (!(effectiveN >= 0 && effectiveN < Infinity)) throw new RangeError(`${effectiveN} is not a number of trials`)
  if (effectiveN === 0) return null
  const zz = Z95 * Z95
  const centre = (rate * effectiveN + zz / 2) / (effectiveN + zz)
  const half = (Z95 * Math.sqrt(rate * (1 - rate) * effectiveN + zz / 4)) / (effectiveN + zz)
  // Rounding can put a bound a hair beyond the rate or the scale; clipping also makes the ends exact.
  return [Math.max(0, Math.min(centre - half, rate)), Math.min(1, Math.max(centre + half, rate))]
}

/** Half the width of that interval; one half, the most there is, for no trials. */
export function halfWidth(rate: number, effectiveN: number): number {
  const [low, high] = wilsonFromRate(rate, effectiveN) ?? [0, 1]
  return (high - low) / 2
}
