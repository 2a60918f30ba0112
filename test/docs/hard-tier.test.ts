import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { namedLevers } from '../../scripts/screen/corpus.ts'
import { LEVERS } from '../../src/fixtures/check/levers.ts'
import type { Fixture } from '../../src/model/fixture.ts'
import { docSteps } from '../support/doc-steps.ts'
import { tempProject } from '../support/temp-project.ts'

interface WrongAnswer {
  readonly name: string
  readonly level: string
  readonly change?: Readonly<Record<string, unknown>>
}

const readText = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const readJson = <T>(path: string): T => JSON.parse(readText(path)) as T

const TEXT = readText('docs/hard-tier.md')
/** Title and text of every section. */
const SECTIONS = new Map(
  [...TEXT.matchAll(/^## (.+)\n([\s\S]*?)(?=^## |(?![\s\S]))/gm)].map(([, title, text]) => [title!, text!]),
)

function fixtureOf(section: string): Fixture {
  const [, path] = /\]\(\.\.\/(fixtures\/[a-z]+\/[a-z-]+\.json)\)/.exec(section)!
  return readJson(path!)
}

/** What a section quotes: of the prompt as it is, of the schema as code. */
function expectQuoted(section: string, { prompt, schema }: Fixture): void {
  const [, quote] = /^> (.+)$/m.exec(section)!
  const code = /^`(.+)`$/.exec(quote!)?.[1]
  if (code === undefined) expect(prompt).toContain(quote)
  else expect(JSON.stringify(schema)).toContain(code)
}

/** What a change puts at a place, also where it puts a whole object. */
function changedAt(change: Readonly<Record<string, unknown>>, pointer: string): unknown {
  const found = Object.entries(change).find(([place]) => pointer === place || pointer.startsWith(`${place}/`))
  const rest = pointer.slice(found?.[0].length ?? 0).split('/')
  return rest.slice(1).reduce((node, key) => (node as Record<string, unknown>)[key], found?.[1])
}

describe.each(LEVERS)('%s', (lever) => {
  const section = SECTIONS.get(lever[0]!.toUpperCase() + lever.slice(1)) ?? ''

  test('its example is a hard fixture that names it, as quoted', () => {
    const fixture = fixtureOf(section)
    expect([fixture.difficulty, namedLevers(fixture)]).toEqual(['hard', expect.arrayContaining([lever])])
    expectQuoted(section, fixture)
  })

  // The answers themselves are graded by test/fixtures/schema-corpus.test.ts.
  test('its mistakes are found out at the level that it says', () => {
    const { wrong } = readJson<{ wrong: WrongAnswer[] }>(`test/fixtures/schema-answers/${fixtureOf(section).id}.json`)
    const rows = [...section.matchAll(/^\| (.+?) +\| `(\/[^`]+)`: `([^`]+)` +\| (parse|conform|values) +\|$/gm)]
    expect(rows.length).toBeGreaterThanOrEqual(2)
    expect(section.match(/^\| /gm)).toHaveLength(rows.length + 2)
    for (const [, name, pointer, value, level] of rows) {
      const answer = wrong.find((one) => one.name === name)
      expect([name, answer?.level, changedAt(answer?.change ?? {}, pointer!)]).toEqual([
        name,
        level,
        JSON.parse(value!),
      ])
    }
  })
})

test('the question it quotes is a hard one', () => {
  const section = SECTIONS.get('Hard forms and hard questions')!
  const fixture = fixtureOf(section)
  expect(fixture).toMatchObject({ class: 'grounding', difficulty: 'hard' })
  expectQuoted(section, fixture)
})

test('its command lists the hard fixtures', async () => {
  const [step, ...others] = docSteps('docs/hard-tier.md')
  expect([step?.kind, others]).toEqual(['command', []])
  const args = (step as { line: string }).line.split(' ').slice(2)
  const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url))
  const { status, output } = await tempProject({}).cli([...args, '--fixtures', fixtures])
  expect([status, output]).toEqual([0, expect.stringContaining('schema-loan-plan')])
  expect(output).not.toContain('schema-lease-summary')
})
