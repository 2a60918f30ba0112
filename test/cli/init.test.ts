import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { applyChanges, type Change } from '../../src/cli/init/apply.ts'
import { tempProject, type TempProject } from '../support/temp-project.ts'

/** Every file but what is installed, with its bytes as text. */
function filesOf({ root }: TempProject): Record<string, string> {
  const names = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((name) => !name.startsWith('node_modules'))
  return Object.fromEntries(names.toSorted().map((name) => [name, readFileSync(join(root, name), 'latin1')]))
}

test('it adds what a first run needs, and says so', async () => {
  const project = tempProject({ 'package.json': '{\n  "type": "module"\n}\n' })
  const { status, output } = await project.cli(['init'])
  expect(status).toBe(0)
  const files = filesOf(project)
  expect(Object.keys(files)).toEqual([
    '.gitignore',
    'fixtures/schema/support-ticket.json',
    'package.json',
    'probes/schema.probe.ts',
    'vitest.config.ts',
  ])
  expect(files['package.json']).toBe(
    '{\n  "type": "module",\n  "scripts": {\n    "probes": "modelrig-probes run"\n  }\n}\n',
  )
  expect(files['.gitignore']).toBe('.probes/\n')
  for (const file of Object.keys(files)) expect(output).toMatch(new RegExp(`^(added|changed) +${file} +\\S`, 'm'))
  expect(output).toContain('\n  npx vitest run --project schema\n')
  expect(output).not.toContain('Install what is missing')
})

test('its fixture is a good one: a model that makes no mistake gets everything right', async () => {
  const project = tempProject({})
  await project.cli(['init'])
  const listed = JSON.parse((await project.cli(['list-fixtures', '--json'])).output) as { fixtures: unknown[] }
  expect(listed).toMatchObject({ fixtures: [{ id: 'support-ticket', class: 'schema' }], problems: [] })
  const fixture = JSON.parse(project.read('fixtures/schema/support-ticket.json')) as { $schema: string }
  expect(existsSync(join(project.root, 'fixtures/schema', fixture.$schema))).toBe(true)
  const run = await project.cli(['run', '--model', 'sim/perfect', '--samples', '2'])
  expect([run.status, run.output]).toEqual([0, expect.stringContaining('2 scored')])
  expect(Object.values(project.results())).toMatchObject([
    { overall: { conform: { rate: 1, n: 2 }, values: { rate: 1, n: 2 } } },
  ])
})

test.for(['{ "type": "module" }', '{}'])('a second time it changes nothing (%s)', async (manifest) => {
  const project = tempProject({ 'package.json': manifest })
  await project.cli(['init'])
  const before = filesOf(project)
  const { status, output } = await project.cli(['init'])
  expect(status).toBe(0)
  expect(output).not.toMatch(/^(added|changed)/m)
  expect(output.match(/^kept/gm)).toHaveLength(5)
  expect(filesOf(project)).toEqual(before)
})

test('a CommonJS package gets a configuration that is a module by its name', async () => {
  const project = tempProject({ 'package.json': '{ "type": "commonjs" }' })
  await project.cli(['init'])
  expect(Object.keys(filesOf(project))).toContain('vitest.config.mts')
  expect(Object.keys(filesOf(project))).not.toContain('vitest.config.ts')
})

test.for(['vitest.config.ts', 'vitest.config.mjs', 'vite.config.js', 'vite.config.cts'])(
  'a %s stays as it is, and what to add to it is said',
  async (name) => {
    const own = `import { defineConfig } from 'vitest/config'\nexport default defineConfig({ base: '/x' })\n`
    const project = tempProject({ [name]: own })
    const { status, output } = await project.cli(['init'])
    expect([status, project.read(name)]).toEqual([0, own])
    expect(Object.keys(filesOf(project)).filter((file) => file.includes('.config.'))).toEqual([name])
    expect(output).toContain(`Add the plugin to ${name}`)
    const lines = output.split('\n').map((line) => line.trim())
    const [load, entry] = ['import { probes }', 'plugins: ['].map((start) =>
      lines.find((line) => line.startsWith(start)),
    )
    project.write(name, own.replace(`base: '/x'`, entry!).replace(/^/, `${load}\n`))
    expect((await project.cli(['init'])).output).toMatch(new RegExp(`^kept +${name} +has the plugin`, 'm'))
    const run = await project.vitest(['run', '--project', 'schema'])
    expect([run.status, run.output]).toEqual([0, expect.stringContaining('5 scored')])
  },
)

