import { expect, test } from 'vitest'
import { BROKEN, danglingLink, filesBeside, HEALTHY, schemaFixture } from '../fixtures/broken-fixtures.ts'
import { tempProject } from '../support/temp-project.ts'

interface Problem {
  readonly code: string
  readonly message: string
  readonly file: string
  readonly field?: string
  readonly allowed?: string
  readonly fix?: string
  readonly measurable: boolean
}

interface Report {
  readonly fixtures: readonly { readonly id: string | null; readonly file: string; readonly healthy: boolean }[]
  readonly problems: readonly Problem[]
  readonly hints: readonly { readonly file: string; readonly field: string; readonly message: string }[]
}

function within(files: Readonly<Record<string, string | Uint8Array>>): Record<string, string | Uint8Array> {
  return Object.fromEntries(Object.entries(files).map(([file, content]) => [`fixtures/${file}`, content]))
}

test('every kind of fault has one message of its own, and the healthy fixtures beside them are found healthy', async () => {
  const files = Object.fromEntries(BROKEN.map(({ file, content }) => [file, content]))
  const { cli, root } = tempProject(within({ ...files, ...HEALTHY, ...(await filesBeside()) }))
  const rows = [...BROKEN, danglingLink(`${root}/fixtures`)]
  const { status, output } = await cli(['check-fixtures', '--json'])
  const report = JSON.parse(output) as Report

  expect(rows.length).toBeGreaterThanOrEqual(60)
  for (const { file, code, field, says } of rows) {
    const own = report.problems.filter((problem) => problem.file === `${root}/fixtures/${file}`)
    expect.soft(own, file).toEqual([expect.objectContaining({ code, message: expect.stringContaining(says) })])
    expect.soft(own[0]?.field, file).toBe(field)
    expect.soft(own[0]?.fix ?? '', file).not.toBe('')
  }
  expect(report.problems).toHaveLength(rows.length)
  const texts = report.problems.map(({ code, field, message }) => `${code} ${field} ${message}`)
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])

  const healthy = report.fixtures.filter((fixture) => fixture.healthy)
  expect(healthy.map(({ file }) => file)).toEqual(
    Object.keys(HEALTHY)
      .toSorted()
      .map((file) => `${root}/fixtures/${file}`),
  )
  expect(status).toBe(4)
})

test('for people, each problem is a line, those of a file together, then hints, the healthy ones and the sums', async () => {
  const slow = BROKEN.filter(({ code }) => code === 'FIXTURE_PATTERN_SLOW').map(({ file }) => file)
  const chosen = BROKEN.filter(({ file }) => !slow.includes(file))
  const files = Object.fromEntries(chosen.map(({ file, content }) => [file, content]))
  const messy = schemaFixture('messy', {
    domain: 'No Token',
    notes: 'ask\nann@company.io',
    schema: { type: 'object', a: 1 },
  })
  const { cli, root } = tempProject(
    within({ ...files, ...HEALTHY, 'schema/messy.json': messy, ...(await filesBeside()) }),
  )
  const { output } = await cli(['check-fixtures'])
  const lines = output.trimEnd().split('\n')
  const problems = lines.filter((line) => /^[A-Z]+_[A-Z_]+ {2}\//.test(line))
  const hints = lines.filter((line) => line.startsWith('hint  '))
  const count = chosen.length + 3
  expect(problems).toHaveLength(count)
  expect(lines).toEqual([...problems, ...hints, lines.at(-2), lines.at(-1)])
  expect(lines.at(-2)).toBe('healthy: grounding/healthy-question, image/healthy-form, schema/healthy')
  const fixtures = chosen.filter(({ code }) => code !== 'FIXTURE_MISPLACED').length + 4
  expect(lines.at(-1)).toBe(`${fixtures} fixtures, ${count} problems, ${hints.length} hints`)
  const places = problems.map((line) => line.split(/ {2}|: /)[1])
  expect(places).toEqual(places.toSorted())
  expect(problems.filter((line) => line.includes('messy.json')).map((line) => line.split(': ')[1])).toEqual([
    'domain',
    'schema',
    'notes',
  ])
  expect(problems.every((line) => line.includes('; fix: '))).toBe(true)
  expect(output).toContain(`${root}/fixtures/schema/mail.json: prompt: "jo.smith@gmail.com" looks like`)
})

test.for<[string, Record<string, string>, string[], number]>([
  ['a healthy one', { 'schema/a.json': schemaFixture('a') }, [], 0],
  [
    'one that can be measured and should not be',
    { 'schema/a.json': schemaFixture('a', { notes: 'x@corp.io' }) },
    [],
    1,
  ],
  ['one that cannot be measured', { 'schema/a.json': '{' }, [], 4],
  ['one of a class that was not asked for', { 'schema/a.json': '{', 'caching/.keep': '' }, ['--class', 'caching'], 0],
  ['none', { 'schema/.keep': '' }, [], 0],
])('%s gives the status', async ([, files, flags, expected]) => {
  const { cli } = tempProject(within(files))
  const { status } = await cli(['check-fixtures', ...flags])
  expect(status).toBe(expected)
})

test('hints cost nothing: neither the status nor the fixture', async () => {
  const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total', 'tax'] }
  const fixture = schemaFixture('hinted', { schema, difficulty: 'hard', expectedValues: { total: 7, sum: 7 } })
  const { cli } = tempProject(within({ 'schema/hinted.json': fixture }))
  const { status, output } = await cli(['check-fixtures', '--json'])
  const { fixtures, problems, hints } = JSON.parse(output) as Report
  expect(problems).toEqual([])
  expect(fixtures).toMatchObject([{ id: 'hinted', healthy: true }])
  expect(hints.map(({ field, message }) => `${field}: ${message}`)).toEqual([
    'schema: "tax" is required, and not among the properties: anything will do for it (at /required)',
    'expectedValues.sum: the schema does not name "sum" at the root',
    'difficulty: pulls 0 of the 5 levers of hard fixtures',
  ])
  expect(status).toBe(0)
})

test('what is wrong with the command is said in a line', async () => {
  const { cli } = tempProject(within(HEALTHY))
  expect(await cli(['check-fixtures', '--class', 'images'])).toMatchObject({
    status: 1,
    output: expect.stringMatching(/^modelrig-probes: OPTION_INVALID  --class: there is no class "images"; .*\n$/),
  })
  expect(await cli(['check-fixtures', '--fixtures', 'nowhere'])).toMatchObject({
    status: 4,
    output: expect.stringMatching(/^FIXTURES_EMPTY .*nowhere: --fixtures: there is no such folder; fix: .*\n$/),
  })
})
