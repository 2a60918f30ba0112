import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SIM_PROFILES, type SimProfile } from '../../src/providers/sim/profiles.ts'

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

test('every drill it shows is of a profile there is', () => {
  const shown = [...TEXT.matchAll(/--model sim\/([a-z]+)/g)].map((match) => match[1]!)
  expect(shown.length).toBeGreaterThan(5)
  expect(Object.keys(SIM_PROFILES)).toEqual(expect.arrayContaining(shown))
})
