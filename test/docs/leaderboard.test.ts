import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { COLUMNS } from '../../src/leaderboard/columns.ts'
import { PACKED_BEYOND } from '../../src/leaderboard/page/page.ts'
import { SAMPLE_BOUNDS } from '../../src/leaderboard/shown-samples.ts'
import { docSteps } from '../support/doc-steps.ts'
import { resultOf, samplesOf } from '../support/registry.ts'
import { tempProject } from '../support/temp-project.ts'

const PAGE = 'docs/leaderboard.md'
const TEXT = readFileSync(new URL(`../../${PAGE}`, import.meta.url), 'utf8')
const COMMANDS = docSteps(PAGE).flatMap((step) => (step.kind === 'command' ? [step.line] : []))

test('its commands write the page, on results of one’s own', { timeout: 120_000 }, async () => {
  expect(COMMANDS).toHaveLength(2)
  const result = resultOf('schema', { a: samplesOf(20, 20, {}, {}) })
  const project = tempProject({ 'results/openai-made-up/schema.json': JSON.stringify(result) })
  for (const line of COMMANDS) {
    const { status, output } = await project.cli(line.replace('npx modelrig-probes ', '').split(' '))
    expect([line, status, output]).toEqual([line, 0, expect.any(String)])
  }
  const html = project.read('leaderboard/leaderboard.html')
  expect(html).toContain('1 fixture (schema 1; ')
  expect(html).toContain(JSON.stringify(JSON.parse(project.read('leaderboard/leaderboard.json')).models[0].key))
})

test('every column has a heading of its name, and links to it', () => {
  const columns = TEXT.slice(TEXT.indexOf('\n## Columns'), TEXT.indexOf('\n## Files'))
  const titles = Array.from(columns.matchAll(/^### (.+)$/gm), ([, title]) => title!)
  expect(COLUMNS.map(({ title }) => title)).toEqual(titles)
  const anchors = titles.map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
  expect(COLUMNS.map(({ method }) => method)).toEqual(anchors.map((anchor) => `${PAGE}#${anchor}`))
})

test('the bounds it names are those of the code', () => {
  const { perClass, outputCharacters, budgetBytes } = SAMPLE_BOUNDS
  expect(perClass).toBe(3)
  expect(TEXT).toContain('at most three of a model and class')
  expect(TEXT).toContain(`cut to ${outputCharacters.toLocaleString('en-US')}\ncharacters`)
  expect(TEXT).toContain(`${budgetBytes.toLocaleString('en-US')} bytes altogether`)
  expect(TEXT).toContain(`above ${PACKED_BEYOND.toLocaleString('en-US')} characters packed`)
})