test('files of earlier work stay: probes, fixtures, a script of that name, an ignored journal', async () => {
  const own = {
    'probes/contracts.schema.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('schema')\n`,
    'fixtures/schema/mine.json': '{ "id": "mine" }',
    'package.json': '{ "type": "module", "scripts": { "probes": "echo mine" } }',
    '.gitignore': 'node_modules\n/.probes\n',
  }
  const project = tempProject(own)
  const { status, output } = await project.cli(['init'])
  const files = filesOf(project)
  expect(Object.keys(files)).toEqual([...Object.keys(own), 'vitest.config.ts'].toSorted())
  expect(files).toMatchObject(own)
  expect(output).toMatch(/^kept +package\.json +its script "probes" is yours; probes start by modelrig-probes run$/m)
  expect(output).toMatch(
    /^kept +fixtures\/schema\/ +has files; not all can be used: see modelrig-probes list-fixtures$/m,
  )
  expect(status).toBe(0)
})

test.for<[string, string, string]>([
  ['no final newline', 'dist', 'dist\n.probes/\n'],
  ['CRLF', 'dist\r\nout\r\n', 'dist\r\nout\r\n.probes/\r\n'],
  ['CRLF and no final newline', 'dist\r\nout', 'dist\r\nout\r\n.probes/\r\n'],
  ['nothing in it', '', '.probes/\n'],
  ['a comment that names it', '# .probes/\n', '# .probes/\n.probes/\n'],
  ['bytes that are no UTF-8', 'caf\u00e9\n', 'caf\u00e9\n.probes/\n'],
  ['the entry, with CRLF', '.probes/\r\nx\r\n', '.probes/\r\nx\r\n'],
])('a .gitignore with %s', async ([, before, after]) => {
  const project = tempProject({ '.gitignore': Buffer.from(before, 'latin1') })
  await project.cli(['init'])
  expect(filesOf(project)['.gitignore']).toBe(after)
})

test.for<[string, string, string]>([
  [
    'tabs, and lists on one line',
    '{\n\t"scripts": {\n\t\t"test": "a \\"}\\" b"\n\t},\n\t"files": ["a", "b"]\n}\n',
    '{\n\t"scripts": {\n\t\t"test": "a \\"}\\" b",\n\t\t"probes": "modelrig-probes run"\n\t},\n\t"files": ["a", "b"]\n}\n',
  ],
  [
    'four spaces, CRLF, no scripts yet',
    '{\r\n    "name": "caf\u00c3\u00a9"\r\n}',
    '{\r\n    "name": "caf\u00c3\u00a9",\r\n    "scripts": {\r\n        "probes": "modelrig-probes run"\r\n    }\r\n}',
  ],
  [
    'empty scripts, and others of that name further in',
    '{\n  "x": { "scripts": { "a": [1, "}"] } },\n  "scripts": {},\n  "private": true\n}\n',
    '{\n  "x": { "scripts": { "a": [1, "}"] } },\n  "scripts": {\n    "probes": "modelrig-probes run"\n  },\n  "private": true\n}\n',
  ],
  [
    'one line',
    '{"private":true,"scripts":{"a":"b"}}',
    '{"private":true,"scripts":{"a":"b","probes":"modelrig-probes run"}}',
  ],
  ['nothing in it', '{}\n', '{\n  "scripts": {\n    "probes": "modelrig-probes run"\n  }\n}\n'],
  [
    'a byte order mark',
    '\u00ef\u00bb\u00bf{ "private": true }',
    '\u00ef\u00bb\u00bf{ "private": true, "scripts": { "probes": "modelrig-probes run" } }',
  ],
])('a package.json with %s keeps its form', async ([, before, after]) => {
  const project = tempProject({ 'package.json': Buffer.from(before, 'latin1') })
  const { status } = await project.cli(['init'])
  expect([status, filesOf(project)['package.json']]).toEqual([0, after])
})

test.for<[string, Record<string, string>, RegExp[]]>([
  ['files where folders belong', { probes: '', 'fixtures/schema': '' }, [/probes\/schema\.probe\.ts: .*is no folder/]],
  [
    'folders where files belong',
    { '.gitignore/x': '', 'fixtures/schema/support-ticket.json/x': '', 'probes/schema.probe.ts/x': '' },
    [/\.gitignore: cannot be written: it is no file/, /support-ticket\.json: is in the way/],
  ],
  [
    'a package.json that is no JSON',
    { 'package.json': '{ "type": ' },
    [/package\.json: cannot be read: .*; fix: mend it/],
  ],
  ['a package.json that is no object', { 'package.json': '[]' }, [/package\.json: is not an object/]],
  [
    'scripts that are a list',
    { 'package.json': '{ "scripts": [] }' },
    [/package\.json: its scripts are not an object/],
  ],
])('%s: all of it is told, with status 4, and nothing is changed', async ([, files, messages]) => {
  const project = tempProject(files)
  const before = filesOf(project)
  const { status, output } = await project.cli(['init'])
  for (const message of messages) expect(output).toMatch(message)
  for (const line of output.trim().split('\n')) expect(line).toMatch(/^(INIT_REFUSED|FIXTURE_UNREADABLE) /)
  expect([status, filesOf(project)]).toEqual([4, before])
})

