import { expect, test } from 'vitest'
import { configWith, imageFixture, PLAIN_CONFIG, png, tempProject, type TempProject } from '../support/temp-project.ts'

const PRICED = `providers: [scriptedProvider({
  price: { inputUsdPerMTok: 0, outputUsdPerMTok: 0, perCallUsd: 0.01 },
  reply: () => '{"total":7}',
})]`

const schemaFixture = (id: string) =>
  imageFixture(id, { class: 'schema', image: undefined, prompt: `What is the total of ${id}?` })

async function project(files: Record<string, string> = {}): Promise<TempProject> {
  return tempProject({
    'vitest.config.ts': configWith(PRICED),
    'probes/schema.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('schema')\n`,
    'probes/image.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image')\n`,
    'fixtures/schema/001.json': schemaFixture('001'),
    'fixtures/schema/1.json': schemaFixture('1'),
    'fixtures/image/blank.png': await png(),
    'fixtures/image/a.json': imageFixture('a'),
    ...files,
  })
}

/** `class fixture samples` of every row of every result. */
function rowsOf(run: TempProject, folder?: string): string[] {
  return Object.values(run.results(folder)).flatMap((result) =>
    result.stats.map(({ fixtureId, samples }) => `${result.modelKey} ${result.class} ${fixtureId} ${samples}`),
  )
}

/** Says of each call on which rung it is asked, and how many are open with it. */
const TELLING = `providers: [scriptedProvider({
  price: { inputUsdPerMTok: 0, outputUsdPerMTok: 0, perCallUsd: 0.01 },
  reply: async ({ request }) => {
    open.now = (open.now ?? 0) + 1
    await new Promise((done) => setTimeout(done, 20))
    console.log('asked on ' + request.rung + ', open: ' + open.now--)
    return '{"total":7}'
  },
})]`

test('every flag reaches the run, and goes before the environment and the configuration', async () => {
  const config = configWith(`${TELLING}, models: ['scripted/d'], samples: 8, rung: 'native', concurrency: 1`)
  const run = await project({
    'vitest.config.ts': config.replace('export default', 'const open = {}\nexport default'),
    'other/schema/x.json': schemaFixture('x'),
  })
  const flags = ['--model', 'scripted/a', '--model', 'scripted/b', '--class', 'schema', '--samples', '3']
  const more = [
    '--out',
    'elsewhere',
    '--fixtures',
    'other',
    '--envelope=0.5',
    '--concurrency',
    '2',
    '--rung',
    'json_mode',
  ]
  const environment = {
    PROBE_MODEL: 'scripted/c',
    PROBE_SAMPLES: '9',
    PROBE_OUT: 'o',
    PROBE_FIXTURES: 'fixtures',
    PROBE_ENVELOPE_USD: '0.01',
    PROBE_CONCURRENCY: '5',
    PROBE_RUNG: 'auto',
  }
  const { status, output } = await run.cli(['run', ...flags, ...more], environment)
  const told = [...output.matchAll(/asked on (\w+), open: (\d)/g)]
  expect(told.map(([, rung]) => rung)).toEqual(Array(6).fill('json_mode'))
  expect(Math.max(...told.map(([, , open]) => Number(open)))).toBe(2)
  expect([status, output]).toEqual([0, expect.stringContaining('$0.03 of $0.50')])
  expect(rowsOf(run, 'elsewhere')).toEqual(['scripted/a schema x 3', 'scripted/b schema x 3'])
})

test('without a class all that have probe files are measured; without a model the defaults', async () => {
  const run = await project()
  const { status, output } = await run.cli(['run', '--samples', '1'])
  expect(status).toBe(0)
  expect(output).toContain('no model is named; by default')
  expect(rowsOf(run)).toEqual(['local/tesseract image a 1', 'sim/steady schema 001 1', 'sim/steady schema 1 1'])
})

test('fixtures are chosen by their whole id', async () => {
  const run = await project()
  const args = ['run', '--model', 'scripted/x', '--samples', '1', '--class', 'schema,image']
  expect((await run.cli([...args, '--fixture', '001', '--out', 'one'])).status).toBe(0)
  expect(rowsOf(run, 'one')).toEqual(['scripted/x schema 001 1'])
  expect((await run.cli([...args, '--fixture', 'a,1', '--out', 'two'])).status).toBe(0)
  expect(rowsOf(run, 'two')).toEqual(['scripted/x image a 1', 'scripted/x schema 1 1'])
})

test('an id is no pattern', async () => {
  const run = await project({
    'fixtures/schema/a.b.json': schemaFixture('a.b'),
    'fixtures/schema/axb.json': schemaFixture('axb'),
    'fixtures/schema/a-b.json': schemaFixture('a-b'),
  })
  const args = ['run', '--model', 'scripted/x', '--samples', '1', '--class', 'schema', '--fixture']
  expect((await run.cli([...args, 'a.b'])).status).toBe(0)
  expect(rowsOf(run)).toEqual(['scripted/x schema a.b 1'])
})

test('a fixture that there is none of is named before anything is bought', async () => {
  const run = await project()
  const { status, output } = await run.cli(['run', '--model', 'scripted/x', '--class', 'schema', '--fixture', '1,typo'])
  expect(output).toMatch(/^modelrig-probes: OPTION_INVALID  --fixture: no probe of schema is named typo; fix: .*\n$/)
  expect([status, rowsOf(run)]).toEqual([1, []])
})

test('fixtures that lie where only the configuration says are chosen, and missed, like any other', async () => {
  const run = await project({
    'vitest.config.ts': configWith(`${PRICED}, fixtures: 'kept/elsewhere'`),
    'kept/elsewhere/schema/invoice-88.json': schemaFixture('invoice-88'),
    'kept/elsewhere/schema/invoice-89.json': schemaFixture('invoice-89'),
  })
  const args = ['run', '--model', 'scripted/x', '--class', 'schema', '--samples', '1', '--fixture']
  const there = await run.cli([...args, 'invoice-88'])
  expect([there.status, there.output]).toEqual([0, expect.stringContaining('1 fixture x 1 sample')])
  expect(rowsOf(run)).toEqual(['scripted/x schema invoice-88 1'])
  // The default folder has this one, and is not where this configuration keeps fixtures.
  const missing = await run.cli([...args, '001', '--out', 'none'])
  expect(missing.output).toMatch(
    /^modelrig-probes: OPTION_INVALID {2}--fixture: no probe of schema is named 001; fix: .*\n$/,
  )
  expect([missing.status, rowsOf(run, 'none')]).toEqual([1, []])
})

test('an id that only looks like one in a probe file is told after the run', async () => {
  const run = await project({
    'probes/schema.probe.ts': `import { probeFixtures } from 'modelrig-probes'\n// Not ghost, though.\nprobeFixtures('schema')\n`,
  })
  const { status, output } = await run.cli([
    'run',
    '--model',
    'scripted/x',
    '--class',
    'schema',
    '--fixture',
    '1,ghost',
  ])
  expect(output).toContain('--fixture: no probe of schema is named ghost')
  expect([status, rowsOf(run)]).toEqual([1, ['scripted/x schema 1 5']])
})

