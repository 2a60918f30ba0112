import { MOST_PACE_CHANGES, type Pacing } from '../model/pacing.ts'
import { samplesOf } from '../model/shard.ts'
import { buildResult, sumUsd } from './build.ts'
import { casesOf, statedSamples } from './cases.ts'
import { STOP_REASONS, type ResultFile, type StopReason } from './format.ts'
import { fixturesOf, shardOf, shardsOfOneRun, unitedSamples, type NamedResult } from './shard-files.ts'

/** What shards come to together. */
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
  const reached = new Map(Array.from(raw, ([id, samples]) => [id, (samples.at(-1)?.index ?? 0) + 1]))
  const cases = casesOf(results, reached, null).map((one) => ({ ...one, samples: raw.get(one.fixtureId) ?? [] }))
  const built = buildResult(run, cases)
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
