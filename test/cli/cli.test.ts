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
  expect(head).toEqual(['class', 'id', 'hash', 'family', 'difficulty', 'domain', 'source'])
  expect(rows).toEqual([
    ['image', 'a', expect.stringMatching(/^[0-9a-f]{16}$/), 'probe-suite', 'standard', 'finance'],
    ['image', 'b', expect.stringMatching(/^[0-9a-f]{16}$/), 'probe-suite', 'hard', 'finance', 'contributed:someone'],
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
    expect(run.output).toMatch(/^FIXTURES_EMPTY .*nowhere: --fixtures: there is no such folder; fix: .*\n$/)
    expect(run.status).toBe(4)
  }
})

test('a fixture in the place of its folder is told so, with status 4', async () => {
  const { cli, write } = await project()
  write('mine.json', '{}')
  for (const command of ['list-fixtures', 'check-fixtures']) {
    const run = await cli([command, '--fixtures', 'mine.json'])
    expect(run.output).toMatch(/^FIXTURES_EMPTY .*mine\.json: --fixtures: is no folder; fix: name the folder .*\n$/)
    expect(run.status).toBe(4)
  }
})

test('tags choose among fixtures, together and several at once', async () => {
  const { cli, write } = await project()
  write('fixtures/image/c.json', imageFixture('c', { domain: 'legal', family: 'own', difficulty: 'hard' }))
  const ids = async (...args: string[]) => {
    const { status, output } = await cli(['list-fixtures', '--json', ...args])
    return [status, (JSON.parse(output) as { fixtures: { id: string }[] }).fixtures.map(({ id }) => id).join()]
  }
  expect(await ids('--difficulty', 'hard')).toEqual([0, 'b,c'])
  expect(await ids('--domain', 'finance,legal')).toEqual([0, 'a,b,c'])
  expect(await ids('--domain', 'finance', '--domain', 'legal', '--family', 'own')).toEqual([0, 'c'])
  expect(await ids('--source', 'contributed:someone')).toEqual([0, 'b'])
  expect(await ids('--family', 'own', '--source', 'contributed:someone')).toEqual([0, ''])
})

test('filters that nothing fits are said again; a value that no fixture has is told, each in a line', async () => {
  const { cli } = await project()
  const none = await cli(['list-fixtures', '--difficulty', 'hard', '--domain', 'finance', '--class', 'schema'])
  expect([none.status, none.output]).toEqual([
    0,
    expect.stringMatching(/^no fixtures of difficulty hard, domain finance below /),
  ])
  const { status, output } = await cli(['list-fixtures', '--domain', 'financ', '--family', 'nope,probe-suite'])
  expect(output.split('\n')).toEqual([
    'modelrig-probes: OPTION_INVALID  --family: no fixture here is of family "nope"; allowed: probe-suite',
    'modelrig-probes: OPTION_INVALID  --domain: no fixture here is of domain "financ"; allowed: finance; fix: did you mean finance?',
    '',
  ])
  expect(status).toBe(1)
})

test('a fixture that cannot be used is told to machines with all that is known of it', async () => {
  const { cli, write } = await project()
  write('fixtures/image/c.json', imageFixture('d'))
  const { problems } = JSON.parse((await cli(['list-fixtures', '--json'])).output) as { problems: unknown[] }
  expect(problems).toEqual([
    {
      code: 'FIXTURE_INVALID',
      message: 'is "d"',
      file: expect.stringMatching(/fixtures\/image\/c\.json$/),
      field: 'id',
      allowed: '"c", as the file is named',
      fix: 'mend it, or rename the file',
    },
  ])
})

