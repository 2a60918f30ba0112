import { max, mean, quantile } from 'simple-statistics'
import type { ProbeClass } from '../model/fixture.ts'
import type { Sample } from '../model/sample.ts'
import { spentUsdOf } from '../model/spend.ts'
import type { PooledBlock, PooledRate, StatsBlock } from './block-schema.ts'
import { pooledRate } from './pooled-rate.ts'
import { rateOf, type Rate } from './rate.ts'
import { checksOf, countNamed, countSpoiled, isConformant, ratesOf, type RateName } from './rate-table.ts'

export { PooledBlockSchema, StatsBlockSchema, type PooledBlock, type StatsBlock } from './block-schema.ts'

/** What decides which rates apply. */
export interface BlockOptions {
  readonly probeClass: ProbeClass
  /** True when the fixtures have an answer schema. */
  readonly hasSchema: boolean
}

/** The samples of one fixture. */
export interface SampleGroup {
  readonly fixtureId: string
  readonly samples: readonly Sample[]
}

/** Statistics of the samples of one fixture. Every number is finite; null where there is nothing to tell. */
export function statsBlock(samples: readonly Sample[], options: BlockOptions): StatsBlock {
  const told = (name: string): Rate => {
    const { successes, n } = countNamed(name, samples)
    return rateOf(successes, n, countSpoiled(name, samples))
  }
  return { ...flatAndRates(samples, options, told), ...checkRates(samples, told) }
}

/**
 * Statistics of several fixtures together. Each rate also has the interval that takes fixtures as clusters; groups of
 * the same fixture are one cluster.
 */
export function pooledBlock(groups: readonly SampleGroup[], options: BlockOptions): PooledBlock {
  const byFixture = Map.groupBy(groups, ({ fixtureId }) => fixtureId)
  const clusters = [...byFixture.values()].map((same) => same.flatMap(({ samples }) => samples))
  const samples = clusters.flat()
  const told = (name: string): PooledRate =>
    pooledRate(clusters.map((own) => ({ ...countNamed(name, own), unscored: countSpoiled(name, own) })))
  return { fixtures: byFixture.size, ...flatAndRates(samples, options, told), ...checkRates(samples, told) }
}

function flatAndRates<T extends Rate>(samples: readonly Sample[], options: BlockOptions, told: (name: string) => T) {
  const rates: Partial<Record<RateName, T>> = {}
  for (const name of ratesOf(options)) rates[name] = told(name)
  return { ...flatFields(samples, rates, options), ...rates }
}

/** The rate of each custom check; nothing where none was made. */
function checkRates<T>(samples: readonly Sample[], told: (name: string) => T): { checks?: Record<string, T> } {
  const names = checksOf(samples)
  return names.length === 0 ? {} : { checks: Object.fromEntries(names.map((name) => [name, told(name)])) }
}

function flatFields(samples: readonly Sample[], rates: Partial<Record<RateName, Rate>>, { probeClass }: BlockOptions) {
  const scored = samples.filter((sample) => sample.scored)
  const accuracies = scored.filter(isConformant).flatMap(({ valueAccuracy }) => valueAccuracy ?? [])
  const shares = scored.flatMap(({ cachedShare }) => cachedShare ?? [])
  const latencies = scored.flatMap(({ latencyMs }) => latencyMs ?? [])
  return {
    samples: samples.length,
    scored: scored.length,
    unscored: samples.length - scored.length,
    parseRate: rates.parse?.rate ?? null,
    conformRate: rates.conform?.rate ?? null,
    conformCi95: rates.conform?.ci95 ?? null,
    valueAccuracyMean: meanOf(accuracies),
    ...(probeClass === 'caching' && { cachedShareMean: meanOf(shares) }),
    meanCostUsd: meanOf(samples.map(spentUsdOf)),
    meanLatencyMs: meanOf(latencies),
    latencyMs:
      latencies.length === 0
        ? null
        : { p50: quantile(latencies, 0.5), p90: quantile(latencies, 0.9), max: max(latencies) },
  }
}

function meanOf(numbers: number[]): number | null {
  return numbers.length === 0 ? null : mean(numbers)
}
