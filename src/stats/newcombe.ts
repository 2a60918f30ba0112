import type { Counts } from './counts.ts'
import { wilson, type Interval } from './wilson.ts'

/** Lower and upper bound of a difference of two rates, both -1 to 1. */
export type DifferenceInterval = Interval

/** A rate and its interval. */
export interface BoundedRate {
  readonly rate: number
  readonly ci95: readonly [lower: number, upper: number]
}

/**
 * 95 % interval of the difference p₁ - p₂ of two independent rates (Newcombe 1998, Statistics in Medicine 17, 873-890,
 * method 10: hybrid score without continuity correction), from the Wilson intervals [l, u] of both:
 *
 *     lower = p₁ - p₂ - √((p₁ - l₁)² + (u₂ - p₂)²)
 *     upper = p₁ - p₂ + √((u₁ - p₁)² + (p₂ - l₂)²)
 *
 * Null when a side has no samples.
 * @throws RangeError unless both sides are counts.
 */
export function newcombe(first: Counts, second: Counts): DifferenceInterval | null {
  const [one, two] = [first, second].map(({ successes, n }) => {
    const ci95 = wilson(successes, n)
    return ci95 && { rate: successes / n, ci95 }
  })
  return one && two ? newcombeFromRates(one, two) : null
}

/** The same interval from two rates with intervals of any kind. */
export function newcombeFromRates(one: BoundedRate, two: BoundedRate): DifferenceInterval {
  const difference = one.rate - two.rate
  const below = Math.hypot(one.rate - one.ci95[0], two.ci95[1] - two.rate)
  const above = Math.hypot(one.ci95[1] - one.rate, two.rate - two.ci95[0])
  return [Math.max(-1, difference - below), Math.min(1, difference + above)]
}
