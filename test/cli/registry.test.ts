import { readdirSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Leaderboard } from '../../src/leaderboard/format.ts'
import type { Registry } from '../../src/registry/format.ts'
import { claim, declaring, resultOf, samplesOf } from '../support/registry.ts'
import { tempProject, type TempProject } from '../support/temp-project.ts'

const GOOD = resultOf('schema', { a: samplesOf(20, 20, {}, {}) })
const BAD = resultOf('schema', { a: samplesOf(0, 20, {}, { schemaConform: false, valueAccuracy: null }) })
const DECLARED = declaring({ structuredOutput: [claim(true)] })

function projectWith(files: Readonly<Record<string, unknown>>): TempProject {
  return tempProject(Object.fromEntries(Object.entries(files).map(([name, one]) => [name, JSON.stringify(one)])))
}

test('registry and leaderboard are made of results and claims; the first tells what it found', async () => {
  const project = projectWith({ 'results/x/schema.json': BAD, 'registry/declared.json': DECLARED })
  const { status, output } = await project.cli(['registry'])
  expect([status, output]).toEqual([
    0,
    expect.stringContaining('registry/registry.json: 1 model, 1 declared, 1 probed'),
  ])
  expect(output).toContain('1 result file: 1 used, 0 superseded, 0 refused')
  expect(output).toMatch(
    /openai\/made-up: declared_schema_low_conformance \(confirmed\): Structured output is declared .* 0\/20 0\.0%/,
  )
  const registry = JSON.parse(project.read('registry/registry.json')) as Registry
  expect(registry.models['openai/made-up']!.probed.schema!.files[0]!.file).toBe('../results/x/schema.json')
  const made = await project.cli(['leaderboard', '--samples', '1'])
  expect([made.status, made.output]).toEqual([0, expect.stringContaining('1 of 20 samples are in it to look at')])
  const board = JSON.parse(project.read('leaderboard/leaderboard.json')) as Leaderboard
  expect(board.files).toEqual(['../results/x/schema.json'])
  expect(board.models[0]!.samples).toHaveLength(1)
})

test('a forged file is refused by name with status 1, and the registry is written without it', async () => {
  const project = projectWith({ 'results/good.json': GOOD, 'results/forged.json': { ...GOOD, totalCostUsd: 9 } })
  const { status, output } = await project.cli(['registry', '--declared', 'd.json'])
  expect([status, output]).toEqual([1, expect.stringContaining('DECLARED_INVALID  d.json: there is no such file')])
  const built = await project.cli(['registry'])
  expect([built.status, built.output]).toEqual([
    1,
    expect.stringContaining('refused: results/forged.json: not_verified: /totalCostUsd'),
  ])
  expect(built.output).toContain('  modelrig-probes verify tells all that is wrong with a file')
  expect(Object.keys((JSON.parse(project.read('registry/registry.json')) as Registry).models)).toContain(
    'openai/made-up',
  )
})

test('simulated results are refused by the path that was given, and how they are let in is told', async () => {
  const project = projectWith({ 'results/sim.json': { ...GOOD, simulated: true, modelKey: 'sim/steady' } })
  const { output } = await project.cli(['registry', '--out', 'built/here'])
  expect(output).toMatch(/^ {2}refused: results\/sim\.json: .*\n {2}--simulated lets simulated results in$/m)
})

