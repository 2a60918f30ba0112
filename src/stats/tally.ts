import { quantileSorted, sum } from 'simple-statistics'
import type { Sample } from '../model/sample.ts'
import { spentUsdOf, sumOfUsd } from '../model/spend.ts'
import type { SpoiledCounts } from './pooled-rate.ts'
import { checksOf, countNamed, countSpoiled, isConformant, RATES } from './rate-table.ts'

/** What is needed of some numbers to know the mean of more of them. */
interface Numbers {
  readonly count: number
  readonly sum: number
}

/**
 * What the samples of one fixture come to: the statistics of any pool follow from the tallies of its fixtures, so that the
 * samples are gone through once, whatever the number of pools.
 */
export interface Tally {
  readonly samples: number
  readonly scored: number
  /** Every rate and custom check, by name, whether it applies or not. */
  readonly named: ReadonlyMap<string, SpoiledCounts>
  /** Names of custom checks, sorted. */
  readonly checks: readonly string[]
  readonly accuracy: Numbers
  readonly cachedShare: Numbers
  readonly costUsd: Numbers
  /** All of it together, to the nano-dollar. */
  readonly spentUsd: number
  readonly latency: Numbers
  /** In milliseconds, ascending. */
  readonly latencies: Float64Array
}

/** The tally of the samples of one fixture. */
export function tallyOf(samples: readonly Sample[]): Tally {
  const scored = samples.filter((sample) => sample.scored)
  const checks = checksOf(samples)
  const latencies = scored.flatMap(({ latencyMs }) => latencyMs ?? [])
  const spent = samples.map(spentUsdOf)
  const tallied = (name: string): [string, SpoiledCounts] => [
    name,
    { ...countNamed(name, samples), unscored: countSpoiled(name, samples) },
  ]
  return {
    samples: samples.length,
    scored: scored.length,
    named: new Map([...Object.keys(RATES), ...checks].map(tallied)),
    checks,
    accuracy: numbers(scored.filter(isConformant).flatMap(({ valueAccuracy }) => valueAccuracy ?? [])),
    cachedShare: numbers(scored.flatMap(({ cachedShare }) => cachedShare ?? [])),
    costUsd: numbers(spent),
    spentUsd: sumOfUsd(spent),
    latency: numbers(latencies),
    latencies: Float64Array.from(latencies).sort(),
  }
}

function numbers(values: readonly number[]): Numbers {
  return { count: values.length, sum: sum([...values]) }
}

/** The mean over all of them; null where there is none. */
export function meanOf(parts: readonly Numbers[]): number | null {
  const count = sum(parts.map((part) => part.count))
  return count === 0 ? null : sum(parts.map((part) => part.sum)) / count
}

/** Latencies of some tallies together, in milliseconds; null without any. */
export function latencyOf(tallies: readonly Tally[]): { p50: number; p90: number; max: number } | null {
  const [only] = tallies
  const sorted =
    tallies.length === 1 && only !== undefined
      ? only.latencies
      : Float64Array.from(tallies.flatMap(({ latencies }) => [...latencies])).sort()
  const most = sorted.at(-1)
  if (most === undefined) return null
  const list = sorted as unknown as number[]
  return { p50: quantileSorted(list, 0.5), p90: quantileSorted(list, 0.9), max: most }
}
