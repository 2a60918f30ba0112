import { max, mean, quantile } from 'simple-statistics'
import type { ProbeClass } from '../model/fixture.ts'
import type { Sample } from '../model/sample.ts'
import { spentUsdOf, sumOfUsd } from '../model/spend.ts'
import { pooledRate, type SpoiledCounts } from '../stats/pooled-rate.ts'
import type { PooledRate } from '../stats/block-types.ts'
import { DECIDING_RATES, isConformant } from '../stats/rate-table.ts'
import { rateOf } from '../stats/rate.ts'
import type { Composed, ComposedFixture } from './compose.ts'
import type { FixtureRow, Probed, UsedFile } from './format.ts'
import {
  askedNatively,
  countMeasure,
  countWhere,
  groupMeasures,
  HARD_MEASURE,
  MEASURES,
  MECHANISMS,
  poolCounts,
  type MeasureName,
} from './measures.ts'
import type { Source } from './sources.ts'

const DAY_MS = 86_400_000

/** When a registry is built, and how old results may be. */
export interface Freshness {
  readonly now: Date
  readonly staleAfterDays: number
}

interface Counted {
  readonly fixture: ComposedFixture
  readonly counts: Readonly<Partial<Record<MeasureName, SpoiledCounts>>>
}

/** What was measured of a model in a class, counted from its samples. */
export function probedOf(probeClass: ProbeClass, composed: Composed, { now, staleAfterDays }: Freshness): Probed {
  const { fixtures, used } = composed
  const counted = fixtures.map((fixture) => ({ fixture, counts: countsOf(probeClass, fixture.samples) }))
  const samples = fixtures.flatMap((fixture) => fixture.samples)
  const scored = samples.filter((sample) => sample.scored)
  const pool = (group: readonly Counted[]) => ratesOf(groupMeasures(probeClass), group)
  const hard = counted.filter(({ fixture }) => fixture.difficulty === 'hard')
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
    fixtures: Object.fromEntries(counted.map((one) => [one.fixture.id, rowOf(one, composed)])),
    samples: samples.length,
    scored: scored.length,
    unscored: samples.length - scored.length,
    rates: ratesOf(MEASURES[probeClass], counted),
    hard: hard.length === 0 ? null : pooled(hard, HARD_MEASURE[probeClass]),
    by_difficulty: grouped(counted, ({ fixture }) => fixture.difficulty, pool),
    by_domain: grouped(counted, ({ fixture }) => fixture.domain, pool),
    by_family: grouped(counted, ({ fixture }) => fixture.family, pool),
    by_rung: byRung(probeClass, fixtures),
    valueAccuracyMean: meanOf(scored.filter(isConformant).flatMap(({ valueAccuracy }) => valueAccuracy ?? [])),
    cachedShareMean: meanOf(scored.flatMap(({ cachedShare }) => cachedShare ?? [])),
    rungs: rungsOf(scored),
    rungFallbacks: tally(scored.flatMap(({ rungFallback }) => rungFallback ?? [])),
    mechanism: mechanismOf(probeClass, fixtures, scored),
    ...(probeClass === 'schema' && { askedNatively: askedNatively(fixtures) }),
    cost: costOf(samples, pooled(counted, DECIDING_RATES[probeClass][0]).successes),
    latencyMs: latencyOf(scored),
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

function countsOf(probeClass: ProbeClass, samples: readonly Sample[]): Counted['counts'] {
  return Object.fromEntries(MEASURES[probeClass].map((name) => [name, countMeasure(name, samples)]))
}

function ratesOf(names: readonly MeasureName[], group: readonly Counted[]): Record<string, PooledRate> {
  return Object.fromEntries(names.map((name) => [name, pooled(group, name)]))
}

function pooled(group: readonly Counted[], name: MeasureName): PooledRate {
  return pooledRate(group.map(({ counts }) => counts[name]!))
}

function grouped<T>(
  counted: readonly Counted[],
  key: (one: Counted) => string,
  pool: (group: readonly Counted[]) => T,
): Record<string, T> {
  const groups = [...Map.groupBy(counted, key)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(groups.map(([name, group]) => [name, pool(group)]))
}

function byRung(probeClass: ProbeClass, fixtures: readonly ComposedFixture[]): Probed['by_rung'] {
  const rungs = (['native', 'json_mode'] as const).map((rung) => {
    const served = fixtures.flatMap((fixture): Counted[] => {
      const samples = fixture.samples.filter((sample) => sample.scored && sample.rung === rung)
      return samples.length === 0 ? [] : [{ fixture, counts: countsOf(probeClass, samples) }]
    })
    return [rung, served] as const
  })
  const filled = rungs.filter(([, group]) => group.length > 0)
  return Object.fromEntries(filled.map(([rung, group]) => [rung, ratesOf(groupMeasures(probeClass), group)]))
}

function mechanismOf(
  probeClass: ProbeClass,
  fixtures: readonly ComposedFixture[],
  scored: readonly Sample[],
): Probed['mechanism'] {
  const { what, measure, counts, exercised, succeeds } = MECHANISMS[probeClass]
  const clusters = fixtures.map(({ samples }) =>
    countWhere(samples, (sample) => counts(sample) && exercised(sample), succeeds),
  )
  const rate = poolCounts(clusters)
  return {
    what,
    exercised: scored.filter(exercised).length,
    of: scored.length,
    measure,
    rate: rate.n === 0 ? null : rate,
  }
}

function rowOf({ fixture, counts }: Counted, { used }: Composed): FixtureRow {
  const { hash, family, difficulty, domain, source, samples } = fixture
  const scored = samples.filter((sample) => sample.scored)
  return {
    hash,
    family,
    difficulty,
    domain,
    file: used.indexOf(source),
    samples: samples.length,
    scored: scored.length,
    unscored: samples.length - scored.length,
    costUsd: sumOfUsd(samples.map(spentUsdOf)),
    latencyMs: latencyOf(scored)?.p50 ?? null,
    rates: Object.fromEntries(
      Object.entries(counts).map(([name, { successes, n, unscored }]) => [name, rateOf(successes, n, unscored)]),
    ),
  }
}

function rungsOf(scored: readonly Sample[]): Probed['rungs'] {
  const count = (rung: string): number => scored.filter((sample) => sample.rung === rung).length
  const [native, coached] = [count('native'), count('json_mode')]
  return { native, json_mode: coached, none: scored.length - native - coached }
}

function costOf(samples: readonly Sample[], successes: number): Probed['cost'] {
  const totalUsd = sumOfUsd(samples.map(spentUsdOf))
  return {
    samples: samples.length,
    totalUsd,
    successes,
    per1000Usd: successes === 0 ? null : (totalUsd / successes) * 1000,
    upperBound: samples.some((sample) => sample.costUsd === null),
  }
}

function latencyOf(scored: readonly Sample[]): Probed['latencyMs'] {
  const all = scored.flatMap(({ latencyMs }) => latencyMs ?? [])
  return all.length === 0 ? null : { n: all.length, p50: quantile(all, 0.5), p90: quantile(all, 0.9), max: max(all) }
}

function tally(names: readonly string[]): Record<string, number> {
  const groups = [...Map.groupBy(names, (name) => name)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(groups.map(([name, own]) => [name, own.length]))
}

function meanOf(numbers: number[]): number | null {
  return numbers.length === 0 ? null : mean(numbers)
}
