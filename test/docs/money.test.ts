import { expect, test } from 'vitest'
import { docSteps } from '../support/doc-steps.ts'
import { tempProject } from '../support/temp-project.ts'
import { runTyped } from '../support/typed-command.ts'

test('its commands show the journal, and prune it', { timeout: 120_000 }, async () => {
  const project = tempProject({})
  expect(await project.cli(['init'])).toMatchObject({ status: 0 })
  expect(await project.cli(['run', '--class', 'schema', '--samples', '2'])).toMatchObject({ status: 0 })
  const journal = '.probes/journal/sim-steady-schema.jsonl'
  const [first, second] = project.read(journal).trim().split('\n')
  project.write(journal, `${first!.replaceAll(/\b\d{4}-\d\d-\d\dT/g, '2026-10-31T')}\n${second}\n`)
  const lines = docSteps('docs/money.md').flatMap((step) => (step.kind === 'command' ? [step.line] : []))
  const printed: string[] = []
  for (const line of lines) {
    const { status, output } = await runTyped(project, line)
    expect([line, status, output]).toEqual([line, 0, expect.any(String)])
    printed.push(output)
  }
  expect(printed).toEqual([expect.stringContaining('sim/steady'), expect.stringContaining('1 call is gone')])
  expect(project.read(journal)).toBe(`${second}\n`)
})
