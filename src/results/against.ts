import { ProbeError } from '../model/errors.ts'
import type { ProbeClass } from '../model/fixture.ts'
import { INFRASTRUCTURE_FAILURES, SETUP_FAILURES, type Sample } from '../model/sample.ts'
import { cochranMantelHaenszel, type Stratum } from '../stats/cochran-mantel-haenszel.ts'
import { minimumDetectable } from '../stats/detectable.ts'
import { fisherExact } from '../stats/fisher.ts'
import { holm } from '../stats/holm.ts'
import { rateOf, type Rate } from '../stats/rate.ts'
import { DECIDING_RATES, ratesOf } from '../stats/rate-table.ts'
import { tallyOf, type Tally } from '../stats/tally.ts'
import type { OldResult } from './modelrig.ts'
import type { LookedThrough } from './verify-value.ts'

/** A result file, by its name, with samples that can be counted by one rule. */
export interface Comparable {
  readonly file: string
  readonly modelKey: string
  readonly probeClass: ProbeClass
  readonly fixtureHashes: Readonly<Record<string, string>>
  /** By fixture. */
  readonly tallies: ReadonlyMap<string, Tally>
}

/** A rate of one fixture in both files. */
export interface AgainstRow {
  readonly fixtureId: string
  /** Or custom check. */
  readonly rate: string
  readonly fresh: Rate
  readonly published: Rate
  /** Whether the fresh rate lies in the published interval; null where one of them is not there. It decides nothing. */
  readonly inside: boolean | null
}

/** A test over all fixtures, or of one. */
export interface AgainstTest {
  readonly rate: string
  /** Null: all fixtures together. */
  readonly fixtureId: string | null
  readonly fresh: Rate
  readonly published: Rate
  /** Two-sided; of single fixtures adjusted for there being several. */
  readonly p: number
  /** The files differ when p is at most this. */
  readonly level: number
}

export interface Against {
  readonly shared: readonly string[]
  readonly onlyFresh: readonly string[]
  readonly onlyPublished: readonly string[]
  readonly rows: readonly AgainstRow[]
  /** Of each rate that decides, over all fixtures. */
  readonly pooled: readonly (AgainstTest & {
    /** The smallest change of the published rate that these samples show 4 times in 5; null: not even the largest. */
    readonly detectable: number | null
  })[]
  /** What the verdict rests on; empty: the fresh file does not contradict the published one. */
  readonly evidence: readonly AgainstTest[]
}

/**
 * Files that agree are called different in at most 5 % of cases. That error is shared out among the tests before any is
 * made: most of it goes to the class's own rate over all fixtures, where a model that changed mostly shows it.
 */
const MAIN_LEVEL = 0.04
/** For what comes second, together. */
const OTHER_LEVEL = 0.01

/** From this variance on the sum over fixtures is near enough to normal to do without the continuity correction. */
const ENOUGH_VARIANCE = 5

/**
 * Whether a fresh run contradicts a published one on the fixtures they share. That a rate lies outside a published
 * interval is no evidence: of honest reruns every fifth does. The files differ when the test of Cochran, Mantel and
 * Haenszel over all fixtures says so of a rate, or Fisher's exact test of a single fixture, adjusted by Holm's method.
 * @throws ProbeError `AGAINST_REFUSED` when no fixture is shared, when one has another hash, or when on none of them
 * both have a scored sample.
 */
export function against(fresh: Comparable, published: Comparable): Against {
  const shared = sharedFixtures(fresh, published)
  const { probeClass } = fresh
  const tallies = [fresh, published].flatMap((one) => shared.flatMap((id) => one.tallies.get(id) ?? []))
  const checks = new Set(tallies.flatMap((tally) => tally.checks))
  const rows = [...ratesOf({ probeClass, hasSchema: true }), ...[...checks].toSorted()].flatMap((rate) =>
    shared.map((fixtureId) => rowOf(rate, fixtureId, fresh, published)),
  )
  if (rows.every((row) => row.inside === null))
    throw refused(fresh, 'raw', `has no scored sample to hold against one of ${published.file}`)
  const pooled = pooledTests(probeClass, rows)
  const evidence = [...pooled, ...singleTests(probeClass, rows)].filter(({ p, level }) => p <= level)
  const only = (one: Comparable, other: Comparable): string[] =>
    Object.keys(one.fixtureHashes).filter((id) => !Object.hasOwn(other.fixtureHashes, id))
  return { shared, onlyFresh: only(fresh, published), onlyPublished: only(published, fresh), rows, pooled, evidence }
}

/** A result file as it is compared. */
export function comparable(file: string, { head, looked }: NonNullable<LookedThrough['sound']>): Comparable {
  const { modelKey, class: probeClass, fixtureHashes } = head
  return {
    file,
    modelKey,
    probeClass,
    fixtureHashes,
    tallies: new Map(Array.from(looked, ([id, { tally }]) => [id, tally])),
  }
}

