import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderTable } from '../../reporters/table.ts'
import { buildResult } from '../../src/results/build.ts'
import { chatLoopback } from '../support/chat-loopback.ts'
import { docSteps } from '../support/doc-steps.ts'
import { caseMeta, RUN, sample } from '../support/samples.ts'
import { tempProject } from '../support/temp-project.ts'
import { runTyped } from '../support/typed-command.ts'

const TEXT = readFileSync(new URL('../../docs/running.md', import.meta.url), 'utf8')
const [TABLE] = /^\| text [\s\S]*?\n\n/m.exec(TEXT)!
const EXPLAINED = [...TABLE.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, text]) => text!)
/** What runs of other classes, or of several fixtures, print. */
const ELSEWHERE = ['cached share of input, mean', 'by group']

test('its commands run one after the other, and print what it explains', { timeout: 240_000 }, async () => {
  const project = tempProject({})
  expect(await project.cli(['init'])).toMatchObject({ status: 0 })
  const { calls, url } = await chatLoopback()
  const env = { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'key-of-a-first-run' }
  const printed: string[] = []
  const bought: number[] = []
  for (const step of docSteps('docs/running.md')) {
    if (step.kind !== 'command') throw new Error(`${step.name} is no command`)
    const { status, output } = await runTyped(project, step.line, env)
    expect([step.line, status, output]).toEqual([step.line, 0, expect.any(String)])
    printed.push(output)
    bought.push(calls.length)
  }
  // Nothing before the first paid run; two of ten are not bought again; the nightly run finds all of them.
  expect(bought).toEqual([0, 0, 0, 2, 10, 10, 10, 10, 10, 10])
  const explained = EXPLAINED.filter((text) => !ELSEWHERE.includes(text))
  expect(explained).toHaveLength(14)
  expect(explained.filter((text) => !printed.join('\n').includes(text))).toEqual([])
})

test('every head of the table is explained', () => {
  const cases = ['a', 'b'].map((id) =>
    caseMeta(id, [sample(0), sample(1)], { difficulty: id === 'a' ? 'standard' : 'hard' }),
  )
  const caching = { probeClass: 'caching' as const, hasSchema: false }
  const hits = ['a', 'b'].map((id) =>
    caseMeta(
      id,
      [sample(0, { cachedTokens: 90, cachedShare: 0.9, schemaConform: null, valueAccuracy: null })],
      caching,
    ),
  )
  const tables = [buildResult(RUN, cases), buildResult({ ...RUN, probeClass: 'caching' }, hits)].map((one) =>
    renderTable(one),
  )
  const lines = tables.flatMap((table) => table.split('\n'))
  const heads = lines.filter((line) => line.includes('k/n')).flatMap((line) => line.trim().split(/ {2,}/))
  const words = [...new Set(heads.map((head) => head.replace(/^.*, by /, 'by ')))]
  expect(words).toHaveLength(8)
  expect(words.filter((word) => !TABLE.includes(`\`${word}\``))).toEqual([])
  for (const text of ELSEWHERE) expect(lines.join('\n')).toContain(text)
})
