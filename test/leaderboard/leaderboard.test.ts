import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { buildLeaderboard, type FixtureFacts } from '../../src/leaderboard/build.ts'
import type { Leaderboard } from '../../src/leaderboard/format.ts'
import { LeaderboardSchema } from '../../src/leaderboard/leaderboard-shape.ts'
import { packed } from '../../src/leaderboard/packed.ts'
import { SAMPLE_BOUNDS, type SampleBounds } from '../../src/leaderboard/shown-samples.ts'
import { checker } from '../../src/registry/read-json.ts'
import { fedPipe } from '../support/fed-pipe.ts'
import { builtFrom, claim, declaring, hashOf, MODEL, resultOf, resultsFolder, samplesOf } from '../support/registry.ts'
import { sample, unscored } from '../support/samples.ts'

const check = checker<Leaderboard>(LeaderboardSchema, 'REGISTRY_INVALID')
const WRONG = {
  schemaConform: false,
  valueAccuracy: null,
  output: '{"total":"seven"}',
  violations: [{ path: '/total', message: 'must be number', keyword: 'type' }],
}

interface Made {
  readonly board: Leaderboard
  readonly left: readonly string[]
}

async function made(
  files: Readonly<Record<string, unknown>>,
  options: {
    bounds?: SampleBounds
    fixtures?: ReadonlyMap<string, FixtureFacts>
    spoil?: string
    spoilt?: string
    forged?: boolean
    piped?: string
  } = {},
): Promise<Made> {
  const { root } = resultsFolder(files)
  const given = Object.keys(files).map((name) => ({ path: `${root}/${name}`, name }))
  const registry = await builtFrom(given, { declared: declaring({ structuredOutput: [claim(true)] }) })
  const { spoil, spoilt = '{}', forged = false } = options
  if (spoil !== undefined) {
    writeFileSync(`${root}/${spoil}`, spoilt)
    const [file] = registry.models[MODEL]!.probed.schema!.files
    if (forged) Object.assign(file!, { sha256: createHash('sha256').update(spoilt).digest('hex') })
  }
  if (options.piped !== undefined) fedPipe(`${root}/${options.piped}`)
  const { leaderboard, left } = buildLeaderboard(registry, {
    pathOf: (name) => `${root}/${name}`,
    nameOf: (name) => `../results/${name}`,
    fixtures: options.fixtures ?? new Map(),
    ...(options.bounds && { bounds: options.bounds }),
  })
  return { board: check(JSON.parse(JSON.stringify(leaderboard)), 'board'), left }
}

const SCHEMA = resultOf('schema', {
  a: [...samplesOf(3, 4, {}, WRONG), unscored(4)],
  b: samplesOf(4, 8, {}, { valueAccuracy: 0.5 }),
})

const near = (share: number): number => expect.closeTo(share, 4)

test('cells hold counts and both intervals; a class that was not probed has no cell', async () => {
  const { board } = await made({ 's.json': SCHEMA })
  const { cells } = board.models.find(({ key }) => key === MODEL)!
  // Wilson of 11/12; two fixtures that differ little.
  expect(cells.conform).toMatchObject({ successes: 11, n: 12, rate: near(11 / 12), ci95: [near(0.6461), near(0.9851)] })
  expect(cells.values).toMatchObject({ successes: 7, n: 11, rate: near(7 / 11), mean: near(9 / 11) })
  expect(cells.conform!.thin).toBeUndefined()
  // 13 samples at 0.01 but for one at its bound of 0.05: 0.17 for 11.
  expect(cells.costPer1000).toEqual({ value: 15.45, n: 11, upperBound: true })
  expect(cells.latency).toMatchObject({ value: 100, n: 12 })
  for (const column of ['image', 'grounded', 'cacheHit', 'hard'] as const) expect(cells[column]).toBeUndefined()
})