test('of a claim that is none it is told what would have been one', async () => {
  const models = { 'a/b': { structured_output: [claim(true)], vision: [{ ...claim(true), by: 'me' }] } }
  const project = projectWith({ 'results/good.json': GOOD, 'registry/declared.json': { formatVersion: 1, models } })
  const { status, output } = await project.cli(['registry'])
  expect(status).toBe(1)
  expect(output).toMatch(/structured_output \(allowed: structuredOutput, jsonMode, /)
  expect(output).toMatch(/\/models\/a~1b\/vision\/0\/by.*: vendor, price_map, models_list, other/)
  expect(output).toContain('fix: mend it by schemas/declared.schema.json')
})

test('results of several folders come together in one registry', async () => {
  const other = resultOf('schema', { b: samplesOf(4, 4, {}, {}) }, { startedAt: new Date('2026-01-12T00:00:00Z') })
  const project = projectWith({ 'ours/a.json': GOOD, 'theirs/b.json': other })
  const { status } = await project.cli(['registry', '--results', 'ours', '--results', 'theirs'])
  const { models } = JSON.parse(project.read('registry/registry.json')) as Registry
  expect([status, models['openai/made-up']!.probed.schema!.samples]).toEqual([0, 24])
})

test('--json is for machines', async () => {
  const project = projectWith({ 'results/good.json': GOOD, 'registry/declared.json': DECLARED })
  const { output } = await project.cli(['registry', '--json'])
  expect(JSON.parse(output)).toMatchObject({
    models: 1,
    probed: 1,
    discrepancies: { confirmed: 0, suspected: 0 },
    files: { used: 1 },
  })
  const board = await project.cli(['leaderboard', '--json'])
  expect(JSON.parse(board.output)).toMatchObject({ models: 1, mix: { fixtures: 1, samples: 20 } })
  const map = { x: { litellm_provider: 'openai', supports_vision: true } }
  project.write('map.json', JSON.stringify(map))
  const imported = await project.cli(['registry', 'import-declared', 'map.json', '--json'])
  expect(JSON.parse(imported.output)).toMatchObject({ style: 'price_map', newModels: ['openai/x'], newClaims: 1 })
})

test('an import says what changed, and a list that makes lines of its own makes none', async () => {
  const project = projectWith({
    'registry/declared.json': declaring({ vision: [claim(false)] }, 'openai/x'),
    'map.json': {
      x: { litellm_provider: 'openai', supports_vision: true },
      'evil\n\u001b[2Jname': { litellm_provider: 'openai' },
    },
  })
  const { status, output } = await project.cli(['registry', 'import-declared', 'map.json', '--source', 'my map'])
  expect(status).toBe(0)
  expect(output).toContain('registry/declared.json: written, with what my map says, read as a map of prices\n')
  expect(output).toContain('differs from another source: openai/x: vision true, and false elsewhere')
  expect(output).toContain('not read: evil\\u000a\\u001b[2Jname: cannot be the name of a model')
  expect(project.read('registry/declared.json')).toContain('"source":"my map"')
  expect(output).not.toContain('begins with the claims of this package')
  const anew = await project.cli(['registry', 'import-declared', 'map.json', '--out', 'anew'])
  expect(anew.output).toContain('it was not there, and begins with the claims of this package\n')
})

test.for<[string, readonly string[], RegExp]>([
  [
    'an unknown action',
    ['registry', 'import'],
    /OPTION_INVALID .*does not know "import"; allowed: nothing, or import-declared/,
  ],
  ['an import of nothing', ['registry', 'import-declared'], /takes one file, and was given 0/],
  ['a flag of the import', ['registry', '--as-of', '2026-01-01'], /--as-of: goes with import-declared alone/],
  [
    'a flag of the build',
    ['registry', 'import-declared', 'x', '--simulated'],
    /--simulated: does not go with import-declared/,
  ],
  [
    'a name of a source that no claim can have',
    ['registry', 'import-declared', 'x', '--source', 's'.repeat(501)],
    /--source: 501 characters are no name of a source; allowed: 1 to 500/,
  ],
  ['no day', ['registry', 'import-declared', 'x', '--as-of', '2026-02-30'], /"2026-02-30" is no day/],
  [
    'a day to come',
    ['registry', 'import-declared', 'x', '--as-of', '2999-01-01'],
    /--as-of: 2999-01-01 is yet to come; allowed: a day up to 20\d\d-\d\d-\d\d, UTC/,
  ],
  ['no number of days', ['registry', '--stale-after-days', '0'], /"0" is no number of days/],
  [
    'results that are not there',
    ['registry', '--results', 'nowhere'],
    /RESULT_UNREADABLE .*nowhere: there is no such file/,
  ],
  [
    'a registry that is not there',
    ['leaderboard'],
    /REGISTRY_INVALID .*registry\/registry\.json: there is no such file; fix: build it with modelrig-probes registry/,
  ],
  ['no number of samples', ['leaderboard', '--samples', 'many'], /"many" is no number of samples/],
  [
    'an unknown flag',
    ['leaderboard', '--registri', 'x'],
    /--registri: is no flag of leaderboard; .*did you mean --registry/,
  ],
  ['an unknown command', ['regstry'], /unknown command "regstry"; .*did you mean registry/],
])('%s is refused with status 1', async ([, args, message]) => {
  const { status, output } = await tempProject({}).cli(args)
  expect([status, output]).toEqual([1, expect.stringMatching(message)])
})

test('results of days to come are told', async () => {
  const project = projectWith({
    'results/a.json': resultOf(
      'schema',
      { a: samplesOf(2, 2, {}, {}) },
      { startedAt: new Date('2999-01-01T00:00:00Z') },
    ),
  })
  const { status, output } = await project.cli(['registry'])
  expect([status, output]).toEqual([0, expect.stringMatching(/^results\/a\.json: is of 2999-01-01T00:00:00\.000Z/)])
})

test('a name that leads in a circle is told like any that cannot be read', async () => {
  const project = tempProject({})
  symlinkSync('round.json', `${project.root}/round.json`)
  const { status, output } = await project.cli(['verify', 'round.json'])
  expect([status, output]).toEqual([
    1,
    expect.stringMatching(/RESULT_UNREADABLE {2}round\.json: cannot be read: ELOOP/),
  ])
})

test('nothing is left of what cannot be written, and what was there stays', async () => {
  const project = projectWith({ 'results/a.json': GOOD, file: 1, 'out/registry.json/in.json': 1 })
  const blocked = await project.cli(['registry', '--out', 'file'])
  expect([blocked.status, blocked.output]).toEqual([
    1,
    expect.stringContaining('REGISTRY_UNWRITABLE  file/registry.json'),
  ])
  const taken = await project.cli(['registry', '--out', 'out'])
  expect([taken.status, taken.output]).toEqual([1, expect.stringContaining('REGISTRY_UNWRITABLE  out/registry.json')])
  expect(readdirSync(`${project.root}/out`)).toEqual(['registry.json'])
  expect(project.read('out/registry.json/in.json')).toBe('1')
})
