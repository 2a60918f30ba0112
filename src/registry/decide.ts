import type { PooledRate } from '../stats/block-types.ts'
import { rateText } from '../stats/rate-text.ts'
import { samplesToDecide, verdictOf, type Verdict } from '../stats/threshold.ts'
import type { Interval } from '../stats/wilson.ts'

/** What a rate over fixtures says of a threshold. */
export interface Decision {
  readonly verdict: Verdict
  /** The interval that decides; null without samples. */
  readonly interval: { readonly ci95: Interval; readonly basis: 'samples' | 'fixtures' } | null
  /** Samples that would decide at this rate; null: decided, or no number would. */
  readonly wouldDecide: number | null
  /**
   * Fixtures that these have to be of, where fixtures differ: more samples of the same ones would say no more of their kind.
   * Null: those that were measured will do.
   */
  readonly ofFixtures: number | null
  /** Decided for these fixtures, which are too few or too different to say it of others of their kind. */
  readonly mayNotCarryOver: boolean
}

/**
 * Holds a rate over fixtures against a threshold. Samples of one fixture resemble each other: where fixtures show how
 * much they differ, the interval that takes them as clusters has to lie on one side as well. Where they do not (there is
 * one, or all samples agree) the samples decide, and it is said that other fixtures may differ.
 */
export function decide(rate: PooledRate, threshold: number): Decision {
  const { ci95, cluster } = rate
  if (rate.rate === null || ci95 === null || cluster === null)
    return { verdict: 'inconclusive', interval: null, wouldDecide: null, ofFixtures: null, mayNotCarryOver: false }
  const differ = cluster.clusters > 1 && rate.rate > 0 && rate.rate < 1
  const ofSamples = verdictOf(rate, threshold)
  const agreed = !differ || ofSamples === sideOf(cluster.ci95, threshold)
  const verdict = agreed ? ofSamples : 'inconclusive'
  const open = verdict === 'inconclusive'
  const needed = open ? samplesToDecide(rate.rate, threshold) : null
  const effect = differ ? cluster.designEffect : 1
  const wouldDecide = needed === null ? null : Math.max(rate.n + 1, Math.ceil(needed * effect))
  const ofEach = rate.n / cluster.clusters
  return {
    verdict,
    interval: differ ? { ci95: cluster.ci95, basis: 'fixtures' } : { ci95, basis: 'samples' },
    wouldDecide,
    ofFixtures: wouldDecide === null || effect === 1 ? null : Math.ceil(wouldDecide / ofEach),
    mayNotCarryOver: !open && sideOf(cluster.ci95, threshold) !== verdict,
  }
}

/** A rate with the interval that decides: `15/20 75.0% [25.6%, 96.3%] over 4 fixtures`. */
export function decidingText(rate: PooledRate, { interval }: Pick<Decision, 'interval'>): string {
  if (rate.rate === null || interval === null) return rateText(rate)
  const over = interval.basis === 'fixtures' ? ` over ${rate.cluster!.clusters} fixtures` : ''
  return `${rateText({ ...rate, ci95: interval.ci95 })}${over}`
}

/** How many samples, and of what: `about 154 samples at this rate, of 31 fixtures,`. */
export function neededText(samples: number, ofFixtures: number | null): string {
  const of = ofFixtures === null ? '' : `, of ${ofFixtures} fixtures,`
  return `about ${samples} samples at this rate${of}`
}

/** The side of a threshold on which an interval lies; inconclusive: it holds the threshold. */
export function sideOf([low, high]: Interval, threshold: number): Verdict {
  if (low >= threshold) return 'met'
  return high < threshold ? 'missed' : 'inconclusive'
}
