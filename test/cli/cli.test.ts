import { expect, test } from 'vitest'
import { HARNESS_VERSION } from '../../src/model/version.ts'
import { imageFixture, png, tempProject } from '../support/temp-project.ts'

async function project() {
  return tempProject({
    'fixtures/image/blank.png': await png(),
    'fixtures/image/b.json': imageFixture('b', { difficulty: 'hard', source: 'contributed:someone' }),
    'fixtures/image/a.json': imageFixture('a'),
  })
}

test('list-fixtures lists them sorted, with class, hash and tags', async () => {
  const { status, output } = await (await project()).cli(['list-fixtures'])
  const [head, ...rows] = output
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/))
  expect(head).toEqual(['class', 'id', 'hash', 'difficulty', 'family', 'domain', 'source'])
  expect(rows).toEqual([
    ['image', 'a', expect.stringMatching(/^[0-9a-f]{16}$/), 'standard', 'probe-suite', 'finance'],
    ['image', 'b', expect.stringMatching(/^[0-9a-f]{16}$/), 'hard', 'probe-suite', 'finance', 'contributed:someone'],
  ])
  expect(status).toBe(0)
})

test('list-fixtures --json is for machines; --class and --fixtures choose', async () => {
  const { cli, root } = await project()
  const { output } = await cli(['list-fixtures', '--json', '--class', 'image', '--fixtures', `${root}/fixtures`])
  expect(JSON.parse(output)).toMatchObject({ fixtures: [{ id: 'a', class: 'image' }, { id: 'b' }], problems: [] })
  expect((await cli(['list-fixtures', '--class', 'schema'])).output).toContain('no fixtures')
})

test('a broken fixture is named beside the good ones, with status 4', async () => {
  const { cli, write } = await project()
  write('fixtures/image/c.json', imageFixture('c', { domain: undefined }))
  const { status, output } = await cli(['list-fixtures'])
  expect(output).toMatch(/image +a /)
  expect(output).toMatch(/FIXTURE_INVALID .*c\.json: domain: is missing/)
  expect(status).toBe(4)
})

test('a folder that is not there is a problem, with status 4', async () => {
  const { cli } = await project()
  for (const run of [
    await cli(['list-fixtures', '--fixtures', 'nowhere']),
    await cli(['list-fixtures'], { PROBE_FIXTURES: 'nowhere' }),
  ]) {
    expect(run.output).toMatch(/^FIXTURES_EMPTY .*nowhere: --fixtures: there is no such folder\n$/)
    expect(run.status).toBe(4)
  }
})

test.for<[string, string[], RegExp]>([
  ['an unknown command', ['list-fixture'], /unknown command "list-fixture"; commands: list-fixtures, run, journal/],
  ['no command', [], /no command given; commands: list-fixtures, run, journal/],
  ['an unknown flag', ['list-fixtures', '--clas', 'image'], /Unknown option `--clas`/],
  ['an unknown class', ['list-fixtures', '--class', 'images'], /--class: there is no class "images"; allowed: schema/],
  ['a flag given twice', ['list-fixtures', '--fixtures', 'a', '--fixtures', 'b'], /--fixtures: takes one value/],
  ['an empty value', ['list-fixtures', '--fixtures', ''], /--fixtures: takes one value/],
  ['a flag without its value', ['list-fixtures', '--class'], /option `--class <class>` value is missing/],
])('%s is said in one line, with status 1', async ([, args, message]) => {
  const { status, output } = await (await project()).cli(args)
  expect(output).toMatch(message)
  expect(output.trim().split('\n')).toHaveLength(1)
  expect(status).toBe(1)
})

test('--version and --help', async () => {
  const { cli } = await project()
  expect((await cli(['--version'])).output).toContain(`modelrig-probes/${HARNESS_VERSION}`)
  const help = await cli(['list-fixtures', '--help'])
  expect(help.output).toContain('modelrig-probes list-fixtures --class image')
  expect(help.status).toBe(0)
})
