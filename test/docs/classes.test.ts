import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SIM_PROFILES, type SimProfile } from '../../src/providers/sim/profiles.ts'
import { docSteps } from '../support/doc-steps.ts'
import { tempProject } from '../support/temp-project.ts'
import { runTyped } from '../support/typed-command.ts'

const TEXT = readFileSync(new URL('../../docs/classes.md', import.meta.url), 'utf8')

/** Cells of the rows whose first cell is code, below a table's head. */
function rowsBelow(head: string): string[][] {
  const table = TEXT.slice(TEXT.indexOf(`\n| ${head} `)).split('\n\n')[0]!
  return [...table.matchAll(/^\| `.*$/gm)].map(([row]) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** What goes wrong with a profile, as its last cell says it. */
function troubles({ faults, retryAfterS, unreadable, miscounted, number }: SimProfile): string {
  const listed = Object.entries(faults).map(([name, share]) => `${name} ${share}`)
  if (retryAfterS !== null) listed.push(`Retry-After ${retryAfterS} s`)
  if (unreadable === 'cut') listed.push('answers cut, said to be whole')
  if (miscounted > 0) listed.push(`impossible usage ${miscounted}`)
  if (number === 'crash') listed.push('SIGKILL at the call of its number')
  return listed.join(', ') || 'none'
}

test('its table of simulated models is the code’s', () => {
  const rows = rowsBelow('profile').map(([profile, ...cells]) => [profile!.replaceAll('`', ''), ...cells])
  const expected = Object.entries(SIM_PROFILES).map(([name, profile]) => {
    const { parse, conform, values, grounded, cacheHit, latencyMs } = profile
    const rates = [parse, conform, values, grounded, cacheHit].map(String)
    return [name, ...rates, `${latencyMs.median} ms`, troubles(profile)]
  })
  expect(rows).toEqual(expected)
})

/** How the drills end that do not end with 0; the process of a crash is killed. */
const ENDS: ReadonlyMap<string, number | null> = new Map([
  ['outage', 3],
  ['crash:20', null],
])

test('every drill it shows ends as it says', { timeout: 300_000 }, async () => {
  const project = tempProject({})
  expect(await project.cli(['init'])).toMatchObject({ status: 0 })
  const ticket = project.read('fixtures/schema/support-ticket.json')
  for (const id of ['second', 'third', 'fourth'])
    project.write(`fixtures/schema/${id}.json`, ticket.replace('support-ticket', id))
  const shown: string[] = []
  for (const step of docSteps('docs/classes.md')) {
    if (step.kind !== 'command') throw new Error(`${step.name} is no command`)
    const [, model] = /--model sim\/(\S+)/.exec(step.line)!
    const { status, output } = await runTyped(project, step.line, { PROBE_TIMEOUT_MS: '2000' })
    expect([step.line, status, output]).toEqual([
      step.line,
      ENDS.has(model!) ? ENDS.get(model!) : 0,
      expect.any(String),
    ])
    shown.push(model!.replace(/:.*/, ''))
  }
  const troubled = Object.entries(SIM_PROFILES).filter(([, profile]) => troubles(profile) !== 'none')
  expect(shown.toSorted()).toEqual(
    troubled
      .map(([name]) => name)
      .filter((name) => name !== 'flaky')
      .toSorted(),
  )
  expect(project.read('.probes/journal/sim-crash-20-schema.jsonl').trim().split('\n')).toHaveLength(19)
})
