import type { CaseMeta } from '../model/case-meta.ts'
import { MOST_PACE_CHANGES, type Pacing } from '../model/pacing.ts'
import type { Sample } from '../model/sample.ts'
import { samplesOf } from '../model/shard.ts'
import { buildResult, sumUsd } from './build.ts'
import { STOP_REASONS, type ResultFile, type StopReason } from './format.ts'
import { fixturesOf, shardOf, shardsOfOneRun, unitedSamples, type NamedResult } from './shard-files.ts'

export interface Merged {
  readonly result: ResultFile
  /** Numbers of the shards that were not there. */
  readonly missing: readonly number[]
}

/**
 * Unites the shards of a run into the file that the whole run would have written: every number is counted again from
 * the samples.
 * @throws ProbeError `MERGE_REFUSED` when the files are not shards of one run, each once.
 */
export function mergeShards(files: readonly NamedResult[]): Merged {
  const shards = shardsOfOneRun(files)
  const [first] = files as [NamedResult]
  const results = [...shards.keys()].toSorted((a, b) => a - b).map((index) => shards.get(index)!.result)
  const missing = missingShards(results, new Set(shards.keys()), shardOf(first).of)
  const raw = unitedSamples(files)
  const run = {
    modelKey: first.result.modelKey,
    probeClass: first.result.class,
    startedAt: new Date(results.map(({ date }) => date).toSorted()[0]!),
    envelopeUsd: envelopeOf(results),
    interrupted: false,
    ...toldStop(results, missing),
    pacing: pacingOf(results),
  }
  const built = buildResult(run, casesOf(results, raw))
  return { result: { ...built, harnessVersion: first.result.harnessVersion }, missing }
}

/** The whole run's, where all shards tell the same; else what they were given together. */
function envelopeOf(results: readonly ResultFile[]): number {
  const whole = new Set(results.map(({ runEnvelopeUsd }) => runEnvelopeUsd))
  const [only] = whole
  if (whole.size === 1 && only !== undefined) return only
  return sumUsd(results.map(({ envelopeUsd }) => ({ costUsd: envelopeUsd })))
}

/** What all machines saw of the account together, in order of time. */
function pacingOf(results: readonly ResultFile[]): Pacing | null {
  const each = results.flatMap(({ pacing }) => pacing ?? [])
  if (each.length === 0) return null
  const sum = (count: (pacing: Pacing) => number): number => each.reduce((total, one) => total + count(one), 0)
  const changes = each.flatMap((pacing) => pacing.changes).toSorted((a, b) => (a.at < b.at ? -1 : 1))
  const unlisted = sum((pacing) => pacing.unlisted) + Math.max(changes.length - MOST_PACE_CHANGES, 0)
  return {
    bound: Math.max(...each.map(({ bound }) => bound)),
    clean: sum(({ clean }) => clean),
    rateLimited: sum(({ rateLimited }) => rateLimited),
    strained: sum(({ strained }) => strained),
    changes: changes.slice(0, MOST_PACE_CHANGES),
    unlisted,
  }
}

/** Samples that the whole run was to take of each fixture, as far as the files say so. */
function statedSamples(results: readonly ResultFile[]): ReadonlyMap<string, number> {
  return new Map(results.flatMap(({ fixtureSamples = {} }) => Object.entries(fixtureSamples)))
}

/** Shards that are not there, of those that had samples to take: one that had none writes no file. */
function missingShards(results: readonly ResultFile[], shards: ReadonlySet<number>, of: number): number[] {
  const stated = statedSamples(results)
  const wanted = fixturesOf(results).map((id) => stated.get(id) ?? results[0]!.samplesPerFixture)
  return Array.from({ length: of }, (_, position) => position + 1).filter(
    (index) =>
      !shards.has(index) && wanted.some((samples, place) => samplesOf({ index, of }, place, samples).length > 0),
  )
}

/** The reason that goes first in a run goes first here. Where the files tell of none, the samples do. */
function toldStop(results: readonly ResultFile[], missing: readonly number[]): { stopReason?: StopReason } {
  const reasons = new Set(results.map(({ stopReason }) => stopReason))
  const told = STOP_REASONS.find((reason) => reasons.has(reason)) ?? (missing.length > 0 ? 'shards_missing' : null)
  return told === null ? {} : { stopReason: told }
}

/**
 * Samples that the whole run was to take of a fixture. Files that do not say so only tell the most that any fixture was
 * to have: then a fixture is taken to end with its last sample, if one of them has as many.
 */
function wantedOf(results: readonly ResultFile[], raw: ReadonlyMap<string, readonly Sample[]>): (id: string) => number {
  const { samplesPerFixture } = results[0]!
  const stated = statedSamples(results)
  const there = (id: string): number => (raw.get(id)?.at(-1)?.index ?? 0) + 1
  const reached = [...raw.keys()].some((id) => there(id) >= samplesPerFixture)
  return (id) => stated.get(id) ?? (reached ? there(id) : samplesPerFixture)
}

/** The cases of the whole run, as far as result files tell of them. */
function casesOf(results: readonly ResultFile[], raw: ReadonlyMap<string, Sample[]>): CaseMeta[] {
  const { modelKey, class: probeClass, simulated, rung = null, maxOutputTokens = null } = results[0]!
  const wanted = wantedOf(results, raw)
  const priceSource = results.find((result) => result.priceSource !== null)?.priceSource ?? null
  const facts = priceSource === null ? null : { priceSource, simulated }
  const canary = results.find((result) => result.canary !== undefined)?.canary ?? null
  return fixturesOf(results).map((fixtureId) => {
    const shard = results.find(({ fixtureHashes }) => Object.hasOwn(fixtureHashes, fixtureId))!
    const samples = raw.get(fixtureId) ?? []
    return {
      modelKey,
      probeClass,
      fixtureId,
      fixtureHash: shard.fixtureHashes[fixtureId]!,
      family: shard.fixtureFamilies[fixtureId]!,
      difficulty: shard.fixtureDifficulties[fixtureId]!,
      domain: shard.fixtureDomains[fixtureId]!,
      subtype: shard.fixtureSubtypes?.[fixtureId] ?? null,
      hasSchema: hasSchema(results, fixtureId),
      samplesWanted: wanted(fixtureId),
      samplesDue: wanted(fixtureId),
      shard: null,
      rung,
      maxOutputTokens,
      samples,
      canary,
      facts,
      refusal: null,
    }
  })
}

/** A fixture with a schema has the rate of conformity in its row; one without a row counts like the others. */
function hasSchema(results: readonly ResultFile[], fixtureId: string): boolean {
  const rows = results.flatMap(({ stats }) => stats.filter((row) => row.fixtureId === fixtureId))
  if (rows.length > 0) return rows.some((row) => row.conform !== undefined)
  return results.some(({ overall }) => overall.conform !== undefined)
}
