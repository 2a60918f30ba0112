import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chatLoopback } from '../support/chat-loopback.ts'
import { docSteps } from '../support/doc-steps.ts'
import { tempProject } from '../support/temp-project.ts'
import { runTyped } from '../support/typed-command.ts'

const TEXT = readFileSync(new URL('../../docs/running.md', import.meta.url), 'utf8')

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
  const explained = [...TEXT.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, text]) => text!)
  expect(explained).toHaveLength(8)
  expect(explained.filter((text) => !printed.join('\n').includes(text))).toEqual([])
})