test('a fixture that is skipped is said to be, rather than measured', async () => {
  const run = await project({
    'probes/schema.probe.ts': `import { probe } from 'modelrig-probes'\nprobe.skip(${schemaFixture('left-out')})\n`,
  })
  const { status, output } = await run.cli([
    'run',
    '--model',
    'scripted/x',
    '--class',
    'schema',
    '--fixture',
    'left-out',
  ])
  expect(output).toContain('--fixture: nothing was measured: left-out is skipped, or left out by an "only"')
  expect(status).toBe(1)
})

test('probe files need no configuration beside them', async () => {
  const run = tempProject({
    'probes/schema.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('schema')\n`,
    'fixtures/schema/a.json': schemaFixture('a'),
  })
  const { status } = await run.cli(['run', '--model', 'sim/perfect', '--samples', '2'])
  expect(status).toBe(0)
  expect(rowsOf(run)).toEqual(['sim/perfect schema a 2'])
})

test('an envelope that is reached is status 2, with what was measured', async () => {
  const run = await project()
  const args = ['--model', 'scripted/x', '--class', 'schema', '--envelope', '0.035']
  const { status, output } = await run.cli(['run', ...args])
  expect(status).toBe(2)
  expect(output).toContain('the envelope of $0.035 is reached: $0.03 spent')
  expect(Object.values(run.results())).toMatchObject([{ complete: false, stopReason: 'envelope_exceeded' }])
})

