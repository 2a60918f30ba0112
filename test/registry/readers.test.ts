import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { Reader } from '../../src/registry/reader.ts'
import { Readers, startReaders } from '../../src/registry/readers.ts'
import { readSource } from '../../src/registry/sources.ts'
import { ThreadReader } from '../../src/registry/thread-reader.ts'
import {
  builtBy,
  builtFrom,
  claim,
  declaring,
  hashOf,
  MODEL,
  resultOf,
  resultsFolder,
  samplesOf,
} from '../support/registry.ts'
import { sample } from '../support/samples.ts'

const WRONG = { schemaConform: false, valueAccuracy: null }
const good = resultOf('schema', { a: samplesOf(3, 4, {}, WRONG) })
const FILES = {
  ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${String(at).padStart(2, '0')}.json`, good])),
  '07.json': { ...good, totalCostUsd: 5 },
  '31.json': 'no result',
}

const models = Array.from({ length: 30 }, (_, at) => `openai/made-up-${at}`)
const ofModel = (modelKey: string, fixture: 'a' | 'b') =>
  resultOf('schema', { [fixture]: samplesOf(models.indexOf(modelKey) % 5, 4, {}, WRONG) }, { modelKey })

test('several readers make the same registry as one, whoever reads which file of a model', async () => {
  const files = {
    ...Object.fromEntries(models.map((key, at) => [`b/${at}.json`, ofModel(key, 'a')])),
    ...Object.fromEntries(models.map((key, at) => [`c/${at}.json`, ofModel(key, 'b')])),
    ...FILES,
  }
  const { root } = resultsFolder(files)
  const given = Object.keys(files).map((name) => ({ path: `${root}/${name}`, name }))
  const facts = {
    declared: declaring({ structuredOutput: [claim(true)] }, 'openai/not-measured'),
    tags: new Map([[hashOf('a'), { family: 'mine', difficulty: 'hard' as const, domain: 'legal' }]]),
  }
  const order = { files: given, options: { simulated: false }, taken: new SharedArrayBuffer(4) }
  const [own, ...others] = Array.from({ length: 3 }, () => new Reader(order))
  const alone = await builtFrom(given, facts)
  // In one thread they take turns: no model has all its files with one of them.
  expect(await builtBy(new Readers(async () => own!, others), facts)).toEqual(alone)
  expect(await builtFrom(given, facts, { threads: 3 })).toEqual(alone)
  expect(alone.files).toMatchObject({ given: 100, used: 61, superseded: 37 })
  expect(alone.files.refused.map(({ file, reason }) => [file, reason])).toEqual([
    ['07.json', 'not_verified'],
    ['31.json', 'not_verified'],
  ])
  expect(Object.keys(alone.models)).toEqual([MODEL, ...models, 'openai/not-measured'].toSorted())
  expect(alone.models['openai/made-up-7']!.probed.schema).toMatchObject({
    files: [{ file: 'b/7.json' }, { file: 'c/7.json' }],
    rates: { conform: { successes: 4, n: 8 } },
    by_domain: { finance: { conform: { n: 4 } }, legal: { conform: { n: 4 } } },
  })
})

test('the files of one folder are shared, too', async () => {
  const { root } = resultsFolder(FILES)
  const files = Object.keys(FILES).map((name) => ({ path: `${root}/${name}`, name }))
  const order = { files, options: { simulated: false }, taken: new SharedArrayBuffer(4) }
  const told = await Promise.all([new Reader(order), new Reader(order)].map((reader) => reader.read()))
  expect(told.map((own) => own.length > 0)).toEqual([true, true])
  expect(
    told
      .flat()
      .map(([at]) => at)
      .toSorted((a, b) => a - b),
  ).toEqual(files.map((_, at) => at))
})

test('what was read is told in the order it was given', async () => {
  const { root } = resultsFolder(FILES)
  const given = Object.keys(FILES).map((name) => ({ path: `${root}/${name}`, name }))
  const readers = startReaders(given, { simulated: false }, 3)
  const { sources } = await readers.read()
  await readers.close()
  const names = Object.keys(FILES).filter((name) => name !== '07.json' && name !== '31.json')
  expect(sources.map(({ file }) => file)).toEqual(names)
})

test('a thread that dies is an error, whenever it is asked', async () => {
  const { root } = resultsFolder({ 'r.json': good })
  const order = {
    files: [{ path: `${root}/r.json`, name: 'r.json' }],
    options: { simulated: false },
    taken: new SharedArrayBuffer(4),
  }
  const thread = new ThreadReader(order)
  const reading = thread.read()
  await thread.close()
  await expect(reading).rejects.toThrow('a thread ended before it had answered')
  await expect(thread.sourcesAt([0])).rejects.toThrow('a thread ended before it had answered')
})

test('what goes wrong in a thread is told where it was asked', async () => {
  const thread = new ThreadReader({ files: [], options: { simulated: false }, taken: new SharedArrayBuffer(1) })
  await expect(thread.read()).rejects.toThrow(RangeError)
  await expect(thread.sourcesAt([0])).rejects.toThrow(RangeError)
})

const DEEP = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
const oldSample = { ...good.raw['a']![0]!, costUsd: 1e300 }
/** As ModelRig publishes them. */
const DEAR = {
  modelKey: MODEL,
  class: 'schema',
  date: '2026-01-10T00:00:00Z',
  harnessVersion: '1',
  fixtureHashes: { o: hashOf('o') },
  stats: [
    {
      fixtureId: 'o',
      samples: 1,
      parseRate: 1,
      conformRate: 1,
      valueAccuracyMean: 1,
      conformCi95: [0.20654931437723745, 1],
      meanCostUsd: 1e300,
    },
  ],
  totalCostUsd: 1e300,
  raw: { o: [oldSample] },
}

test.for<[string, string, RegExp]>([
  [
    'a value nested deeper than anything is read',
    JSON.stringify(good).replace('"index":0,', () => `"index":0,"mismatches":[{"path":"/x","expected":${DEEP}}],`),
    /^nested more than 1000 levels deep/,
  ],
  [
    'a number that is none',
    JSON.stringify(good).replace('"index":0,', '"index":0,"mismatches":[{"path":"/x","expected":1e999}],'),
    /cannot be checked: Infinity/,
  ],
  ['a cost of which no sum is a number', JSON.stringify(DEAR), /^\/totalCostUsd: is more than any run costs/],
  [
    'times of which no mean is a number',
    JSON.stringify(resultOf('schema', { a: samplesOf(1, 1, { latencyMs: 1.7e308 }, {}) })),
    /^\/raw\/a\/0\/latencyMs: is longer than any call takes/,
  ],
])('%s keeps its own file out of a registry, and no other', async ([, text, message]) => {
  const { root, write } = resultsFolder({ 'good.json': good })
  write('odd.json', text)
  const given = ['odd.json', 'good.json'].map((name) => ({ path: `${root}/${name}`, name }))
  const { models: built, files } = await builtFrom(given)
  expect(built[MODEL]!.probed.schema!.files.map(({ file }) => file)).toEqual(['good.json'])
  expect(files.refused).toEqual([
    { file: 'odd.json', reason: 'not_verified', message: expect.stringMatching(message) as string },
  ])
})

test('a registry names the hash of what was verified, whatever stands there since', async () => {
  const { root, write } = resultsFolder({ 'r.json': good })
  const sha256 = createHash('sha256').update(JSON.stringify(good)).digest('hex')
  const pending = readSource(`${root}/r.json`, 'r.json', { simulated: false })
  write('r.json', JSON.stringify({ ...good, totalCostUsd: 5 }))
  expect(await pending).toMatchObject({ file: 'r.json', sha256, modelKey: MODEL })
})

test('of a run that sampled hard fixtures more every fixture counts alike, with its first samples', async () => {
  const half = Array.from({ length: 21 }, (_, index) => sample(index, index % 2 === 0 ? {} : WRONG))
  const fixtures = { a: samplesOf(6, 6, {}, {}), b: half }
  const { root } = resultsFolder({
    'fixed.json': resultOf('schema', fixtures),
    'until.json': resultOf('schema', fixtures, { of: { until: 0.2 } }),
  })
  const conform = async (name: string) => {
    const read = await readSource(`${root}/${name}`, name, { simulated: false })
    if ('reason' in read) throw new Error(read.message)
    return read.fixtures.map(({ counts }) => counts.rates.conform)
  }
  expect(await conform('fixed.json')).toMatchObject([{ n: 6 }, { successes: 11, n: 21 }])
  expect(await conform('until.json')).toMatchObject([
    { successes: 6, n: 6 },
    { successes: 3, n: 6 },
  ])
})

test('a file that is not there is refused by name', async () => {
  const { root } = resultsFolder({})
  const read = await readSource(`${root}/r.json`, 'r.json', { simulated: false })
  expect(read).toMatchObject({ file: 'r.json', reason: 'unreadable' })
})
