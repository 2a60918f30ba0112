import { mean, quantileSorted, sum } from 'simple-statistics'
import type { ProbeClass } from '../model/fixture.ts'
import { sumOfUsd } from '../model/spend.ts'
import type { PooledRate } from '../stats/block-types.ts'
import { pooledRate, type SpoiledCounts } from '../stats/pooled-rate.ts'
import { DECIDING_RATES } from '../stats/rate-table.ts'
import { rateOf } from '../stats/rate.ts'
import type { Composed, ComposedFixture } from './compose.ts'
import type { FixtureCounts, MeasureCounts } from './count-fixture.ts'
import type { FixtureRow, Probed, UsedFile } from './format.ts'
import { groupMeasures, HARD_MEASURE, MEASURES, MECHANISMS, poolCounts, type MeasureName } from './measures.ts'
import type { Source } from './sources.ts'

const DAY_MS = 86_400_000

/** When a registry is built, and how old results may be. */
export interface Freshness {
  readonly now: Date
  readonly staleAfterDays: number
}

/** What was measured of a model in a class, counted from its samples. */
export function probedOf(probeClass: ProbeClass, composed: Composed, { now, staleAfterDays }: Freshness): Probed {
  const { fixtures, used } = composed
  const counts = fixtures.map((fixture) => fixture.counts)
  const samples = sum(counts.map((own) => own.samples))
  const scored = sum(counts.map((own) => own.scored))
  const pool = (group: readonly ComposedFixture[]) => ratesOf(groupMeasures(probeClass), ratesIn(group))
  const hard = fixtures.filter(({ difficulty }) => difficulty === 'hard')
  const oldest = used.at(-1)!
  const ageDays = Math.max(0, (now.getTime() - Date.parse(oldest.date)) / DAY_MS)
  return {
    date: used[0]!.date,
    oldestDate: oldest.date,
    ageDays,
    stale: ageDays > staleAfterDays,
    simulated: used.some(({ simulated }) => simulated),
    complete: composed.complete,
    files: used.map((source) => ({
      ...fileOf(source),
      fixtures: fixtures.filter((fixture) => fixture.source === source).length,
    })),
    fixtures: Object.fromEntries(fixtures.map((fixture) => [fixture.id, rowOf(fixture, composed)])),
    samples,
    scored,
    unscored: samples - scored,
    rates: ratesOf(MEASURES[probeClass], ratesIn(fixtures)),
    hard: hard.length === 0 ? null : pooled(ratesIn(hard), HARD_MEASURE[probeClass]),
    by_difficulty: grouped(fixtures, ({ difficulty }) => difficulty, pool),
    by_domain: grouped(fixtures, ({ domain }) => domain, pool),
    by_family: grouped(fixtures, ({ family }) => family, pool),
    by_rung: byRung(probeClass, counts),
    valueAccuracyMean: meanOf(counts.flatMap(({ valueAccuracy }) => valueAccuracy)),
    cachedShareMean: meanOf(counts.flatMap(({ cachedShare }) => cachedShare)),
    rungs: {
      native: sum(counts.map(({ rungs }) => rungs.native)),
      json_mode: sum(counts.map(({ rungs }) => rungs.json_mode)),
      none: sum(counts.map(({ rungs }) => rungs.none)),
    },
    rungFallbacks: totals(counts.map(({ rungFallbacks }) => rungFallbacks)),
    mechanism: mechanismOf(probeClass, counts, scored),
    ...(probeClass === 'schema' && { askedNatively: filled(poolCounts(counts.map((own) => own.askedNatively))) }),
    cost: costOf(counts, pooled(ratesIn(fixtures), DECIDING_RATES[probeClass][0]).successes),
    latencyMs: latencyOf(counts.flatMap(({ latenciesMs }) => latenciesMs)),
  }
}

function fileOf(source: Source): Omit<UsedFile, 'fixtures'> {
  const {
    modelKey: _key,
    probeClass: _class,
    fixtures: _own,
    unmeasured: _lacks,
    canaryEnforced: _canary,
    ...file
  } = source
  return file
}

function ratesIn(group: readonly ComposedFixture[]): MeasureCounts[] {
  return group.map(({ counts }) => counts.rates)
}

function ratesOf(names: readonly MeasureName[], group: readonly MeasureCounts[]): Record<string, PooledRate> {
  return Object.fromEntries(names.map((name) => [name, pooled(group, name)]))
}

function pooled(group: readonly MeasureCounts[], name: MeasureName): PooledRate {
  return pooledRate(group.map((counts) => counts[name]!))
}

function grouped<T>(
  fixtures: readonly ComposedFixture[],
  key: (one: ComposedFixture) => string,
  pool: (group: readonly ComposedFixture[]) => T,
): Record<string, T> {
  const groups = [...Map.groupBy(fixtures, key)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(groups.map(([name, group]) => [name, pool(group)]))
}

function byRung(probeClass: ProbeClass, counts: readonly FixtureCounts[]): Probed['by_rung'] {
  const rungs = (['native', 'json_mode'] as const).map((rung) => {
    return [rung, counts.flatMap((own) => own.byRung[rung] ?? [])] as const
  })
  const served = rungs.filter(([, group]) => group.length > 0)
  return Object.fromEntries(served.map(([rung, group]) => [rung, ratesOf(groupMeasures(probeClass), group)]))
}

function mechanismOf(probeClass: ProbeClass, counts: readonly FixtureCounts[], of: number): Probed['mechanism'] {
  const { what, measure } = MECHANISMS[probeClass]
  const exercised = sum(counts.map(({ mechanism }) => mechanism.exercised))
  return { what, exercised, of, measure, rate: filled(poolCounts(counts.map(({ mechanism }) => mechanism))) }
}

function filled(rate: PooledRate): PooledRate | null {
  return rate.n === 0 ? null : rate
}

function rowOf({ hash, family, difficulty, domain, source, counts }: ComposedFixture, { used }: Composed): FixtureRow {
  return {
    hash,
    family,
    difficulty,
    domain,
    file: used.indexOf(source),
    samples: counts.samples,
    scored: counts.scored,
    unscored: counts.samples - counts.scored,
    costUsd: counts.spentUsd,
    latencyMs: latencyOf(counts.latenciesMs)?.p50 ?? null,
    rates: Object.fromEntries(
      Object.entries<SpoiledCounts>(counts.rates).map(([name, { successes, n, unscored }]) => [
        name,
        rateOf(successes, n, unscored),
      ]),
    ),
  }
}

function costOf(counts: readonly FixtureCounts[], successes: number): Probed['cost'] {
  const totalUsd = sumOfUsd(counts.map(({ spentUsd }) => spentUsd))
  return {
    samples: sum(counts.map(({ samples }) => samples)),
    totalUsd,
    successes,
    per1000Usd: successes === 0 ? null : (totalUsd / successes) * 1000,
    upperBound: counts.some(({ isCostKnown }) => !isCostKnown),
  }
}

function latencyOf(all: readonly number[]): Probed['latencyMs'] {
  if (all.length === 0) return null
  const sorted = all.toSorted((a, b) => a - b)
  return { n: all.length, p50: quantileSorted(sorted, 0.5), p90: quantileSorted(sorted, 0.9), max: sorted.at(-1)! }
}

function totals(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const groups = Map.groupBy(counts.flatMap(Object.entries<number>), ([name]) => name)
  const named = Array.from(groups, ([name, own]): [string, number] => [name, sum(own.map(([, count]) => count))])
  return Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function meanOf(numbers: number[]): number | null {
  return numbers.length === 0 ? null : mean(numbers)
}
