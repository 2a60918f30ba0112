import { ProbeError } from '../model/errors.ts'
import { ownOf } from '../model/own.ts'
import type { Sample } from '../model/sample.ts'
import { isOfShard, parseShard, type Shard } from '../model/shard.ts'
import type { ResultFile, ResultHead } from './format.ts'

/** A result file with its name, by which problems are told. */
export interface NamedResult {
  readonly file: string
  readonly result: ResultFile
}

/** What must be the same in all shards of a run; of options, those that make other requests. */
const SAME = [
  'modelKey',
  'class',
  'formatVersion',
  'harnessVersion',
  'simulated',
  'samplesPerFixture',
  'rung',
  'maxOutputTokens',
] as const

/**
 * The files by the numbers of their shards.
 * @throws ProbeError `MERGE_REFUSED`, with file and field, when they are not shards of one run, each once.
 */
export function shardsOfOneRun(files: readonly NamedResult[]): ReadonlyMap<number, NamedResult> {
  const [first, ...others] = files
  if (first === undefined) throw new ProbeError('MERGE_REFUSED', 'there is no file to merge')
  for (const other of others)
    for (const field of SAME) refuseDifferent(first, other, field, ({ result }) => result[field])
  const shards = shardsOf(files)
  refuseOtherFixtures(files)
  refuseOtherRequests(files)
  return shards
}

/** Which shard a file is of. */
export function shardOf({ file, result }: NamedResult): Shard {
  const shard = result.shard === null ? null : parseShard(result.shard)
  if (shard !== null) return shard
  const allowed = 'result files of runs with --shard i/n'
  throw new ProbeError('MERGE_REFUSED', 'is not the file of a shard', { file, field: 'shard', allowed })
}

/** The files by the numbers of their shards. */
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

/** What is told of a fixture. Metadata may be tagged anew between runs and still must not be mixed in one file. */
const PER_FIXTURE = [
  'fixtureSamples',
  'fixtureHashes',
  'fixtureFamilies',
  'fixtureDifficulties',
  'fixtureDomains',
] as const

function refuseOtherFixtures(files: readonly NamedResult[]): void {
  for (const field of PER_FIXTURE) {
    const known = new Map<string, { readonly value: string | number; readonly file: string }>()
    for (const named of files) {
      for (const [id, value] of Object.entries<string | number>(named.result[field] ?? {})) {
        const before = known.get(id) ?? { value, file: named.file }
        if (before.value !== value)
          throw refused(named, `${field}.${id}`, `${value} is not that of ${before.file}: ${before.value}`)
        known.set(id, before)
      }
    }
  }
}

/** A fixture is asked about with one request. Those of a caching sample carry a mark of their run, and say nothing. */
function refuseOtherRequests(files: readonly NamedResult[]): void {
  const known = new Map<string, { readonly value: string; readonly file: string }>()
  for (const named of files.filter(({ result }) => result.class !== 'caching')) {
    for (const [id, samples] of Object.entries(named.result.raw)) {
      for (const { index, requestHash: value } of samples) {
        const before = known.get(id) ?? { value, file: named.file }
        known.set(id, before)
        if (before.value === value) continue
        const other = `${value} of sample ${index} is not that of ${before.file}: ${before.value}`
        throw refused(named, `raw.${id}.requestHash`, `${other}; prompt, rung and limits must be the same`)
      }
    }
  }
}

/** Every fixture of the run, in the order by which the shards divide it. */
export function fixturesOf(results: readonly ResultHead[]): string[] {
  return [...new Set(results.flatMap(({ fixtureHashes }) => Object.keys(fixtureHashes)))].toSorted()
}

/**
 * Refuses samples that another shard was to take, and such as no shard was. Where all files are of interrupted runs,
 * none need name every fixture, and a fixture's place is not known.
 */
function refuseForeignSamples(files: readonly NamedResult[]): void {
  const placesKnown = files.some(({ result }) => result.stopReason !== 'interrupted')
  const places = new Map(fixturesOf(files.map(({ result }) => result)).map((id, place) => [id, place]))
  for (const named of files) {
    const { shard, raw, samplesPerFixture, fixtureSamples = {} } = named.result
    for (const [id, samples] of Object.entries(raw)) {
      const wanted = ownOf(fixtureSamples, id) ?? samplesPerFixture
      for (const { index } of samples) {
        if (index >= wanted) throw refused(named, `raw.${id}`, `sample ${index} is none of the ${wanted} of the run`)
        if (placesKnown && !isOfShard(shardOf(named), places.get(id)!, index))
          throw refused(named, `raw.${id}`, `sample ${index} is not one of shard ${shard}`)
      }
    }
  }
}

/**
 * The samples of all files by fixture, in order of index.
 * @throws ProbeError `MERGE_REFUSED`, with file and field, when one stands twice or in the file of another shard.
 */
export function unitedSamples(files: readonly NamedResult[]): ReadonlyMap<string, Sample[]> {
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
  refuseForeignSamples(files)
  const inOrder = (byIndex: Map<number, { readonly sample: Sample }>) =>
    [...byIndex.values()].map(({ sample }) => sample).toSorted((a, b) => a.index - b.index)
  return new Map([...united].map(([id, byIndex]) => [id, inOrder(byIndex)]))
}
