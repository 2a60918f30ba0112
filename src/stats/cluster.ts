import type { Static } from 'typebox'
import type { ClusteredIntervalSchema } from './cluster-shape.ts'
import { checkCounts, type Counts } from './counts.ts'
import { wilsonFromRate } from './wilson.ts'

/** Interval of a pooled rate that knows that samples of one fixture resemble each other. */
export type ClusteredInterval = Static<typeof ClusteredIntervalSchema>

/** Successes among the samples of one fixture. */
export type Cluster = Counts

/**
 * 95 % interval of the pooled rate p = Σs / Σn over k clusters with s successes among n samples each.
 *
 * The variance of p is that of a ratio estimator, linearised, with the clusters as the units drawn (Kish 1965, Survey
 * Sampling; Cochran 1977, Sampling Techniques):
 *
 *     v = k / (k - 1) × Σ (s - p n)² / (Σn)²
 *
 * The design effect (Kish) is v over the variance p (1 - p) / Σn of independent samples, taken as at least 1: with few
 * clusters a smaller value is luck. The effective n is Σn over the design effect (Korn & Graubard 1998, Survey
 * Methodology 24), and the interval is Wilson's at p and the effective n (Dean & Pagano 2015, Journal of Survey
 * Statistics and Methodology 3, who compare such intervals).
 *
 * Korn and Graubard also shrink the effective n by Student's t at k - 1 degrees of freedom. That is left out: in
 * simulations of 3 to 50 clusters of 5 with beta-distributed rates it covered nearly 100 % below six clusters, at up
 * to 1.7 times the width, where the plain form mostly covered 90 to 97 %.
 *
 * Where clusters cannot show how they differ (there is one, or all samples agree), the samples of a cluster are taken
 * to be one fact: the effective n is the number of clusters. So the width is never zero. Null without samples.
 * @throws RangeError unless every cluster holds whole numbers with 0 <= successes <= n.
 */
export function clusteredInterval(clusters: readonly Cluster[]): ClusteredInterval | null {
  for (const cluster of clusters) checkCounts(cluster)
  const filled = clusters.filter(({ n }) => n > 0)
  const k = filled.length
  const total = sum(filled.map(({ n }) => n))
  const rate = sum(filled.map(({ successes }) => successes)) / total
  if (k === 0) return null

  const designEffect = k === 1 || rate === 0 || rate === 1 ? total / k : estimateDesignEffect(filled, total, rate)
  const effectiveN = total / designEffect
  const ci95 = wilsonFromRate(rate, effectiveN)
  return ci95 && { clusters: k, designEffect, effectiveN, ci95 }
}

function estimateDesignEffect(clusters: readonly Cluster[], total: number, rate: number): number {
  const k = clusters.length
  const squares = sum(clusters.map(({ successes, n }) => (successes - rate * n) ** 2))
  const variance = ((k / (k - 1)) * squares) / total ** 2
  const independent = (rate * (1 - rate)) / total
  return Math.max(1, variance / independent)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
