import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { CaseMeta } from '../../src/model/case-meta.ts'
import type { Sample } from '../../src/model/sample.ts'
import { buildResult } from '../../src/results/build.ts'
import { resultProblems, type ResultFile } from '../../src/results/format.ts'
import { mergeShards } from '../../src/results/merge.ts'
import { readResult } from '../../src/results/read.ts'
import { writeNew } from '../../src/results/write.ts'
import { caseMeta, RUN, sample, unscored } from '../support/samples.ts'

const WHOLE = { ...RUN, envelopeUsd: 2 }
const wrong = (index: number): Sample => sample(index, { valueAccuracy: 0.5, costUsd: 0.003 })
const SAMPLES: Record<string, Sample[]> = {
  a: [sample(0), wrong(1), sample(2), sample(3)],
  b: [wrong(0), sample(1), wrong(2), sample(3)],
  // The probe file asks for fewer of this one.
  c: [sample(0), wrong(1)],
}

function caseOf(id: string, own: Sample[], overrides: Partial<CaseMeta> = {}): CaseMeta {
  const about = { difficulty: id === 'b' ? 'hard' : 'standard', subtype: id === 'c' ? 's' : null } as const
  return caseMeta(id, own, { ...about, samplesWanted: SAMPLES[id]!.length, samplesDue: own.length, ...overrides })
}

const unsharded = (): ResultFile =>
  buildResult(
    WHOLE,
    Object.entries(SAMPLES).map(([id, own]) => caseOf(id, own)),
  )

/** Shard `index` of two: samples in turns, fixture by fixture. */
function shardFile(index: 1 | 2, overrides: Partial<CaseMeta> = {}, run: Partial<typeof RUN> = {}): ResultFile {
  const cases = Object.entries(SAMPLES).map(([id, own], position) => {
    const mine = own.filter((one) => ((position + one.index) % 2) + 1 === index)
    return caseOf(id, mine, { shard: `${index}/2`, ...overrides })
  })
  return buildResult({ ...RUN, envelopeUsd: 1, runEnvelopeUsd: 2, ...run } as never, cases)
}

const files = (...results: ResultFile[]) => results.map((result, index) => ({ file: `f${index + 1}`, result }))

test('both shards make the file of the whole run', () => {
  const { result, missing } = mergeShards(files(shardFile(2), shardFile(1)))
  expect(missing).toEqual([])
  expect(result).toEqual(unsharded())
  expect(result).toMatchObject({ complete: true, shard: null, envelopeUsd: 2, samplesPerFixture: 4 })
  expect(resultProblems(result, 'merged')).toEqual([])
})

test('a shard says which it is and what part of the envelope it had', () => {
  const result = shardFile(1)
  expect(result).toMatchObject({
    shard: '1/2',
    envelopeUsd: 1,
    runEnvelopeUsd: 2,
    samplesPerFixture: 4,
    complete: true,
  })
  expect(result.raw['b']!.map(({ index }) => index)).toEqual([1, 3])
  expect(resultProblems(result, 'shard')).toEqual([])
})

test('a missing shard leaves the file incomplete', () => {
  const { result, missing } = mergeShards(files(shardFile(2)))
  expect(missing).toEqual([1])
  expect(result).toMatchObject({ complete: false, stopReason: 'shards_missing' })
  expect(result.raw['a']!.map(({ index }) => index)).toEqual([1, 3])
  expect(resultProblems(result, 'merged')).toEqual([])
})

test('why a shard lacks samples is why the whole run does', () => {
  const short = shardFile(1)
  const reached = { ...shardFile(2), complete: false, stopReason: 'envelope_exceeded' as const }
  expect(mergeShards(files(short, reached)).result).toMatchObject({ complete: false, stopReason: 'envelope_exceeded' })
  const spoiled = buildResult(RUN, [caseOf('a', [unscored(0)], { shard: '1/2' })])
  expect(mergeShards(files(spoiled, reached)).result).toMatchObject({ stopReason: 'envelope_exceeded' })
})

test('the earliest beginning is the run’s; the first canary and price source stand', () => {
  const canary = { enforced: true, failureClass: null, output: '{}', servedModel: null, attempts: 1 }
  const shown = { ...canary, costUsd: 0.5, requestHash: 'h', startedAt: '2026-01-01T00:00:00.000Z' }
  const early = shardFile(2, {}, { startedAt: new Date('2026-01-01T00:00:00.000Z') })
  const { result } = mergeShards(files(shardFile(1, { canary: shown, facts: null }), early))
  expect(result).toMatchObject({ date: '2026-01-01T00:00:00.000Z', canary: shown, priceSource: 'list' })
  // Six samples at 1 cent, four at 0.3 cents, and the canary.
  expect(result.totalCostUsd).toBe(0.572)
})

