import { checkCounts, type Counts } from './counts.ts'
import type { Interval } from './wilson.ts'

/**
 * Between what the rate would lie had the samples that faults spoiled been scored: all of them failures, or all of them
 * successes. With s of n scored and u unscored:
 *
 *     [s / (n + u), (s + u) / (n + u)]
 *
 * These are worst-case (no-assumption) bounds for missing outcomes (Manski 1989, Journal of Human Resources 24; Horowitz
 * & Manski 2000, Journal of the American Statistical Association 95), not an interval of confidence: they say what is
 * missing, not what is uncertain. They are also bounds of a rate that unscored samples need not have been counted in.
 * Null without samples.
 * @throws RangeError unless all are whole numbers with 0 <= successes <= n and 0 <= unscored.
 */
export function unscoredBounds(counts: Counts, unscored: number): Interval | null {
  checkCounts(counts)
  if (!Number.isSafeInteger(unscored) || unscored < 0) throw new RangeError(`${unscored} is not a number of samples`)
  const all = counts.n + unscored
  return all === 0 ? null : [counts.successes / all, (counts.successes + unscored) / all]
}
