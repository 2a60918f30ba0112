import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SIM_PROFILES } from '../../src/providers/sim/profiles.ts'

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

test('its table of simulated models is the code’s', () => {
  const rows = rowsBelow('profile').map(([profile, ...cells]) => [profile!.replaceAll('`', ''), ...cells])
  const expected = Object.entries(SIM_PROFILES).map(([name, profile]) => {
    const { parse, conform, values, grounded, cacheHit, latencyMs, faults } = profile
    const listed = Object.entries(faults).map(([failureClass, share]) => `${failureClass} ${share}`)
    const rates = [parse, conform, values, grounded, cacheHit].map(String)
    return [name, ...rates, `${latencyMs.median} ms`, listed.join(', ') || 'none']
  })
  expect(rows).toEqual(expected)
})
