import type { Sample } from '../model/sample.ts'
import { rateOf, type Rate } from './rate.ts'
import { countNamed } from './rate-table.ts'
import { wilsonFromRate, type Interval } from './wilson.ts'

/** `met`: the whole interval is at or above the threshold; `missed`: all of it is below; else `inconclusive`. */
export type Verdict = 'met' | 'missed' | 'inconclusive'

/**
 * Whether a rate reaches a threshold, as far as its 95 % interval tells. A rate without samples tells nothing. With z
 * two-sided each of both errors has a chance of about 2.5 %.
 * @param atLeast 0 to 1.
 */
export function verdictOf({ ci95 }: Pick<Rate, 'ci95'>, atLeast: number): Verdict {
  if (ci95 === null) return 'inconclusive'
  if (ci95[0] >= atLeast) return 'met'
  return ci95[1] < atLeast ? 'missed' : 'inconclusive'
}

/** More samples than any run takes. */
const TOO_MANY = 10_000

/**
 * The smallest number of samples with which the same rate would have an interval that lies on one side of the threshold;
 * null where none up to 10,000 does, as when the rate is the threshold.
 * @throws RangeError unless rate and threshold are 0 to 1.
 */
export function samplesToDecide(rate: number, atLeast: number): number | null {
  if (!(atLeast >= 0 && atLeast <= 1)) throw new RangeError(`${atLeast} is not a threshold of a rate`)
  const decides = (n: number): boolean => {
    const ci95 = wilsonFromRate(rate, n) as Interval
    return verdictOf({ ci95 }, atLeast) !== 'inconclusive'
  }
  if (!decides(TOO_MANY)) return null
  // Both ends close in on the rate as n grows, so that what decides once goes on deciding.
  let [short, enough] = [0, TOO_MANY]
  while (enough - short > 1) {
    const middle = Math.floor((short + enough) / 2)
    if (decides(middle)) enough = middle
    else short = middle
  }
  return enough
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
 * Holds the rates of one fixture's samples against thresholds, in the order of those.
 * @param thresholds by name of a rate or custom check; a name without samples has no n.
 */
export function judge(samples: readonly Sample[], thresholds: Readonly<Record<string, number>>): Judged[] {
  return Object.entries(thresholds).map(([name, atLeast]) => {
    const { successes, n } = countNamed(name, samples)
    const rate = rateOf(successes, n)
    const verdict = verdictOf(rate, atLeast)
    const isOpen = verdict === 'inconclusive' && rate.rate !== null
    return { name, atLeast, rate, verdict, wouldDecide: isOpen ? samplesToDecide(rate.rate!, atLeast) : null }
  })
}
