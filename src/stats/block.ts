import { sum } from 'simple-statistics'
import type { ProbeClass } from '../model/fixture.ts'
import type { PooledBlock, PooledRate, StatsBlock } from './block-types.ts'
import { pooledRate, type SpoiledCounts } from './pooled-rate.ts'
import { rateOf, type Rate } from './rate.ts'
import { ratesOf, type RateName } from './rate-table.ts'
import { latencyOf, meanOf, type Tally } from './tally.ts'

export type { PooledBlock, StatsBlock } from './block-types.ts'

/** What decides which rates apply. */
export interface BlockOptions {
  readonly probeClass: ProbeClass
  /** True when the fixtures have an answer schema. */
  readonly hasSchema: boolean
}

/** Statistics of one fixture, by the tally of its samples. Every number is finite; null where there is nothing to tell. */
export function blockOf(tally: Tally, options: BlockOptions): StatsBlock {
  const told = (name: string): Rate => {
    const { successes, n, unscored } = tally.named.get(name) ?? NOTHING
    return rateOf(successes, n, unscored)
  }
  return { ...flatAndRates([tally], options, told), ...checkRates([tally], told) }
}

/**
 * Statistics of several fixtures together, by their tallies, one for each. Each rate also has the interval that takes
 * fixtures as clusters.
 */
export function pooledBlockOf(tallies: readonly Tally[], options: BlockOptions): PooledBlock {
  const told = (name: string): PooledRate => pooledRate(tallies.map(({ named }) => named.get(name) ?? NOTHING))
  return { fixtures: tallies.length, ...flatAndRates(tallies, options, told), ...checkRates(tallies, told) }
}

/** Of a check that none of the samples has. */
const NOTHING: SpoiledCounts = { successes: 0, n: 0, unscored: 0 }

function flatAndRates<T extends Rate>(tallies: readonly Tally[], options: BlockOptions, told: (name: string) => T) {
  const rates: Partial<Record<RateName, T>> = {}
  for (const name of ratesOf(options)) rates[name] = told(name)
  return { ...flatFields(tallies, rates, options), ...rates }
}

/** The rate of each custom check; nothing where none was made. */
function checkRates<T>(tallies: readonly Tally[], told: (name: string) => T): { checks?: Record<string, T> } {
  const names = [...new Set(tallies.flatMap(({ checks }) => checks))].toSorted()
  return names.length === 0 ? {} : { checks: Object.fromEntries(names.map((name) => [name, told(name)])) }
}

function flatFields(tallies: readonly Tally[], rates: Partial<Record<RateName, Rate>>, { probeClass }: BlockOptions) {
  const samples = sum(tallies.map((tally) => tally.samples))
  const scored = sum(tallies.map((tally) => tally.scored))
  return {
    samples,
    scored,
    unscored: samples - scored,
    parseRate: rates.parse?.rate ?? null,
    conformRate: rates.conform?.rate ?? null,
    conformCi95: rates.conform?.ci95 ?? null,
    valueAccuracyMean: meanOf(tallies.map(({ accuracy }) => accuracy)),
    ...(probeClass === 'caching' && { cachedShareMean: meanOf(tallies.map(({ cachedShare }) => cachedShare)) }),
    meanCostUsd: meanOf(tallies.map(({ costUsd }) => costUsd)),
    meanLatencyMs: meanOf(tallies.map(({ latency }) => latency)),
    latencyMs: latencyOf(tallies),
  }
}
