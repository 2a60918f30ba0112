import { expect, test } from 'vitest'
import type { CaseMeta } from '../../src/model/case-meta.ts'
import type { Sample } from '../../src/model/sample.ts'
import { buildResult } from '../../src/results/build.ts'
import type { ResultFile } from '../../src/results/format.ts'
import { mergeShards, type Merged } from '../../src/results/merge.ts'
import { caseMeta, RUN, sample } from '../support/samples.ts'

/** The file of a shard with samples of these indexes, each fixture of a run of four; it says that it is complete. */
function shardFile(shard: string, indexes: Record<string, number[]>, overrides: Partial<CaseMeta> = {}): ResultFile {
  const cases = Object.entries(indexes).map(([id, own]) => {
    const samples = own.map((index) => sample(index))
    return caseMeta(id, samples, { samplesWanted: 4, samplesDue: own.length, shard, ...overrides })
  })
  return buildResult(RUN, cases)
}

const merge = (...results: ResultFile[]): Merged =>
  mergeShards(results.map((result, index) => ({ file: `f${index + 1}`, result })))

// Of two shards: sample s of fixture f, a is 0 and b is 1, is of shard ((f + s) mod 2) + 1.
const first = (overrides: Partial<CaseMeta> = {}) => shardFile('1/2', { a: [0, 2], b: [1, 3] }, overrides)
const second = (overrides: Partial<CaseMeta> = {}) => shardFile('2/2', { a: [1, 3], b: [0, 2] }, overrides)

/** As files were that did not say how many samples each fixture was to have. */
function older(result: ResultFile): ResultFile {
  const bare = { ...result }
  delete bare.fixtureSamples
  return bare
}

const edited = (result: ResultFile, id: string, change: Partial<Sample>): ResultFile => {
  const [one, ...others] = result.raw[id]!
  return { ...result, raw: { ...result.raw, [id]: [{ ...one!, ...change }, ...others] } }
}

test.for<[string, ResultFile]>([
  ['its last sample', shardFile('2/2', { a: [1], b: [0, 2] })],
  ['one in between', shardFile('2/2', { a: [3], b: [0, 2] })],
  ['all that its shard had of it', shardFile('2/2', { a: [], b: [0, 2] })],
])('a fixture that lacks %s leaves the file incomplete, whatever its shards say', ([, lacking]) => {
  expect([first().complete, lacking.complete]).toEqual([true, true])
  expect(merge(first(), second()).result).toMatchObject({ complete: true, stopReason: null })
  const { result, missing } = merge(first(), lacking)
  expect([result.complete, result.stopReason, missing]).toEqual([false, 'unscored_samples', []])
})

test('files that tell only the most samples of any fixture are incomplete with a gap, or when no fixture has as many', () => {
  expect(merge(older(first()), older(second())).result.complete).toBe(true)
  // b may have been asked for three times only; nobody says so, and a has its four.
  const short = shardFile('1/2', { a: [0, 2], b: [1] })
  expect(merge(older(short), older(second())).result.complete).toBe(true)
  const gap = shardFile('1/2', { a: [0, 2], b: [3] })
  expect(merge(older(gap), older(second())).result.complete).toBe(false)
  const few = shardFile('2/2', { a: [1], b: [0, 2] })
  expect(merge(older(short), older(few)).result.complete).toBe(false)
})

test.for<[string, ResultFile, string, RegExp]>([
  ['another rung', second({ rung: 'json_mode' }), 'rung', /json_mode is not that of f1: auto/],
  ['another limit', second({ maxOutputTokens: 9 }), 'maxOutputTokens', /9 is not that of f1: 4096/],
  ['another request', edited(second(), 'a', { requestHash: 'bb' }), 'raw.a.requestHash', /bb of sample 1 .* f1: aa/],
  ['another number of samples', second({ samplesWanted: 3 }), 'samplesPerFixture', /3 is not that of f1: 4/],
  ['a sample of another shard', edited(second(), 'a', { index: 4 }), 'raw.a', /sample 4 is none of the 4 of the run/],
  [
    'samples in wrong places',
    shardFile('2/2', { a: [1], b: [0], c: [0] }),
    'raw.c',
    /sample 0 is not one of shard 2\/2/,
  ],
])('a file with %s is refused by name and field', ([, other, field, message]) => {
  const merging = () => merge(first(), other)
  expect(merging).toThrow(message)
  expect(merging).toThrow(expect.objectContaining({ code: 'MERGE_REFUSED', file: 'f2', field }))
})

test('a file that says it is another shard than it is is refused, also alone', () => {
  const merging = () => merge({ ...first(), shard: '2/2' })
  expect(merging).toThrow(/sample 0 is not one of shard 2\/2/)
  expect(merging).toThrow(expect.objectContaining({ code: 'MERGE_REFUSED', file: 'f1', field: 'raw.a' }))
})

test('requests of caching samples carry the mark of their run, and differ', () => {
  const caching = (result: ResultFile): ResultFile => ({ ...result, class: 'caching' })
  const { result } = merge(caching(first()), caching(edited(second(), 'a', { requestHash: 'bb' })))
  expect(result.complete).toBe(true)
})

test('where every run was interrupted, fixtures may be unnamed, and none is known to be in the wrong place', () => {
  const stopped = (result: ResultFile): ResultFile => ({ ...result, complete: false, stopReason: 'interrupted' })
  // b is fixture 1 of the run; of a, fixture 0, nothing was begun.
  const { result } = merge(stopped(shardFile('1/2', { b: [1] })), stopped(shardFile('2/2', { b: [0] })))
  expect(result).toMatchObject({ stopReason: 'interrupted', overall: { samples: 2 } })
})

test('a shard that had no sample to take is not missing', () => {
  // One fixture, two samples, four shards: sample 0 is of shard 1, sample 1 of shard 2.
  const two = { samplesWanted: 2 }
  const [one, other] = [shardFile('1/4', { a: [0] }, two), shardFile('2/4', { a: [1] }, two)]
  expect(merge(one, other)).toMatchObject({ missing: [], result: { complete: true, stopReason: null } })
  expect(merge(one)).toMatchObject({ missing: [2], result: { complete: false, stopReason: 'shards_missing' } })
  // Files that do not say how many samples a fixture was to have: as many as the most that another has.
  expect(merge(older(one), older(other))).toMatchObject({ missing: [], result: { complete: true } })
})
