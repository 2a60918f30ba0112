import type { CaseMeta } from '../model/case-meta.ts'
import type { ProbeClass } from '../model/fixture.ts'
import type { Pacing } from '../model/pacing.ts'
import { isIneligible } from '../model/sample.ts'
import { spentUsdOf, sumOfUsd, type Spend } from '../model/spend.ts'
import { HARNESS_VERSION } from '../model/version.ts'
import { blockOf, pooledBlockOf, type PooledBlock } from '../stats/block.ts'
import { DECIDING_RATES } from '../stats/rate-table.ts'
import { tallyOf, type Tally } from '../stats/tally.ts'
import { mostSamplesUntil } from '../stats/until.ts'
import { FORMAT_VERSION, type ResultFile, type StopReason } from './format.ts'

/** What a result says of its run that no sample does. */
export interface RunFacts {
  readonly modelKey: string
  readonly probeClass: ProbeClass
  /** When the run began. */
  readonly startedAt: Date
  readonly envelopeUsd: number
  /** Somebody stopped the run. */
  readonly interrupted: boolean
  /** Of the whole run, where this is a shard of it. */
  readonly runEnvelopeUsd?: number
  /** Why the run lacks samples, where the cases cannot tell; null: it lacks none. */
  readonly stopReason?: StopReason | null
  /** The pace of the account its calls went to; absent or null: not known. */
  readonly pacing?: Pacing | null
}

/** What a case tells beside its samples. */
export type CaseFacts = Omit<CaseMeta, 'samples'>

/** A case, and what its samples come to. */
export interface TalliedCase {
  readonly meta: CaseFacts
  readonly tally: Tally
}

/** The result file of one model and class, every number of it derived from the cases' samples. */
export function buildResult(run: RunFacts, cases: readonly CaseMeta[]): ResultFile {
  const metas = [...cases].sort(inOrder)
  const stopReason = run.stopReason === undefined ? stopReasonOf(run, metas) : run.stopReason
  const tallied = metas.map(({ samples, ...meta }) => ({ meta, tally: tallyOf(samples) }))
  const raw = metas
    .filter(({ samples }) => samples.length > 0)
    .map(({ fixtureId, samples }) => [fixtureId, [...samples]])
  return { ...summaryOf({ ...run, stopReason }, tallied), raw: Object.fromEntries(raw) as ResultFile['raw'] }
}

/** A result file without the samples themselves: what follows from their tallies. */
export type Summary = Omit<ResultFile, 'raw' | 'checksums'>

/** The same without the samples themselves. */
export function summaryOf(
  run: RunFacts & { readonly stopReason: StopReason | null },
  cases: readonly TalliedCase[],
): Summary {
  const tallied = cases.toSorted((a, b) => inOrder(a.meta, b.meta))
  const metas = tallied.map(({ meta }) => meta)
  const measured = tallied.filter(({ tally }) => tally.samples > 0)
  const options = { probeClass: run.probeClass, hasSchema: metas.some((meta) => meta.hasSchema) }
  const pooled = new Map<string, PooledBlock>()
  const pool = (group: readonly TalliedCase[]): PooledBlock => {
    // The same fixtures are often a family, a domain and a difficulty at once.
    const key = JSON.stringify(group.map(({ meta }) => meta.fixtureId))
    const there =
      pooled.get(key) ??
      pooledBlockOf(
        group.map(({ tally }) => tally),
        options,
      )
    pooled.set(key, there)
    return there
  }
  const byFixture = <T>(value: (meta: CaseFacts) => T) =>
    Object.fromEntries(metas.map((meta) => [meta.fixtureId, value(meta)]))
  const subtypes = metas.flatMap((meta) => (meta.subtype === null ? [] : [[meta.fixtureId, meta.subtype] as const]))
  const facts = metas.find((meta) => meta.facts !== null)?.facts ?? null
  const canary = metas.find((meta) => meta.canary !== null)?.canary ?? null
  const shard = metas.find((meta) => meta.shard !== null)?.shard ?? null
  return {
    formatVersion: FORMAT_VERSION,
    modelKey: run.modelKey,
    class: run.probeClass,
    date: run.startedAt.toISOString(),
    harnessVersion: HARNESS_VERSION,
    simulated: facts?.simulated ?? false,
    complete: run.stopReason === null,
    stopReason: run.stopReason,
    samplesPerFixture: metas.reduce((most, { samplesWanted }) => Math.max(most, samplesWanted), 1),
    fixtureSamples: byFixture((meta) => meta.samplesWanted),
    ...asked(metas),
    ...untilOf(run, metas),
    envelopeUsd: run.envelopeUsd,
    totalCostUsd: sumOfUsd([...measured.map(({ tally }) => tally.spentUsd), canary === null ? 0 : spentUsdOf(canary)]),
    priceSource: facts?.priceSource ?? null,
    ...(canary !== null && { canary }),
    ...(run.pacing && { pacing: run.pacing }),
    shard,
    ...(shard !== null && run.runEnvelopeUsd !== undefined && { runEnvelopeUsd: run.runEnvelopeUsd }),
    fixtureHashes: byFixture((meta) => meta.fixtureHash),
    fixtureFamilies: byFixture((meta) => meta.family),
    fixtureDifficulties: byFixture((meta) => meta.difficulty),
    fixtureDomains: byFixture((meta) => meta.domain),
    ...(subtypes.length > 0 && { fixtureSubtypes: Object.fromEntries(subtypes) }),
    stats: measured.map(({ meta, tally }) => ({
      fixtureId: meta.fixtureId,
      ...blockOf(tally, { probeClass: run.probeClass, hasSchema: meta.hasSchema }),
    })),
    overall: pool(measured),
    by_family: grouped(measured, (meta) => meta.family, pool),
    by_difficulty: grouped(measured, (meta) => meta.difficulty, pool),
    by_domain: grouped(measured, (meta) => meta.domain, pool),
    ...(subtypes.length > 0 && { by_subtype: grouped(measured, (meta) => meta.subtype, pool) }),
  }
}