test('a rate is the same to one decimal of a per cent as in the terminal', async () => {
  const { board } = await made({ 's.json': resultOf('schema', { a: samplesOf(688, 730, {}, WRONG) }) })
  // 688 of 730 are 94.2466 %.
  expect((board.models[0]!.cells.conform!.rate * 100).toFixed(1)).toBe('94.2')
})

test('fewer than ten samples are thin; what is old is stale', async () => {
  const old = resultOf('schema', { a: samplesOf(9, 9, {}, {}) }, { startedAt: new Date('2025-01-01T00:00:00Z') })
  const { board } = await made({ 's.json': old })
  expect(board.models[0]!.cells.conform).toMatchObject({ n: 9, thin: true, stale: true })
  expect(board.thinBelow).toBe(10)
})

test('fixture rows hold what their fields say, so that rates can be counted for any filter', async () => {
  const { board } = await made({ 's.json': SCHEMA })
  const { fixtures } = board.models[0]!.classes.schema!
  const rows = fixtures.map((row) =>
    Object.fromEntries(board.fixtureFields['schema']!.map((name, at) => [name, row[at]])),
  )
  expect(rows).toEqual([
    {
      fixture: 0,
      file: 0,
      scored: 4,
      unscored: 1,
      costUsd: 0.09,
      latencyMs: 100,
      'conform.successes': 3,
      'conform.n': 4,
      'values.successes': 3,
      'values.n': 3,
      'right.successes': 3,
      'right.n': 4,
    },
    {
      fixture: 1,
      file: 0,
      scored: 8,
      unscored: 0,
      costUsd: 0.08,
      latencyMs: 100,
      'conform.successes': 8,
      'conform.n': 8,
      'values.successes': 4,
      'values.n': 8,
      'right.successes': 4,
      'right.n': 8,
    },
  ])
  expect(board.fixtures[1]).toMatchObject({ id: 'b', class: 'schema', hash: hashOf('b') })
  expect(board.files).toEqual(['../results/s.json'])
})

test('the corpus mix is counted and said; contributors are credited by the source of fixtures', async () => {
  const facts = new Map([
    [hashOf('a'), { source: 'contributed:ada', image: null }],
    [hashOf('b'), { source: 'contributed:ada', image: null }],
    [hashOf('c'), { source: 'contributed:bob', image: '../fixtures/image/c.png' }],
    [hashOf('d'), { source: 'modelrig-probes', image: null }],
  ])
  const image = resultOf('image', { c: [sample(0)], d: [sample(0)] }, { of: { domain: 'legal', difficulty: 'hard' } })
  const { board } = await made({ 's.json': SCHEMA, 'i.json': image }, { fixtures: facts })
  expect(board.mix).toMatchObject({
    models: 1,
    fixtures: 4,
    samples: 15,
    byClass: { image: 2, schema: 2 },
    byDomain: { finance: 2, legal: 2 },
    byDifficulty: { hard: 2, standard: 2 },
  })
  expect(board.mix.text).toMatch(
    /^4 fixtures .*15 samples of 1 model\. Domains: finance 50%, legal 50%\. Rates are of this mix/,
  )
  expect(board.contributors).toEqual([
    { handle: 'ada', fixtures: 2 },
    { handle: 'bob', fixtures: 1 },
  ])
  expect(board.fixtures.find(({ id }) => id === 'c')!.image).toBe('../fixtures/image/c.png')
})

test('samples to look at: what failed first, with what was wrong, as they stand in the file', async () => {
  const { board } = await made({ 's.json': SCHEMA })
  const { samples } = board.models[0]!
  expect(samples.map(({ fixture, index, passed, scored }) => [fixture, index, passed, scored])).toEqual([
    [0, 3, false, true],
    [1, 4, false, true],
    [1, 5, false, true],
  ])
  expect(samples[0]).toMatchObject({
    output: '{"total":"seven"}',
    violations: ['/total: must be number'],
    rung: 'native',
  })
  expect(board.samples).toMatchObject({ shown: 3, of: 13, ...SAMPLE_BOUNDS })
})