test.for<[string, string[], RegExp]>([
  [
    'an unknown command',
    ['list-fixture'],
    /unknown command "list-fixture"; allowed: .*run.*; fix: did you mean list-fixtures\?/,
  ],
  ['the beginning of a command', ['list'], /unknown command "list"; .*fix: did you mean list-fixtures\?/],
  ['a command like no other', ['bake'], /unknown command "bake"; .*fix: see modelrig-probes --help/],
  [
    'an unknown command, also where help is asked for',
    ['rum', '--help'],
    /unknown command "rum"; .*did you mean run\?/,
  ],
  ['no command', [], /no command given; allowed: .*list-fixtures, check-fixtures, run, journal/],
  ['a flag before the command', ['--class', 'image', 'list-fixtures'], /a command comes first, and not "--class"/],
  [
    'an unknown flag',
    ['list-fixtures', '--clas', 'image'],
    /--clas: is no flag of list-fixtures; .*did you mean --class\?/,
  ],
  ['an unknown letter', ['list-fixtures', '-j'], /-j: is no flag of list-fixtures; allowed: --class, /],
  [
    'a flag with a dot in it',
    ['list-fixtures', '--fixtures=3', '--fixtures.a=1'],
    /--fixtures\.a: is no flag of list-fixtures; .*did you mean --fixtures\?/,
  ],
  ['a switch with a value', ['list-fixtures', '--json=false'], /--json: takes no value/],
  [
    'a switch said no to',
    ['list-fixtures', '--no-json'],
    /--no-json: is no flag of list-fixtures; .*did you mean --json\?/,
  ],
  ['an argument', ['list-fixtures', 'image'], /list-fixtures: takes no arguments, and was given image/],
  [
    'an unknown class',
    ['list-fixtures', '--class', 'images'],
    /--class: there is no class "images"; allowed: schema.*did you mean image\?/,
  ],
  [
    'an unknown difficulty',
    ['list-fixtures', '--difficulty', 'easy'],
    /--difficulty: there is no difficulty "easy"; allowed: standard, hard/,
  ],
  ['a flag given twice', ['list-fixtures', '--fixtures', 'a', '--fixtures', 'b'], /--fixtures: takes one value/],
  ['an empty value', ['list-fixtures', '--fixtures', ''], /--fixtures: takes one value/],
  ['a flag without its value', ['list-fixtures', '--class'], /--class: its value is missing: --class <class>/],
  [
    'a flag in the place of a value',
    ['list-fixtures', '--class', '--json'],
    /--class: its value is missing: --class <class>/,
  ],
])('%s is said in one line, with status 1', async ([, args, message]) => {
  const { status, output } = await (await project()).cli(args)
  expect(output).toMatch(message)
  expect(output.trim().split('\n')).toHaveLength(1)
  expect(status).toBe(1)
})

test('all that is wrong with a command is said at once', async () => {
  const { cli } = await project()
  const { status, output } = await cli(['run', '--modle', 'a/b', '--class', 'images', '--out', '', '--dry-run=no'])
  expect(output.match(/^modelrig-probes: OPTION_INVALID {2}\S+/gm)).toEqual(
    ['--modle:', '--dry-run:', '--out:', '--class:'].map((flag) => `modelrig-probes: OPTION_INVALID  ${flag}`),
  )
  expect(status).toBe(1)
  const values = await cli(['run', '--samples', '0', '--envelope', 'x'])
  expect(values.output).toMatch(/--samples: 0 is not allowed.*\n.*--envelope: "x" is not allowed/)
  const below = await cli(['run', '--samples', '-1', '--envelope', '-3'])
  expect(below.output).toMatch(/--samples: "-1" is not allowed.*\n.*--envelope: "-3" is not allowed/)
})

test('--version', async () => {
  const { cli } = await project()
  for (const args of [['--version'], ['-v'], ['run', '--version']]) {
    const { status, output } = await cli(args)
    expect([status, output]).toEqual([0, expect.stringMatching(`^modelrig-probes/${HARNESS_VERSION} .*\n$`)])
  }
})

test('the help lists every command; each has a help of its own, with a line for each flag, an example and exit statuses', async () => {
  const { cli } = await project()
  const whole = await cli(['--help'])
  const [, listed] = /^Commands:\n((?: .*\n)+)/m.exec(whole.output)!
  const names = [...listed!.matchAll(/^ {2}([a-z-]+)/gm)].map((match) => match[1]!)
  expect(names).toEqual(expect.arrayContaining(['list-fixtures', 'run', 'journal', 'merge', 'verify', 'compare']))
  expect([whole.status, whole.output]).toEqual([
    0,
    expect.stringMatching(/^Exit status:\n {2}0 {4}done\n {2}1 {4}.*\n {2}2 /m),
  ])
  for (const name of names) {
    const { status, output } = await cli([name, '--help'])
    expect(output).toMatch(new RegExp(`^Examples:\n {2}\\$ modelrig-probes ${name}\\b`, 'm'))
    expect(output).toMatch(/^Exit status:\n {2}0 {4}\S.*\n {2}1 {4}.*the command was wrong/m)
    const [, flags] = /^Options:\n((?: .*\n)+)/m.exec(output)!
    for (const line of flags!.trimEnd().split('\n'))
      expect(line).toMatch(/^ {2}(-h, )?--[a-z-]+( <[a-z/]+>)? {2,}\S.*\S$/)
    expect(status).toBe(0)
  }
})
