import { cpSync, existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fixtureHash } from '../../src/fixtures/hash.ts'
import type { Fixture } from '../../src/model/fixture.ts'
import type { Sample } from '../../src/model/sample.ts'
import { buildResult } from '../../src/results/build.ts'
import type { ResultFile } from '../../src/results/format.ts'
import { caseMeta, RUN, sample } from '../support/samples.ts'
import { PLAIN_CONFIG, tempProject } from '../support/temp-project.ts'

const FIXTURE: Fixture = {
  id: 'a',
  class: 'schema',
  domain: 'finance',
  prompt: 'p',
  schema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
  expectedValues: { total: 7 },
}

function result(samples: Sample[] = [sample(0), sample(1)], fixture = FIXTURE): ResultFile {
  const meta = caseMeta('a', samples, { probeClass: 'schema', fixtureHash: fixtureHash(fixture, null) })
  return buildResult({ ...RUN, probeClass: 'schema' } as never, [meta])
}

const text = (value: unknown): string => JSON.stringify(value)
const tampered = (): ResultFile => ({ ...result(), totalCostUsd: 5 })
const PROJECT = { 'fixtures/schema/a.json': text(FIXTURE), 'results/m-x/good.json': text(result()) }

test('the verdict comes first, and the exit status says it', async () => {
  const project = tempProject({ ...PROJECT, 'bad.json': text(tampered()) })
  const good = await project.cli(['verify', 'results/m-x/good.json'])
  expect(good.status).toBe(0)
  expect(good.output).toMatch(/^VERIFIED {2}results\/m-x\/good\.json · m\/x · schema · 1 fixtures?, 2 samples\n/)
  const bad = await project.cli(['verify', 'bad.json'])
  expect(bad.status).toBe(1)
  expect(bad.output).toMatch(/^FAILED {2}bad\.json .*\n {2}\/totalCostUsd: .*: recorded 5, is 0\.02\n/)
})

test('folders, patterns and several files, with a line for all', async () => {
  const project = tempProject({ ...PROJECT, 'results/m-y/bad.json': text(tampered()), 'results/m-y/no.json': '{' })
  const folder = await project.cli(['verify', 'results'])
  expect(folder.status).toBe(1)
  expect(folder.output).toMatch(/FAILED {2}results\/m-y\/no\.json\n {2}RESULT_UNREADABLE/)
  expect(folder.output).toMatch(/\nFAILED {2}3 files: 1 verified, 2 failed\n$/)
  expect(await project.cli(['verify', 'results/*/good.json'])).toMatchObject({ status: 0 })
  const gone = await project.cli(['verify', 'gone.json', 'results/m-x/good.json', '--json'])
  expect(gone.status).toBe(1)
  expect(JSON.parse(gone.output)).toMatchObject({
    ok: false,
    files: [
      { file: 'gone.json', ok: false, error: { code: 'RESULT_UNREADABLE' } },
      { file: 'results/m-x/good.json', ok: true },
    ],
  })
  const twice = await project.cli(['verify', 'results/m-x', 'results/m-x/good.json'])
  expect(twice.output).not.toContain('2 files')
})

test.for<[string, unknown, RegExp]>([
  [
    'a newer format',
    { ...result(), formatVersion: 2 },
    /RESULT_INVALID {2}f\.json: formatVersion: 2 is newer .* use a newer/,
  ],
  ['no result file', { a: 1 }, /RESULT_INVALID {2}f\.json: formatVersion: is missing/],
  [
    'one that lost its version',
    { ...result(), formatVersion: undefined },
    /RESULT_INVALID {2}f\.json: formatVersion: is missing/,
  ],
  ['another shape', { ...result(), raw: 1 }, /\/raw: must be object/],
])('refused: %s', async ([, content, message]) => {
  const { status, output } = await tempProject({ 'f.json': text(content) }).cli(['verify', 'f.json'])
  expect([status, output]).toEqual([1, expect.stringMatching(message)])
})

test.for<[string[], RegExp]>([
  [[], /OPTION_INVALID {2}FILE/],
  [['gone.json'], /RESULT_UNREADABLE {2}gone\.json: there is no such file/],
  [['results', '--fixtures', 'fixtures'], /--fixtures: goes with --regrade/],
  [['results', '--against', 'gone.json'], /RESULT_UNREADABLE {2}gone\.json/],
  [['results', '--regrade', '--fixtures', 'gone'], /FIXTURES_EMPTY .*gone/],
])('refused: verify %j', async ([args, message]) => {
  const { status, output } = await tempProject(PROJECT).cli(['verify', ...args])
  expect([status, output]).toEqual([1, expect.stringMatching(message)])
})

