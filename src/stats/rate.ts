import type { Static } from 'typebox'
import { unscoredBounds } from './bounds.ts'
import type { RateSchema } from './rate-shape.ts'
import { wilson } from './wilson.ts'

/** A rate with what it is over and how far it can be trusted. */
export type Rate = Static<typeof RateSchema>

/**
 * The rate of successes with its 95 % Wilson interval; rate and interval are null when n is 0.
 * @param unscored samples that faults spoiled: with any, the rate has {@link unscoredBounds}.
 * @throws RangeError unless all are whole numbers with 0 <= successes <= n and 0 <= unscored.
 */
export function rateOf(successes: number, n: number, unscored: number = 0): Rate {
  const ci95 = wilson(successes, n)
  const rate = { successes, n, rate: n === 0 ? null : successes / n, ci95 }
  const bounds = unscored === 0 ? null : unscoredBounds({ successes, n }, unscored)
  return bounds === null ? rate : { ...rate, bounds }
}