test('of each fixture that failed one sample is shown before the second of any', async () => {
  const fixtures = { a: samplesOf(0, 4, {}, WRONG), b: samplesOf(3, 4, {}, WRONG), c: samplesOf(4, 4, {}, WRONG) }
  const { board } = await made({ 's.json': resultOf('schema', fixtures) })
  const { samples } = board.models[0]!
  expect(samples.map(({ fixture, index }) => [board.fixtures[fixture]!.id, index])).toEqual([
    ['a', 0],
    ['b', 3],
    ['a', 1],
  ])
})

test('a sample that fails a custom check has not passed, and says which', async () => {
  const all = { checks: { addsUp: true, polite: true, odd: null } }
  const wrong = { checks: { ...all.checks, addsUp: false } }
  const { board } = await made({ 's.json': resultOf('schema', { a: samplesOf(1, 2, all, wrong) }) })
  const { samples } = board.models[0]!
  expect(samples.map(({ index, passed, failedChecks }) => [index, passed, failedChecks])).toEqual([
    [1, false, ['addsUp']],
    [0, true, undefined],
  ])
})

test('samples stay within their bounds, one of each model and class before the second of any', async () => {
  const long = { output: 'x'.repeat(5000) }
  const files = Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [
      `${name}.json`,
      resultOf('schema', { f: samplesOf(3, 3, long, {}) }, { modelKey: `openai/${name}` }),
    ]),
  )
  const bounds = { perClass: 2, outputCharacters: 1000, budgetBytes: 6000 }
  const { board } = await made(files, { bounds })
  const probed = board.models.filter(({ key }) => key !== MODEL)
  expect(probed.map(({ samples }) => samples.length)).toEqual([2, 1, 1])
  const all = probed.flatMap(({ samples }) => samples)
  expect(Buffer.byteLength(JSON.stringify(all))).toBeLessThan(6000)
  for (const one of all) expect(one).toMatchObject({ cut: true, output: 'x'.repeat(1000) })
})

test('a file that is not as it was shows no samples, and is named', async () => {
  const { board, left } = await made({ 's.json': SCHEMA }, { spoil: 's.json' })
  expect(left).toEqual(['s.json'])
  expect(board.models[0]!.samples).toEqual([])
  expect(board.models[0]!.cells.conform).toMatchObject({ n: 12 })
})

test('a pipe in the place of a file is not waited for', async () => {
  const { left } = await made({ 's.json': SCHEMA }, { piped: 's.json' })
  expect(left).toEqual(['s.json'])
})

test('discrepancies stand where they belong, claims with their sources', async () => {
  const { board } = await made({ 's.json': resultOf('schema', { a: samplesOf(0, 20, {}, WRONG) }) })
  const [model] = board.models
  expect(model!.discrepancies).toMatchObject([
    { kind: 'declared_schema_low_conformance', status: 'confirmed', column: 'conform', files: [0] },
  ])
  expect(model!.declared).toEqual({
    structuredOutput: true,
    sources: [{ source: 'https://vendor.example/model', as_of: '2026-01-01', fields: ['structuredOutput'] }],
  })
})

test('packed, it is what it was', async () => {
  const { board } = await made({ 's.json': SCHEMA })
  expect(JSON.parse(gunzipSync(Buffer.from(packed(board), 'base64')).toString('utf8'))).toEqual(board)
})

test.for([
  '{"formatVersion":1,"raw":{"a":[null],"b":[{"scored":true}]}}',
  '{"formatVersion":1,"raw":{"a":7}}',
  '{"stats":[],"fixtureHashes":{},"raw":{"a":[null]}}',
  'null',
])('a registry that vouches for a file with %s shows nothing of it, and all else', async (spoilt) => {
  const { board, left } = await made({ 's.json': SCHEMA }, { spoil: 's.json', spoilt, forged: true })
  expect(left).toEqual(['s.json'])
  expect(board.models.find(({ key }) => key === MODEL)!.samples).toEqual([])
})