test('a repository without a package.json is told to make one, and is left alone', async () => {
  const project = tempProject({})
  rmSync(join(project.root, 'package.json'))
  const { status, output } = await project.cli(['init'])
  expect(output).toMatch(/^INIT_REFUSED .*package\.json: is missing; fix: .*npm init -y\n$/)
  expect([status, filesOf(project)]).toEqual([4, {}])
  symlinkSync('/dev/null', join(project.root, 'package.json'))
  const device = await project.cli(['init'])
  expect([device.status, device.output]).toEqual([4, expect.stringContaining('cannot be read: it is no regular file')])
})

test.for<[string, (root: string) => void, RegExp]>([
  [
    'nothing',
    (root) => rmSync(join(root, 'node_modules'), { recursive: true }),
    /install --save-dev modelrig-probes vitest@5\n/,
  ],
  ['no Vitest', (root) => rmSync(join(root, 'node_modules/vitest')), /install --save-dev vitest@5\n/],
])('with %s installed, what is missing is said', async ([, remove, message]) => {
  const project = tempProject({})
  remove(project.root)
  const { status, output } = await project.cli(['init'])
  expect([status, output]).toEqual([0, expect.stringMatching(message)])
})

test.for<[string, boolean]>([
  ['5.0.9', true],
  ['4.9.0', true],
  ['6.0.0', true],
  ['5.1.0', false],
  ['5.2.0-beta.1', false],
])('with Vitest %s another one is needed: %s', async ([version, needed]) => {
  const project = tempProject({})
  rmSync(join(project.root, 'node_modules/vitest'))
  project.write('node_modules/vitest/package.json', JSON.stringify({ name: 'vitest', version }))
  const before = filesOf(project)
  const { status, output } = await project.cli(['init'])
  const said = `SETUP_FAILED  vitest: Vitest ${version} is installed here, and modelrig-probes does not run in it; allowed: ^5.1.0; `
  expect(output.startsWith(`${said}fix: npm install --save-dev vitest@5`)).toBe(needed)
  expect(status).toBe(needed ? 4 : 0)
  if (needed) expect(filesOf(project)).toEqual(before)
})

test('in a workspace the schema of fixtures is found where the package is installed', async () => {
  const project = tempProject({})
  const nested = tempProject({})
  const folder = join(project.root, 'packages/shop/fixtures/schema')
  rmSync(join(nested.root, 'node_modules'), { recursive: true })
  mkdirSync(join(project.root, 'packages'))
  renameSync(nested.root, join(project.root, 'packages/shop'))
  symlinkSync(join(project.root, 'packages/shop'), nested.root)
  const { output } = await nested.cli(['init'])
  const { $schema } = JSON.parse(readFileSync(join(folder, 'support-ticket.json'), 'utf8')) as { $schema: string }
  expect($schema).toBe('../../../../node_modules/modelrig-probes/schemas/fixture.schema.json')
  expect(existsSync(join(folder, $schema))).toBe(true)
  expect(output).not.toContain('Install what is missing')
})

test('in the package itself the schema of fixtures is its own', async () => {
  const project = tempProject({ 'package.json': '{ "name": "modelrig-probes", "type": "module" }' })
  await project.cli(['init'])
  const { $schema } = JSON.parse(project.read('fixtures/schema/support-ticket.json')) as { $schema: string }
  expect($schema).toBe('../../schemas/fixture.schema.json')
})

test('a workspace file is said to be read no more', async () => {
  const project = tempProject({ 'vitest.workspace.ts': 'export default []\n' })
  const { status, output } = await project.cli(['init'])
  expect([status, output]).toEqual([0, expect.stringContaining('Vitest does not read vitest.workspace.ts any more')])
  expect(project.read('vitest.workspace.ts')).toBe('export default []\n')
})

test('when a change fails, those before it are taken back', () => {
  const project = tempProject({ 'own.txt': 'own', 'there.txt': 'there' })
  const before = filesOf(project)
  const bytes = Buffer.from('new')
  const changes: Change[] = [
    { kind: 'added', file: 'a/b/new.txt', bytes, what: '' },
    { kind: 'added', file: 'new.txt', bytes, what: '' },
    { kind: 'changed', file: 'own.txt', bytes, what: '' },
    { kind: 'added', file: 'there.txt', bytes, what: '' },
  ]
  expect(() => applyChanges(project.root, changes)).toThrow(/INIT_REFUSED .*there\.txt: .*nothing is changed/)
  expect([filesOf(project), existsSync(join(project.root, 'a'))]).toEqual([before, false])
  applyChanges(project.root, changes.slice(0, 3))
  expect(filesOf(project)).toMatchObject({ 'a/b/new.txt': 'new', 'new.txt': 'new', 'own.txt': 'new' })
})