test.for<[string, string[], RegExp]>([
  [
    'an unknown flag',
    ['--sample', '3'],
    /--sample: is no flag of run; allowed: --model, .*; fix: did you mean --samples\?/,
  ],
  [
    'a flag of Vitest',
    ['--reporter=junit'],
    /--reporter: is no flag of run; fix: flags of Vitest go with Vitest: npx vitest run --project schema --reporter=…/,
  ],
  ['an argument', ['schema'], /run: takes no arguments, and was given schema/],
  ['flags after --', ['--', '--model', 'a/b'], /takes nothing after --, and was given --model a\/b/],
  ['a flag without its value', ['--samples'], /--samples: its value is missing: --samples <n>/],
  ['a number that is none', ['--samples', 'many'], /--samples: "many" is not allowed; allowed: a whole number from 1/],
  ['a number out of range', ['--samples', '0'], /--samples: 0 is not allowed; allowed: a whole number from 1/],
  [
    'an amount that is none',
    ['--envelope', '1e3'],
    /--envelope: "1e3" is not allowed; allowed: an amount in US dollars/,
  ],
  ['a flag given twice', ['--samples', '1', '--samples', '2'], /--samples: takes one value/],
  ['an empty value', ['--out', ''], /--out: takes one value/],
  ['an empty member of a list', ['--model', 'a/b,'], /--model: one of its values is empty/],
  [
    'a rung that there is none of',
    ['--rung', 'strict'],
    /--rung: "strict" is not allowed; allowed: auto, native, json_mode/,
  ],
  ['a class that there is none of', ['--class', 'images'], /--class: there is no class "images"; allowed: schema/],
])('%s is said in one line, with status 1, and nothing is called', async ([, args, message]) => {
  const run = await project()
  const { status, output } = await run.cli(['run', ...args])
  expect(output).toMatch(message)
  expect(output.trim().split('\n')).toHaveLength(1)
  expect([status, rowsOf(run)]).toEqual([1, []])
})

test('flags, values and model keys that are wrong are told together, each once', async () => {
  const run = await project()
  const { status, output } = await run.cli(['run', '--sample', '3', '--samples', 'x', '--out', '', '--model', 'odd'])
  const fields = [...output.matchAll(/^modelrig-probes: \w+ {2}(--\w+): /gm)].map(([, field]) => field)
  expect([status, fields.toSorted()]).toEqual([1, ['--model', '--out', '--sample', '--samples']])
})

test('a probe file that cannot be loaded says why, and nothing of fixtures that are not found', async () => {
  const run = await project({
    'probes/schema.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('schema', () => false)\n`,
  })
  const { status, output } = await run.cli(['run', '--class', 'schema', '--model', 'scripted/x', '--fixture', '001'])
  expect(output).toContain('no fixture is left to probe')
  expect(output).not.toContain('is named 001')
  expect(status).toBe(4)
})

test('what keeps a run from starting is told at once, without a stack, with status 4', async () => {
  const run = await project()
  const { status, output } = await run.cli(['run', '--class', 'schema', '--model', 'nobody/x,openai/gpt-5.2,odd'])
  expect(status).toBe(4)
  expect(output).toMatch(/PROVIDER_UNKNOWN .*there is no provider "nobody"/)
  expect(output).toMatch(/KEY_MISSING .*OPENAI_API_KEY/)
  expect(output).toMatch(/MODEL_KEY_INVALID {2}command line: --model: "odd" is not a model key/)
  expect(output).not.toMatch(/^\s+at /m)
})

test('a class without a probe file says what to add', async () => {
  const run = await project()
  const { status, output } = await run.cli(['run', '--class', 'caching,grounding'])
  expect(status).toBe(4)
  expect(output).toMatch(/no probe file of class caching here; fix: add probes\/caching\.probe\.ts with: import/)
  expect(output).toMatch(/no probe file of class grounding here/)
})

test('a configuration without the plugin says what to add', async () => {
  const run = await project({
    'vitest.config.ts': `import { defineConfig } from 'vitest/config'\nexport default defineConfig({})\n`,
  })
  const { status, output } = await run.cli(['run', '--class', 'schema'])
  expect(output).toMatch(/vitest\.config\.ts: the configuration has no probe projects; fix: add probes\(\)/)
  expect(status).toBe(4)
})

test('the plugin’s own run and the command are one engine: the same cases, the same samples', async () => {
  const run = await project({ 'vitest.config.ts': PLAIN_CONFIG })
  const environment = { PROBE_MODEL: 'sim/careless', PROBE_SAMPLES: '10' }
  await run.vitest(['run', '--project', 'schema'], { ...environment, PROBE_OUT: 'a' })
  await run.cli(['run', '--class', 'schema', '--out', 'b'], environment)
  const answers = (folder: string) =>
    Object.values(run.results(folder)).map(({ raw }) =>
      Object.values(raw).map((own) => own.map(({ output }) => output)),
    )
  expect(answers('b')).toEqual(answers('a'))
  expect(answers('a')).toHaveLength(1)
})
