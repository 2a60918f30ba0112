import { expect, onTestFinished, test } from 'vitest'
import { fixtureHash } from '../../src/fixtures/hash.ts'
import type { Fixture, LoadedFixture } from '../../src/model/fixture.ts'
import type { Sample } from '../../src/model/sample.ts'
import { buildResult } from '../../src/results/build.ts'
import { checkFile } from '../../src/results/check-file.ts'
import type { ResultFile } from '../../src/results/format.ts'
import { LookThreads } from '../../src/results/look-threads.ts'
import type { Regrade } from '../../src/results/united-regrade.ts'
import { caseMeta, RUN, sample } from '../support/samples.ts'
import { tempProject } from '../support/temp-project.ts'

function loaded(id: string, overrides: Partial<Fixture> = {}): LoadedFixture {
  const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
  const own = { id, class: 'schema', domain: 'finance', prompt: 'p', schema, expectedValues: { total: 7 } } as const
  const fixture: Fixture = { ...own, ...overrides }
  const tags = { domain: 'finance', family: 'f', difficulty: 'standard', subtype: null } as const
  return { fixture, id, class: fixture.class, ...tags, hash: fixtureHash(fixture, null), image: null, file: null }
}

function resultOf(fixture: LoadedFixture, samples: Sample[]): ResultFile {
  const { class: probeClass, hash: fixtureHash_ } = fixture
  const meta = caseMeta(fixture.id, samples, { probeClass, fixtureHash: fixtureHash_ })
  return buildResult({ ...RUN, probeClass } as never, [meta])
}

const RIGHT = sample(0, { violations: [], mismatches: [], wrapping: 'none' })
const OFF = sample(1, {
  output: '```json\n{"total":8}\n```',
  valueAccuracy: 0,
  violations: [],
  mismatches: [{ path: 'total', expected: 7, actual: 8 }],
  wrapping: 'fence',
})
const PROSE = sample(2, { output: 'Seven.', parseOk: false, schemaConform: false, valueAccuracy: null })

/** What grading a file again tells. */
async function regrade(result: ResultFile, fixtures: LoadedFixture[], deadlineMs?: number): Promise<Regrade> {
  const { root } = tempProject({ 'r.json': JSON.stringify(result) })
  const threads = new LookThreads({ ...(deadlineMs !== undefined && { deadlineMs }) })
  onTestFinished(() => threads.close())
  const { regrade: again } = await checkFile(`${root}/r.json`, { fixturesOf: () => fixtures, threads })
  return again!
}

const pathsOf = (findings: readonly { path: string }[]): string[] => findings.map(({ path }) => path)

test('the same words that were cut off are another answer', async () => {
  const fixture = loaded('a')
  const failed = { failureClass: 'truncated', parseOk: false, schemaConform: false, valueAccuracy: null } as const
  const cut = sample(1, { ...failed, finishReason: 'length' })
  expect(cut.output).toBe(RIGHT.output)
  expect(await regrade(resultOf(fixture, [RIGHT, cut]), [fixture])).toMatchObject({ regraded: 2, differing: [] })
})

test('what was graded right is graded so again', async () => {
  const fixture = loaded('a')
  expect(await regrade(resultOf(fixture, [RIGHT, OFF, PROSE]), [fixture])).toMatchObject({
    regraded: 3,
    differing: [],
    otherFixtures: [],
    left: {},
  })
})

test.for<[string, Partial<Sample>, string[]]>([
  ['the output', { output: '{"total":9}' }, ['valueAccuracy', 'mismatches']],
  ['parseOk', { parseOk: false }, ['parseOk']],
  ['schemaConform', { schemaConform: false }, ['schemaConform']],
  ['valueAccuracy', { valueAccuracy: 0.5 }, ['valueAccuracy']],
  ['the finish reason', { finishReason: 'length' }, ['failureClass', 'parseOk', 'schemaConform', 'valueAccuracy']],
  ['the wrapping', { wrapping: 'fence' }, ['wrapping']],
  ['a mismatch', { mismatches: [{ path: 'total', expected: 7, actual: 9 }] }, ['mismatches']],
  ['a violation', { violations: [{ path: '', message: 'm', keyword: 'k' }] }, ['violations']],
])('named: %s is another', async ([, change, fields]) => {
  const fixture = loaded('a')
  const { differing } = await regrade(resultOf(fixture, [OFF, { ...RIGHT, ...change }]), [fixture])
  expect(pathsOf(differing)).toEqual(fields.map((field) => `/raw/a/1/${field}`))
})

