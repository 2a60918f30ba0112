import { max, mean, quantile } from 'simple-statistics'
import type { ProbeClass } from '../model/fixture.ts'
import type { Sample } from '../model/sample.ts'
import { spentUsdOf } from '../model/spend.ts'
import type { PooledBlock, PooledRate, StatsBlock } from './block-schema.ts'
import { clusteredInterval } from './cluster.ts'
import type { Counts } from './counts.ts'
import { rateOf, type Rate } from './rate.ts'
import { checksOf, countCheck, countRate, countSpoiled, isConformant, ratesOf, type RateName } from './rate-table.ts'

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
  const unscored = countSpoiled(samples)
  const told = ({ successes, n }: Counts): Rate => rateOf(successes, n, unscored)
  const rates: Partial<Record<RateName, Rate>> = {}
  for (const name of ratesOf(options)) rates[name] = told(countRate(name, samples))
  return {
    ...flatFields(samples, rates, options),
    ...rates,
    ...checkRates(samples, (name) => told(countCheck(name, samples))),
  }
}

/**
 * Statistics of several fixtures together. Each rate also has the interval that takes fixtures as clusters; groups of
 * the same fixture are one cluster.
 */
export function pooledBlock(groups: readonly SampleGroup[], options: BlockOptions): PooledBlock {
  const byFixture = Map.groupBy(groups, ({ fixtureId }) => fixtureId)
  const clusters = [...byFixture.values()].map((same) => same.flatMap(({ samples }) => samples))
  const samples = clusters.flat()
  const unscored = countSpoiled(samples)
  const told = (count: (own: readonly Sample[]) => Counts, spoiled: number): PooledRate => {
    const { successes, n } = count(samples)
    return { ...rateOf(successes, n, spoiled), cluster: clusteredInterval(clusters.map(count)) }
  }
  const rates: Partial<Record<RateName, PooledRate>> = {}
  for (const name of ratesOf(options)) rates[name] = told((own) => countRate(name, own), unscored)
  const ofCheck = (name: string): PooledRate => {
    // Of fixtures without the check no sample could have shown anything of it.
    const checked = clusters.filter((own) => checksOf(own).includes(name)).flat()
    return told((own) => countCheck(name, own), countSpoiled(checked))
  }
  return {
    fixtures: byFixture.size,
    ...flatFields(samples, rates, options),
    ...rates,
    ...checkRates(samples, ofCheck),
  }
}

/** The rate of each custom check; nothing where none was made. */
function checkRates<T>(samples: readonly Sample[], rate: (name: string) => T): { checks?: Record<string, T> } {
  const names = checksOf(samples)
  return names.length === 0 ? {} : { checks: Object.fromEntries(names.map((name) => [name, rate(name)])) }
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