test('outputs are graded again, in the thread of the built package', async () => {
  const project = tempProject({
    ...PROJECT,
    'text.json': text(result([sample(0), sample(1, { output: '{"total":8}' })])),
    'hash.json': text(result([sample(0)], { ...FIXTURE, prompt: 'q' })),
  })
  const good = await project.cli(['verify', 'results', '--regrade'])
  expect([good.status, good.output]).toEqual([0, expect.stringContaining('2 samples graded again, as recorded')])
  const changed = await project.cli(['verify', '--regrade', 'text.json'])
  expect(changed.status).toBe(1)
  expect(changed.output).toContain('/raw/a/1/valueAccuracy: is graded another way: recorded 1, is 0')
  const other = await project.cli(['verify', 'hash.json', '--regrade'])
  expect(other.status).toBe(1)
  expect(other.output).toContain('/fixtureHashes/a: is not the hash of the fixture at hand')
  project.write('empty/x.txt', '')
  const idle = await project.cli(['verify', 'results', '--regrade', '--fixtures', 'empty'])
  expect([idle.status, idle.output]).toEqual([1, expect.stringContaining('not at hand')])
  expect(idle.output).toContain('0 samples graded again: nothing was checked')
})

test('a run is held against a published file, and machines can read it all', async () => {
  const broken = (index: number): Sample => sample(index, { schemaConform: false, valueAccuracy: null })
  const of = (make: (index: number) => Sample): string => text(result(Array.from({ length: 20 }, (_, i) => make(i))))
  const project = tempProject({ ...PROJECT, 'published.json': of(sample), 'fallen.json': of(broken) })
  const same = await project.cli(['verify', 'results/m-x/good.json', '--against', 'published.json'])
  expect([same.status, same.output]).toEqual([0, expect.stringContaining('does not contradict published.json')])
  expect(same.output).not.toContain('modelKey')
  const renamed = { ...(JSON.parse(of(sample)) as ResultFile), modelKey: 'm/y' }
  project.write('renamed.json', text(renamed))
  const named = await project.cli(['verify', 'renamed.json', '--against', 'published.json'])
  expect(named).toMatchObject({
    status: 0,
    output: expect.stringContaining('remark: /modelKey: is m/y, and that of the published file m/x') as string,
  })
  const fallen = await project.cli(['verify', 'fallen.json', '--against', 'published.json', '--json'])
  expect(fallen.status).toBe(1)
  expect(JSON.parse(fallen.output)).toMatchObject({
    ok: false,
    files: [
      { file: 'fallen.json', ok: false, findings: [], against: { shared: ['a'], evidence: [{ rate: 'conform' }, {}] } },
    ],
  })
  project.write('other.json', text(result([sample(0)], { ...FIXTURE, prompt: 'q' })))
  const refused = await project.cli(['verify', 'results', '--against', 'other.json', '--json'])
  expect(refused.status).toBe(1)
  expect(JSON.parse(refused.output)).toMatchObject({ files: [{ ok: false, error: { code: 'AGAINST_REFUSED' } }] })
  project.write('bad.json', text(tampered()))
  const wrong = await project.cli(['verify', 'results', '--against', 'bad.json'])
  expect([wrong.status, wrong.output]).toEqual([
    1,
    expect.stringMatching(/RESULT_INVALID {2}bad\.json: \/totalCostUsd/),
  ])
})

const SHARED = new URL('../../../shared/modelrig', import.meta.url).pathname
const PUBLISHED = `${SHARED}/results/openai-gpt-5.2/schema-2026-08-19.json`

test.runIf(existsSync(SHARED))(
  'a fresh run on ModelRig’s fixtures is held against what ModelRig published of them',
  async () => {
    const project = tempProject({
      'vitest.config.ts': PLAIN_CONFIG,
      'probes/schema.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('schema')\n`,
    })
    cpSync(`${SHARED}/fixtures/schema`, `${project.root}/fixtures/schema`, { recursive: true })
    const models = 'sim/perfect,sim/careless'
    const { status } = await project.cli([
      'run',
      '--model',
      models,
      '--class',
      'schema',
      '--samples',
      '20',
      '--out',
      'r',
    ])
    expect(status).toBe(0)
    // Every answer that is published conforms; the one model always does, the other 7 times in 10.
    const perfect = await project.cli(['verify', 'r/sim-perfect', '--against', PUBLISHED])
    expect([perfect.status, perfect.output]).toEqual([
      0,
      expect.stringMatching(/does not contradict .* on 4 shared fixtures/),
    ])
    const careless = await project.cli(['verify', 'r/sim-careless', '--against', PUBLISHED])
    expect([careless.status, careless.output]).toEqual([1, expect.stringMatching(/evidence: conform of all fixtures/)])
  },
)
