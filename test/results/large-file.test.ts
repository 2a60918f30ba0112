import { truncateSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { fixtureHash } from '../../src/fixtures/hash.ts'
import type { Fixture, LoadedFixture } from '../../src/model/fixture.ts'
import { buildResult } from '../../src/results/build.ts'
import { checkFile, readPublished, type FileReport } from '../../src/results/check-file.ts'
import { withChecksums } from '../../src/results/checksums.ts'
import type { ResultFile } from '../../src/results/format.ts'
import { caseMeta, RUN, sample } from '../support/samples.ts'
import { tempProject } from '../support/temp-project.ts'

function loaded(id: string): LoadedFixture {
  const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
  const own = { id, class: 'schema', domain: 'finance', prompt: 'p', schema, expectedValues: { total: 7 } } as const
  const fixture: Fixture = own
  const tags = { domain: 'finance', family: 'f', difficulty: 'standard', subtype: null } as const
  return { fixture, id, class: 'schema', ...tags, hash: fixtureHash(fixture, null), image: null, file: null }
}

const FIXTURES = ['a', 'b'].map(loaded)
const NOTE = 'x'.repeat(200_000)

let text: string

beforeAll(() => {
  const cases = FIXTURES.map(({ id, hash }) =>
    caseMeta(
      id,
      Array.from({ length: id === 'a' ? 80 : 100 }, (_, index) =>
        sample(index, { output: `{"total":7,"note":"${NOTE}"}` }),
      ),
      { probeClass: 'schema', fixtureHash: hash },
    ),
  )
  const result = withChecksums(buildResult({ ...RUN, probeClass: 'schema' } as never, cases))
  text = `${JSON.stringify(result, null, 2)}\n`
})

/** What is told of a text, but for where it stands. */
async function report(content: string): Promise<Omit<FileReport, 'file'>> {
  const { root } = tempProject({ 'r.json': content })
  const { file: _file, error, ...told } = await checkFile(`${root}/r.json`, { fixturesOf: () => FIXTURES })
  return { ...told, error: error === null ? null : ({ code: error.code, field: error.field } as never) }
}

const CHANGES: readonly [string, string][] = [
  ['"costUsd": 0.01', '"costUsd": 0.02'],
  ['"conformRate": 1', '"conformRate": 0.99'],
  ['{\\"total\\":7', '{\\"total\\":8'],
  ['"index": 3,', '"index": 4,'],
]

test.for<[string, readonly [string, string][], number]>([
  ['untouched', [], 0],
  ['with figures that were changed', CHANGES, 4],
  ['with samples that are none', [['"scored": true', '"scored": 1']], 1],
])('a large file tells the same in pieces as in one: %s', async ([, changes, least]) => {
  const changed = changes.reduce((before, [from, to]) => before.replace(from, to), text)
  const inPieces = await report(changed)
  // Laid out another way it cannot be cut.
  const inOne = await report(JSON.stringify(JSON.parse(changed) as ResultFile))
  expect(Buffer.byteLength(changed)).toBeGreaterThan(32 * 1024 * 1024)
  expect(inPieces.findings.length).toBeGreaterThanOrEqual(least)
  expect(inPieces.ok).toBe(least === 0)
  expect(inPieces).toEqual(inOne)
})

test.for<[string, (text: string) => string, string]>([
  ['a field', (whole) => whole.replace('{', '{ "totalCostUsd": 5,'), '/totalCostUsd'],
  ['a fixture', (whole) => whole.replace('\n  "raw": {', '\n  "raw": {\n    "b": [\n      1\n    ],'), '/raw/b'],
  ['raw', (whole) => whole.replace('\n  "raw": {', '\n  "r\\u0061w": {},\n  "raw": {'), '/raw'],
])('in a large file %s that stands twice is told', async ([, change, field]) => {
  expect(await report(change(text))).toMatchObject({ ok: false, error: { code: 'RESULT_INVALID', field } })
})

test.for<[string, (sample: string) => string, string]>([
  [
    'a key stands twice',
    (sample) => sample.replace('"scored": true', '"scored": false, "scored": true'),
    '/raw/a/0/scored',
  ],
  [
    'a key stands twice, and a colon is hidden',
    (sample) =>
      sample.replace('"index": 0', '"index": 0, "index": 0').replace('{\\"total\\":7', '{\\"total\\"\\u003a7'),
    '/raw/a/0/index',
  ],
  [
    'something is nested too deep',
    (sample) => sample.replace('"index": 0', `"index": 0, "mismatches": ${'['.repeat(1500)}${']'.repeat(1500)}`),
    '',
  ],
])('where in a sample of a large file %s it is told, in pieces as in one', async ([, change, field]) => {
  const changed = change(text)
  expect(changed).not.toBe(text)
  const inPieces = await report(changed)
  expect(inPieces).toMatchObject({ ok: false, error: { code: 'RESULT_INVALID', field } })
  expect(inPieces).toEqual(await report(changed.replaceAll('\n', '\r\n')))
})

test('samples that are no JSON are told like any file that is none', async () => {
  const { error } = await report(text.replace('"scored": true', '"scored": yes'))
  expect(error).toMatchObject({ code: 'RESULT_UNREADABLE' })
})

test('samples under a name that stands twice are no samples', async () => {
  const [, samples] = /\n {2}("raw": \{\n {4}"[^]*?\n {2}\}),/.exec(text)!
  const forged = text
    .replace(`\n  ${samples},`, () => '')
    .replace('\n  "stats":', () => `\n  "stats": {\n  ${samples}},\n  "raw": {"a": 0, "b": 1},\n  "stats":`)
  expect(await report(forged)).toMatchObject({ ok: false, error: { code: 'RESULT_INVALID', field: '/stats' } })
})

test('a file that is cut off while it is looked through is told like one that was cut off before', async () => {
  const { root } = tempProject({ 'r.json': text })
  const pending = checkFile(`${root}/r.json`, { fixturesOf: () => FIXTURES })
  truncateSync(`${root}/r.json`, text.length / 2)
  const { error } = await pending
  expect(error).toMatchObject({ code: 'RESULT_UNREADABLE', file: `${root}/r.json` })
  const { root: other } = tempProject({ 'r.json': text })
  const published = readPublished(`${other}/r.json`)
  truncateSync(`${other}/r.json`, text.length / 2)
  await expect(published).rejects.toMatchObject({ name: 'ProbeError', code: 'RESULT_UNREADABLE' })
})