/** A file of ModelRig's as it is compared. */
export function oldComparable(file: string, result: OldResult): Comparable {
  const { modelKey, class: probeClass, fixtureHashes } = result
  const tallies = new Map(Object.entries(measuredOf(result)).map(([id, samples]) => [id, tallyOf(samples)]))
  return { file, modelKey, probeClass, fixtureHashes, tallies }
}

/** Its samples by our rule: a fault of the infrastructure measured no model, there as here. */
export function measuredOf({ raw }: OldResult): Readonly<Record<string, readonly Sample[]>> {
  const faults: readonly string[] = [...INFRASTRUCTURE_FAILURES, ...SETUP_FAILURES]
  const samples = Object.entries(raw).map(([id, own]) => [
    id,
    own.map((sample) => ({ ...sample, scored: sample.failureClass === null || !faults.includes(sample.failureClass) })),
  ])
  return Object.fromEntries(samples) as Record<string, Sample[]>
}

function sharedFixtures(fresh: Comparable, published: Comparable): string[] {
  if (fresh.probeClass !== published.probeClass)
    throw refused(fresh, 'class', `is ${fresh.probeClass}, and that of ${published.file} ${published.probeClass}`)
  const shared = Object.keys(fresh.fixtureHashes)
    .filter((id) => Object.hasOwn(published.fixtureHashes, id))
    .toSorted()
  if (shared.length === 0) throw refused(fresh, 'fixtureHashes', `shares no fixture with ${published.file}`)
  const others = shared.filter((id) => fresh.fixtureHashes[id] !== published.fixtureHashes[id])
  if (others.length > 0) {
    const told = others.map((id) => `${id} (${fresh.fixtureHashes[id]}, published ${published.fixtureHashes[id]})`)
    throw refused(fresh, 'fixtureHashes', `these are not the fixtures of ${published.file}: ${told.join(', ')}`)
  }
  return shared
}

function refused({ file }: Comparable, field: string, message: string): ProbeError {
  return new ProbeError('AGAINST_REFUSED', message, { file, field })
}

const NOTHING = { successes: 0, n: 0 }

function rowOf(rate: string, fixtureId: string, fresh: Comparable, published: Comparable): AgainstRow {
  const [a, b] = [fresh, published].map(({ tallies }) => tallies.get(fixtureId)?.named.get(rate) ?? NOTHING)
  const [own, theirs] = [rateOf(a!.successes, a!.n), rateOf(b!.successes, b!.n)]
  const inside =
    own.rate === null || theirs.ci95 === null ? null : own.rate >= theirs.ci95[0] && own.rate <= theirs.ci95[1]
  return { fixtureId, rate, fresh: own, published: theirs, inside }
}

/** Each rate over all fixtures; the smaller share is for the rates that come second, and for single fixtures. */
function pooledTests(probeClass: ProbeClass, rows: readonly AgainstRow[]): Against['pooled'] {
  return DECIDING_RATES[probeClass].map((rate, position) => {
    const own = rows.filter((row) => row.rate === rate && row.inside !== null)
    const sum = (side: 'fresh' | 'published'): Rate =>
      rateOf(
        own.reduce((total, row) => total + row[side].successes, 0),
        own.reduce((total, row) => total + row[side].n, 0),
      )
    const [fresh, published] = [sum('fresh'), sum('published')]
    const level = position === 0 ? MAIN_LEVEL : restOf(probeClass)
    const detectable =
      published.rate === null ? null : minimumDetectable({ nA: published.n, nB: fresh.n, rate: published.rate }, level)
    const p = stratifiedP(own.map((row) => ({ a: row.fresh, b: row.published })))
    return { rate, fixtureId: null, fresh, published, p, level, detectable }
  })
}

/** What is left of the error, in equal parts for every further rate and for the single fixtures. */
function restOf(probeClass: ProbeClass): number {
  return OTHER_LEVEL / DECIDING_RATES[probeClass].length
}

function stratifiedP(strata: readonly Stratum[]): number {
  const plain = cochranMantelHaenszel(strata, { continuityCorrection: false })
  return plain.variance >= ENOUGH_VARIANCE ? plain.p : cochranMantelHaenszel(strata).p
}

function singleTests(probeClass: ProbeClass, rows: readonly AgainstRow[]): AgainstTest[] {
  const deciding: readonly string[] = DECIDING_RATES[probeClass]
  const tested = rows.filter((row) => deciding.includes(row.rate) && row.inside !== null)
  const adjusted = holm(tested.map((row) => fisherExact(row.fresh, row.published)))
  const level = restOf(probeClass)
  return tested.map(({ rate, fixtureId, fresh, published }, position) => ({
    rate,
    fixtureId,
    fresh,
    published,
    p: adjusted[position]!,
    level,
  }))
}
