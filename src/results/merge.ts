import { ProbeError } from '../model/errors.ts'
import { MOST_PACE_CHANGES, type Pacing } from '../model/pacing.ts'
import type { Sample } from '../model/sample.ts'
import { parseShard, type Shard } from '../model/shard.ts'
import { buildResult, sumUsd } from './build.ts'
import { casesOf } from './cases.ts'
import { STOP_REASONS, type ResultFile, type StopReason } from './format.ts'

/** A result file with its name, by which problems are told. */
export interface NamedResult {
  readonly file: string
  readonly result: ResultFile
}

export interface Merged {
  readonly result: ResultFile
  /** Numbers of the shards that were not there. */
  readonly missing: readonly number[]
}

/** What must be the same in all shards of a run. */
const SAME = ['modelKey', 'class', 'formatVersion', 'harnessVersion', 'simulated', 'samplesPerFixture'] as const

/**
 * Unites the shards of a run into the file that the whole run would have written: every number is counted again from
 * the samples.
 * @throws ProbeError `MERGE_REFUSED` when the files are not shards of one run, each once.
 */
export function mergeShards(files: readonly NamedResult[]): Merged {
  const [first, ...others] = files
  if (first === undefined) throw new ProbeError('MERGE_REFUSED', 'there is no file to merge')
  for (const other of others)
    for (const field of SAME) refuseDifferent(first, other, field, ({ result }) => result[field])
  const shards = shardsOf(files)
  const results = [...shards.keys()].toSorted((a, b) => a - b).map((index) => shards.get(index)!.result)
  refuseOtherFixtures(files)
  const { of } = shardOf(first)
  const missing = Array.from({ length: of }, (_, position) => position + 1).filter((index) => !shards.has(index))
  const raw = unitedSamples(files)
  const run = {
    modelKey: first.result.modelKey,
    probeClass: first.result.class,
    startedAt: new Date(results.map(({ date }) => date).toSorted()[0]!),
    envelopeUsd: envelopeOf(results),
    interrupted: false,
    stopReason: stopReasonOf(results, missing),
    pacing: pacingOf(results),
  }
  const built = buildResult(run, casesOf(results, raw, null))
  return { result: { ...built, harnessVersion: first.result.harnessVersion }, missing }
}

function shardOf({ file, result }: NamedResult): Shard {
  const shard = result.shard === null ? null : parseShard(result.shard)
  if (shard !== null) return shard
  const allowed = 'result files of runs with --shard i/n'
  throw new ProbeError('MERGE_REFUSED', 'is not the file of a shard', { file, field: 'shard', allowed })
}

function shardsOf(files: readonly NamedResult[]): ReadonlyMap<number, NamedResult> {
  const shards = new Map<number, NamedResult>()
  for (const named of files) {
    const { index } = shardOf(named)
    refuseDifferent(files[0]!, named, 'shard', (one) => shardOf(one).of)
    const twin = shards.get(index)
    if (twin !== undefined) throw refused(named, 'shard', `${twin.file} is shard ${named.result.shard} as well`)
    shards.set(index, named)
  }
  return shards
}

function refuseDifferent(a: NamedResult, b: NamedResult, field: string, value: (named: NamedResult) => unknown): void {
  if (value(a) !== value(b))
    throw refused(b, field, `${String(value(b))} is not that of ${a.file}: ${String(value(a))}`)
}

function refused({ file }: NamedResult, field: string, message: string): ProbeError {
  return new ProbeError('MERGE_REFUSED', message, { file, field })
}

/** Metadata may be tagged anew between runs and still must not be mixed in one file. */
const PER_FIXTURE = ['fixtureHashes', 'fixtureFamilies', 'fixtureDifficulties', 'fixtureDomains'] as const

function refuseOtherFixtures(files: readonly NamedResult[]): void {
  for (const field of PER_FIXTURE) {
    const known = new Map<string, { readonly value: string; readonly file: string }>()
    for (const named of files) {
      for (const [id, value] of Object.entries(named.result[field])) {
        const before = known.get(id) ?? { value, file: named.file }
        if (before.value !== value)
          throw refused(named, `${field}.${id}`, `${value} is not that of ${before.file}: ${before.value}`)
        known.set(id, before)
      }
    }
  }
}

function unitedSamples(files: readonly NamedResult[]): ReadonlyMap<string, Sample[]> {
  const united = new Map<string, Map<number, { readonly sample: Sample; readonly file: string }>>()
  for (const named of files) {
    for (const [id, samples] of Object.entries(named.result.raw)) {
      if (!Object.hasOwn(named.result.fixtureHashes, id))
        throw refused(named, `raw.${id}`, 'is a fixture without a hash in fixtureHashes')
      const byIndex = united.get(id) ?? new Map<number, { sample: Sample; file: string }>()
      united.set(id, byIndex)
      for (const sample of samples) {
        const twin = byIndex.get(sample.index)
        if (twin !== undefined)
          throw refused(named, `raw.${id}`, `sample ${sample.index} stands in ${twin.file} as well`)
        byIndex.set(sample.index, { sample, file: named.file })
      }
    }
  }
  const inOrder = (byIndex: Map<number, { readonly sample: Sample }>) =>
    [...byIndex.values()].map(({ sample }) => sample).toSorted((a, b) => a.index - b.index)
  return new Map([...united].map(([id, byIndex]) => [id, inOrder(byIndex)]))
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

/** The reason that goes first in a run goes first here. */
function stopReasonOf(results: readonly ResultFile[], missing: readonly number[]): StopReason | null {
  const reasons = new Set(results.map(({ stopReason }) => stopReason))
  const told = STOP_REASONS.find((reason) => reasons.has(reason)) ?? null
  if (told !== null) return told
  return missing.length > 0 ? 'shards_missing' : null
}
