import type { CaseMeta } from '../model/case-meta.ts'
import { MOST_SAMPLES } from '../model/sample.ts'
import { atLeast, atMost } from './binomial-tail.ts'
import { rateOf, type Rate } from './rate.ts'
import { countNamed } from './rate-table.ts'
import { wilsonFromRate, Z95 } from './wilson.ts'

/** `met`: beyond doubt at or above the threshold; `missed`: beyond doubt below; else `inconclusive`. */
export type Verdict = 'met' | 'missed' | 'inconclusive'

/** Chance to call a rate that is the threshold met, and to call it missed; each. */
const ERROR = 0.025

/**
 * Whether a rate reaches a threshold. It does, or does not, when its whole 95 % Wilson interval lies on one side and the
 * exact one-sided binomial test agrees at 2.5 %: of few samples the interval alone calls a rate that just reaches its
 * threshold missed up to one time in five. One sample decides nothing.
 * @param threshold 0 to 1.
 */
export function verdictOf({ successes, n, ci95 }: Omit<Rate, 'rate' | 'bounds'>, threshold: number): Verdict {
  if (ci95 === null || n === 1) return 'inconclusive'
  if (threshold === 0) return 'met'
  if (ci95[0] >= threshold && atLeast({ successes, n }, threshold) <= ERROR) return 'met'
  return ci95[1] < threshold && atMost({ successes, n }, threshold) <= ERROR ? 'missed' : 'inconclusive'
}

/**
 * A number of samples that decides, if as near to the same share of them succeed as there can: the smallest from that on
 * with which Wilson's interval of exactly this share does; fewer can, when rounding helps. Null where none that a run can
 * take does, as when the rate is the threshold.
 * @throws RangeError unless rate and threshold are 0 to 1.
 */
export function samplesToDecide(rate: number, threshold: number): number | null {
  if (!(threshold >= 0 && threshold <= 1)) throw new RangeError(`${threshold} is not a threshold of a rate`)
  // By Wilson's interval alone it takes z² t (1 - t) / (p - t)², with t the threshold.
  const [low, high] = wilsonFromRate(rate, MOST_SAMPLES)!
  if (low < threshold && threshold <= high) return null
  let n = Math.max(2, Math.ceil((Z95 ** 2 * threshold * (1 - threshold)) / (rate - threshold) ** 2))
  while (n <= MOST_SAMPLES && verdictOf(rateOf(Math.round(rate * n), n), threshold) === 'inconclusive') n += 1
  return n <= MOST_SAMPLES ? n : null
}

/** A rate of some samples, held against what is expected of it. */
export interface Judged {
  /** Of a rate or custom check. */
  readonly name: string
  readonly atLeast: number
  readonly rate: Rate
  readonly verdict: Verdict
  /** Samples with which this rate would be decided; null: already so, or not to be said. */
  readonly wouldDecide: number | null
}

/**
 * Holds the rates of a case's samples against its thresholds, in the order of those; a name without samples has no n. A part
 * of a run, as a shard has it, is held against none: each would be another chance to be wrong.
 */
export function judge({ samples, thresholds, shard }: Pick<CaseMeta, 'samples' | 'thresholds' | 'shard'>): Judged[] {
  if (shard !== null) return []
  return Object.entries(thresholds).map(([name, threshold]) => {
    const { successes, n } = countNamed(name, samples)
    const rate = rateOf(successes, n)
    const verdict = verdictOf(rate, threshold)
    const isOpen = verdict === 'inconclusive' && rate.rate !== null
    const wouldDecide = isOpen ? samplesToDecide(rate.rate!, threshold) : null
    return { name, atLeast: threshold, rate, verdict, wouldDecide }
  })
}