test('another fixture, and one that is not there, grade nothing and are named', async () => {
  const result = resultOf(loaded('a'), [RIGHT])
  const other = loaded('a', { prompt: 'q' })
  expect(await regrade(result, [other])).toMatchObject({
    regraded: 0,
    otherFixtures: [{ path: '/fixtureHashes/a', recorded: loaded('a').hash, actual: other.hash }],
  })
  expect(await regrade(result, [loaded('b')])).toMatchObject({ regraded: 0, left: { no_fixture: ['/raw/a'] } })
})

test('checks of a probe file are left, whether there is a fixture or none', async () => {
  const fixture = loaded('a')
  const checked = resultOf(fixture, [{ ...RIGHT, checks: { own: true } }])
  expect((await regrade(checked, [fixture])).left).toEqual({ custom_checks: ['/raw/a'] })
  expect((await regrade(checked, [])).left).toEqual({ custom_checks: ['/raw/a'], no_fixture: ['/raw/a'] })
})

test('a cut output and a call without a reply cannot be graded again', async () => {
  const fixture = loaded('a')
  const cut = { ...RIGHT, outputBytes: 300_000, outputSha256: 'ab' }
  const lost = sample(1, { output: null, finishReason: null, scored: false, failureClass: 'network', parseOk: false })
  const again = await regrade(resultOf(fixture, [cut, lost, { ...OFF, index: 2 }]), [fixture])
  expect(again).toMatchObject({ regraded: 1, left: { output_cut: ['/raw/a/0'], no_reply: ['/raw/a/1'] } })
})

test('an output that is there to the last byte is graded, whatever size it is said to have', async () => {
  const fixture = loaded('a')
  const whole = { ...RIGHT, output: 'Sieben Grüße', outputBytes: 14, outputSha256: 'ab' }
  const again = await regrade(resultOf(fixture, [whole]), [fixture])
  expect([again.regraded, again.left]).toEqual([1, {}])
  expect(pathsOf(again.differing)).toContain('/raw/a/0/parseOk')
})

test('a pattern without end stalls its own replies alone', { timeout: 30_000 }, async () => {
  const schema = { type: 'object', properties: { total: { type: 'string', pattern: '^(a+)+$' } }, required: ['total'] }
  const slow = loaded('a', { schema, expectedValues: { total: 'a' } })
  const stalls = (index: number): Sample => sample(index, { output: `{"total":"${'a'.repeat(40 + index)}!"}` })
  const quick = sample(0, { output: '{"total":"a"}' })
  const samples = [quick, stalls(1), { ...quick, index: 2, output: '{"total":"b"}' }]
  const again = await regrade(resultOf(slow, samples), [slow], 500)
  expect(again).toMatchObject({ regraded: 2, left: { no_grade_in_time: ['/raw/a/1'] } })
  expect(pathsOf(again.differing)).toEqual(['/raw/a/2/schemaConform', '/raw/a/2/valueAccuracy'])
  // After two the rest of the fixture is not tried, however quick it would be.
  const rest = { ...quick, index: 2 }
  const many = await regrade(resultOf(slow, [stalls(0), stalls(1), rest]), [slow], 300)
  const left = { no_grade_in_time: ['/raw/a/0', '/raw/a/1', '/raw/a/2'] }
  expect(many).toMatchObject({ regraded: 0, left })
})

const looked = (index: number, overrides: Partial<Sample>): Sample =>
  sample(index, {
    schemaConform: null,
    valueAccuracy: null,
    output: 'It is so (https://b.example/page).',
    searched: true,
    searchRequested: true,
    grounded: true,
    citationCount: 2,
    citations: [
      { url: 'https://b.example/page', kind: 'text' },
      { url: 'https://a.example/', kind: 'native' },
    ],
    ...overrides,
  })

test('citations are found again in the text, and from the search as far as they are kept', async () => {
  const fixture = loaded('g', { class: 'grounding' })
  const again = (one: Sample) => regrade(resultOf(fixture, [one]), [fixture])
  expect(await again(looked(0, {}))).toMatchObject({ regraded: 1, differing: [] })
  const unread = await again(looked(0, { output: 'It is so.' }))
  expect(pathsOf(unread.differing)).toEqual(['/raw/g/0/citationCount', '/raw/g/0/citations/https:~1~1b.example~1page'])
  expect(pathsOf((await again(looked(0, { grounded: false }))).differing)).toEqual(['/raw/g/0/grounded'])
})

test('an answer that was to be repeated is there or not', async () => {
  const fixture = loaded('c', { class: 'caching' })
  const kept = sample(0, { schemaConform: null, valueAccuracy: null, output: 'yes', cachedTokens: 5 })
  expect(await regrade(resultOf(fixture, [kept]), [fixture])).toMatchObject({ regraded: 1, differing: [] })
  const empty = await regrade(resultOf(fixture, [{ ...kept, output: '' }]), [fixture])
  expect(pathsOf(empty.differing)).toEqual(['/raw/c/0/failureClass', '/raw/c/0/parseOk'])
})
