import type { PooledRate } from '../stats/block-types.ts'
import { samplesToDecide, verdictOf, type Verdict } from '../stats/threshold.ts'
import type { Interval } from '../stats/wilson.ts'

/** What a rate over fixtures says of a threshold. */
export interface Decision {
  readonly verdict: Verdict
  /** The interval that decides; null without samples. */
  readonly interval: { readonly ci95: Interval; readonly basis: 'samples' | 'fixtures' } | null
  /** Samples that would decide at this rate; null: decided, or no number would. */
  readonly wouldDecide: number | null
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
    return { verdict: 'inconclusive', interval: null, wouldDecide: null, mayNotCarryOver: false }
  const differ = cluster.clusters > 1 && rate.rate > 0 && rate.rate < 1
  const ofSamples = verdictOf(rate, threshold)
  const agreed = !differ || ofSamples === sideOf(cluster.ci95, threshold)
  const verdict = agreed ? ofSamples : 'inconclusive'
  const open = verdict === 'inconclusive'
  const needed = open ? samplesToDecide(rate.rate, threshold) : null
  const effect = differ ? cluster.designEffect : 1
  return {
    verdict,
    interval: differ ? { ci95: cluster.ci95, basis: 'fixtures' } : { ci95, basis: 'samples' },
    wouldDecide: needed === null ? null : Math.max(rate.n + 1, Math.ceil(needed * effect)),
    mayNotCarryOver: !open && sideOf(cluster.ci95, threshold) !== verdict,
  }
}

function sideOf([low, high]: Interval, threshold: number): Verdict {
  if (low >= threshold) return 'met'
  return high < threshold ? 'missed' : 'inconclusive'
}
