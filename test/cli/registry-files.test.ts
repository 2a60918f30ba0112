import { mkdirSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Fixture } from '../../src/model/fixture.ts'
import type { Registry } from '../../src/registry/format.ts'
import { fixtureHash } from '../../src/fixtures/hash.ts'
import { claim, declaring, resultOf, samplesOf } from '../support/registry.ts'
import { tempProject } from '../support/temp-project.ts'

const resultText = (modelKey: string) =>
  JSON.stringify(resultOf('schema', { a: samplesOf(2, 2, {}, {}) }, { modelKey }))

test('every file below a folder is read once, whichever links lead back to it', async () => {
  const project = tempProject({
    'results/b/one.json': resultText('openai/one'),
    'results/b/notes.txt': 'no result',
    'elsewhere/two.json': resultText('openai/two'),
    'elsewhere/deep/three.json': resultText('openai/three'),
  })
  symlinkSync('..', `${project.root}/results/b/back`)
  symlinkSync('../elsewhere', `${project.root}/results/a-linked`)
  symlinkSync('../../results', `${project.root}/elsewhere/deep/round`)
  symlinkSync('/', `${project.root}/results/b/all`)
  symlinkSync('nowhere.json', `${project.root}/results/gone.json`)
  mkdirSync(`${project.root}/results/folder.json`)
  const { status, output } = await project.cli(['verify', '--json', 'results'])
  const { files } = JSON.parse(output) as { files: { file: string; ok: boolean }[] }
  expect(status).toBe(1)
  expect(files.map(({ file, ok }) => [file, ok])).toEqual([
    ['results/a-linked/deep/three.json', true],
    ['results/a-linked/two.json', true],
    ['results/b/one.json', true],
    ['results/gone.json', false],
  ])
})

test('fixtures tag what was measured by their hash, and need not be fit to be measured today', async () => {
  const fixture: Fixture = { id: 'a', class: 'schema', domain: 'legal', prompt: 'p', schema: { type: 'nothing' } }
  const result = resultOf('schema', { a: samplesOf(2, 2, {}, {}) }, { of: { fixtureHash: fixtureHash(fixture, null) } })
  const project = tempProject({
    'results/a.json': JSON.stringify(result),
    'fixtures/schema/a.json': JSON.stringify(fixture),
    'fixtures/schema/b.json': '{ broken',
  })
  const { status, output } = await project.cli(['registry'])
  expect([status, output]).toEqual([0, expect.stringMatching(/^FIXTURE_UNREADABLE {2}\S*\/b\.json: /)])
  const { models } = JSON.parse(project.read('registry/registry.json')) as Registry
  expect(models['openai/made-up']!.probed.schema!.fixtures['a']).toMatchObject({ domain: 'legal' })
})

test('what a newer run has measured all of is named', async () => {
  const older = resultOf('schema', { a: samplesOf(2, 2, {}, {}) }, { startedAt: new Date('2026-01-01T00:00:00Z') })
  const project = tempProject({
    'mine/new.json': resultText('openai/made-up'),
    'theirs/old.json': JSON.stringify(older),
  })
  const { output } = await project.cli(['registry', '--results', 'mine,theirs', '--out', 'deep/out'])
  expect(output).toMatch(/^2 result files: 1 used, 1 superseded, 0 refused\n {2}superseded: theirs\/old\.json$/m)
})

const MANY = 520

test('threads read many files, and make the entries of all models', async () => {
  const keys = Array.from({ length: MANY }, (_, at) => `openai/m-${String(at).padStart(3, '0')}`)
  const project = tempProject({
    ...Object.fromEntries(keys.map((key, at) => [`results/${at % 7}/${at}.json`, resultText(key)])),
    'results/forged.json': resultText('openai/forged').replace('"totalCostUsd":', '"totalCostUsd":9'),
    'd.json': JSON.stringify(declaring({ structuredOutput: [claim(true)] }, 'openai/unmeasured')),
    'wrong.json': '{ "formatVersion": 1 }',
  })
  const wrong = await project.cli(['registry', '--declared', 'wrong.json'])
  expect([wrong.status, wrong.output]).toEqual([
    1,
    expect.stringMatching(/^modelrig-probes: DECLARED_INVALID {2}wrong\.json.*\n$/),
  ])
  const { status, output } = await project.cli(['registry', '--declared', 'd.json', '--json'])
  expect(status).toBe(1)
  expect(JSON.parse(output)).toMatchObject({
    models: MANY + 1,
    declared: 1,
    probed: MANY,
    files: { given: MANY + 1, used: MANY, refused: [{ reason: 'not_verified' }] },
  })
  const { models } = JSON.parse(project.read('registry/registry.json')) as Registry
  expect(Object.keys(models)).toEqual([...keys, 'openai/unmeasured'].toSorted())
  expect(Object.values(models).filter(({ probed }) => probed.schema?.samples === 2)).toHaveLength(MANY)
})
