import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LEVERS } from '../../src/fixtures/check/levers.ts'
import { FixtureSchema } from '../../src/model/fixture-shape.ts'
import { BROKEN, filesBeside, schemaFixture } from '../fixtures/broken-fixtures.ts'
import { tempProject } from '../support/temp-project.ts'

const TEXT = readFileSync(new URL('../../docs/fixtures.md', import.meta.url), 'utf8')
/** Arguments of every command that the page shows. */
const COMMANDS = [...TEXT.matchAll(/^npx modelrig-probes (.*)$/gm)].map(([, line]) => line!.split(' '))

test('every field of a fixture is explained', () => {
  const fields = Object.keys(FixtureSchema.properties).filter((name) => name !== '$schema')
  expect(fields.filter((name) => !TEXT.includes(`\n| \`${name}\` `))).toEqual([])
})

test('its commands do what they say, and print what it shows', async () => {
  const { cli, root } = tempProject({
    'fixtures/schema/receipt.json': schemaFixture('receipt', { expectedValues: { totl: 7 } }),
    'fixtures/schema/refund.json': schemaFixture('refund'),
  })
  const [shown] = /^FIXTURE_PATH_UNREACHABLE [\s\S]*?(?=\n```)/m.exec(TEXT)!
  expect(COMMANDS.map(([name]) => name)).toEqual(['check-fixtures', 'check-fixtures'])
  const [forPeople, forMachines] = [await cli(COMMANDS[0]!), await cli(COMMANDS[1]!)]
  expect(forPeople).toEqual({ status: 1, output: `${shown.replaceAll('/…', root)}\n` })
  expect(JSON.parse(forMachines.output)).toMatchObject({ fixtures: [{ healthy: false }, { healthy: true }] })
})

test('every name of the output for machines is explained', async () => {
  const files = {
    'schema/a.json': schemaFixture('a', { difficulty: 'hard' }),
    'schema/b.json': '{',
    ...(await filesBeside()),
  }
  const placed = Object.entries(files).map(([file, content]) => [`fixtures/${file}`, content])
  const { output } = await tempProject(Object.fromEntries(placed)).cli(['check-fixtures', '--json'])
  const report = JSON.parse(output) as Record<string, Record<string, unknown>[]>
  const names = Object.entries(report).flatMap(([name, [first = {}]]) => [name, ...Object.keys(first)])
  expect(new Set(names).size).toBeGreaterThan(10)
  const section = TEXT.slice(TEXT.indexOf('### For machines'))
  expect(names.filter((name) => !section.includes(`\`${name}\``))).toEqual([])
})

test('every code, flag and lever is explained', async () => {
  const codes = new Set(BROKEN.map(({ code }) => code))
  expect([...codes].filter((code) => !TEXT.includes(`\n| \`${code}\` `))).toEqual([])
  expect(LEVERS.filter((lever) => !TEXT.includes(`\n| ${lever} `))).toEqual([])
  const { output } = await tempProject({}).cli(['check-fixtures', '--help'])
  const offered = [...output.matchAll(/^ +(--[a-z-]+) /gm)].map(([, flag]) => flag!)
  expect(offered.filter((flag) => !TEXT.includes(flag))).toEqual([])
  expect(offered).toHaveLength(3)
})

test('what it calls nobody’s raises no alarm', async () => {
  const section = TEXT.slice(TEXT.indexOf('### Texts that are nobody’s'), TEXT.indexOf('### Hints'))
  const notes = section.replaceAll('`', '')
  const { cli } = tempProject({ 'fixtures/schema/a.json': schemaFixture('a', { notes }) })
  expect(await cli(['check-fixtures'])).toMatchObject({ status: 0 })
  expect(notes.length).toBeGreaterThan(500)
})