function inOrder(a: Pick<CaseMeta, 'fixtureId'>, b: Pick<CaseMeta, 'fixtureId'>): number {
  return a.fixtureId < b.fixtureId ? -1 : 1
}

/** The options of all cases; nothing is said of those that differ, as they may in merged reports. */
function asked(metas: readonly CaseFacts[]): Pick<ResultFile, 'rung' | 'maxOutputTokens'> {
  const [rung, ...otherRungs] = new Set(metas.map((meta) => meta.rung))
  const [maxOutputTokens, ...otherLimits] = new Set(metas.map((meta) => meta.maxOutputTokens))
  return {
    ...(rung && otherRungs.length === 0 && { rung }),
    ...(maxOutputTokens && otherLimits.length === 0 && { maxOutputTokens }),
  }
}

/** The rule that ended the sampling, where the number of samples was not fixed. */
function untilOf({ probeClass }: RunFacts, metas: readonly CaseFacts[]): Pick<ResultFile, 'until'> {
  const halfWidth = metas.find((meta) => meta.until !== null)?.until ?? null
  if (halfWidth === null) return {}
  return { until: { halfWidth, rates: [...DECIDING_RATES[probeClass]], mostSamples: mostSamplesUntil(halfWidth) } }
}

function isComplete(meta: CaseMeta): boolean {
  return (
    meta.samples.length === meta.samplesDue && meta.samples.every((sample) => sample.scored || isIneligible(sample))
  )
}

function stopReasonOf(run: RunFacts, metas: readonly CaseMeta[]): StopReason | null {
  if (metas.every(isComplete)) return null
  if (metas.some((meta) => meta.refusal?.code === 'ENVELOPE_EXCEEDED')) return 'envelope_exceeded'
  if (run.interrupted || metas.some((meta) => meta.refusal?.code === 'INTERRUPTED')) return 'interrupted'
  return 'unscored_samples'
}

/** What samples have cost, unknown cost at its bound. */
export function sumUsd(samples: readonly Spend[]): number {
  return sumOfUsd(samples.map(spentUsdOf))
}

/** A fixture without the tag is in no group. */
function grouped<T>(
  fixtures: readonly TalliedCase[],
  key: (meta: CaseFacts) => string | null,
  pool: (group: readonly TalliedCase[]) => T,
): Record<string, T> {
  const groups = Map.groupBy(fixtures, (fixture) => key(fixture.meta))
  const names = [...groups.keys()].filter((name) => name !== null).sort()
  return Object.fromEntries(names.map((name) => [name, pool(groups.get(name)!)]))
}