test('what the shards saw of their accounts stands together, in order of time', () => {
  const start = (at: string) => ({ at, reason: 'start' as const, limit: 4 })
  const seen = { bound: 16, clean: 5, rateLimited: 1, strained: 0, unlisted: 2 }
  const first = { ...shardFile(1), pacing: { ...seen, changes: [start('2026-01-02T00:00:02.000Z')] } }
  const second = { ...shardFile(2), pacing: { ...seen, bound: 8, changes: [start('2026-01-02T00:00:01.000Z')] } }
  expect(mergeShards(files(first, second)).result.pacing).toEqual({
    bound: 16,
    clean: 10,
    rateLimited: 2,
    strained: 0,
    changes: [start('2026-01-02T00:00:01.000Z'), start('2026-01-02T00:00:02.000Z')],
    unlisted: 4,
  })
})

test('shards that were given different envelopes were given their sum', () => {
  const other = { ...shardFile(2), envelopeUsd: 0.7, runEnvelopeUsd: 1.4 }
  expect(mergeShards(files(shardFile(1), other)).result.envelopeUsd).toBe(1.7)
})

const otherHash = (result: ResultFile): ResultFile => ({
  ...result,
  fixtureHashes: { ...result.fixtureHashes, b: 'ffffffffffffffff' },
})

test.for<[string, ResultFile, string, RegExp]>([
  ['another model', { ...shardFile(2), modelKey: 'm/y' }, 'modelKey', /m\/y is not that of f1: m\/x/],
  ['another class', { ...shardFile(2), class: 'schema' }, 'class', /schema/],
  ['another version', { ...shardFile(2), harnessVersion: '9.9.9' }, 'harnessVersion', /9\.9\.9/],
  ['another count of samples', { ...shardFile(2), samplesPerFixture: 9 }, 'samplesPerFixture', /9 is not/],
  ['another count of shards', { ...shardFile(2), shard: '2/3' }, 'shard', /3 is not that of f1: 2/],
  ['the same shard again', shardFile(1), 'shard', /f1 is shard 1\/2 as well/],
  ['an edited fixture', otherHash(shardFile(2)), 'fixtureHashes.b', /ffffffffffffffff is not that of f1/],
  ['samples of the other', { ...shardFile(2), raw: shardFile(1).raw }, 'raw.a', /sample 0 stands in f1 as well/],
  ['no shard', unsharded(), 'shard', /is not the file of a shard/],
])('%s is refused, with file and field', ([, other, field, message]) => {
  const merging = () => mergeShards(files(shardFile(1), other))
  expect(merging).toThrow(message)
  expect(merging).toThrow(expect.objectContaining({ code: 'MERGE_REFUSED', file: 'f2', field }))
})

test('a sample that stands twice in one file is refused', () => {
  const twice = shardFile(1)
  twice.raw['a']!.push(twice.raw['a']![0]!)
  expect(() => mergeShards(files(twice, shardFile(2)))).toThrow(/sample 0 stands in f1 as well/)
})

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'modelrig-probes-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('a result is read back as it was written; a file that is there stays', async () => {
  const file = join(folder(), 'whole.json')
  await writeNew(file, unsharded())
  const { checksums, ...read } = await readResult(file)
  expect([read, checksums === undefined]).toEqual([unsharded(), false])
  const before = readFileSync(file, 'utf8')
  await expect(writeNew(file, shardFile(1))).rejects.toMatchObject({ code: 'RESULTS_UNWRITABLE', file })
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test.for<[string, string, Record<string, unknown>]>([
  ['no JSON', '{"formatVersion": 1,', { code: 'RESULT_UNREADABLE' }],
  ['a newer format', '{"formatVersion": 2}', { code: 'RESULT_INVALID', field: 'formatVersion' }],
  ['no version', '{"modelKey": "m/x"}', { code: 'RESULT_INVALID', field: 'formatVersion' }],
  ['null', 'null', { code: 'RESULT_INVALID', field: 'formatVersion' }],
  [
    'a broken field',
    JSON.stringify({ ...unsharded(), totalCostUsd: -1 }),
    { code: 'RESULT_INVALID', field: '/totalCostUsd' },
  ],
])('a file with %s is told by name and field', async ([, text, error]) => {
  const file = join(folder(), 'x.json')
  writeFileSync(file, text)
  await expect(readResult(file)).rejects.toMatchObject({ ...error, file })
})

test('a file that is not there is told by name', async () => {
  await expect(readResult('nowhere.json')).rejects.toMatchObject({ code: 'RESULT_UNREADABLE', file: 'nowhere.json' })
})
