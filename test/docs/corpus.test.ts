import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readCommitted } from '../../scripts/screen/committed.ts'
import { loadCorpus } from '../../scripts/screen/corpus.ts'
import { measureSimulated } from '../../scripts/screen/measure.ts'
import { corpusPage } from '../../scripts/screen/page.ts'
import { PROBE_CLASSES } from '../../src/model/fixture.ts'
import { readCorpus } from '../fixtures/read-corpus.ts'

const PAGE = readFileSync(new URL('../../docs/corpus.md', import.meta.url), 'utf8')

/** Cells of the rows that begin so, without the first. */
function rowsOf(beginning: string): string[][] {
  const rows = PAGE.split('\n').filter((line) => line.startsWith(`| ${beginning} `))
  return rows.map((row) =>
    row
      .split('|')
      .slice(2, -1)
      .map((cell) => cell.trim()),
  )
}

test('the page is that of a screening of today', { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'screen-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [simulated, committed] = [await measureSimulated(folder), await readCommitted()]
  expect(PAGE, 'npm run screen writes docs/corpus.md').toBe(corpusPage(loadCorpus(), [...simulated, committed]))
})

test('its counts are those of the files', () => {
  const all = PROBE_CLASSES.map(readCorpus)
  const total = all.flat().length
  const cells = (fits: (fixture: (typeof all)[number][number]) => boolean): string[] => {
    const counts = all.map((fixtures) => fixtures.filter(fits).length)
    const sum = counts.reduce((a, b) => a + b)
    return [...counts, sum, `${((100 * sum) / total).toFixed(1)}%`].map(String)
  }
  expect(rowsOf('hard')).toEqual([cells(({ difficulty }) => difficulty === 'hard')])
  expect(rowsOf('demo-rig')).toEqual([cells(({ family }) => family === 'demo-rig')])
  const domains = new Set(all.flat().map(({ domain }) => domain))
  for (const domain of domains) expect(rowsOf(domain)).toEqual([cells((fixture) => fixture.domain === domain)])
  const ids = all.flat().map(({ id }) => id)
  expect(ids.filter((id) => rowsOf(id).length !== 1)).toEqual([])
})

test('the model that answers as every fixture expects is right everywhere', () => {
  const rows = rowsOf('`sim/perfect`')
  const sizes = PROBE_CLASSES.map((probeClass) => String(readCorpus(probeClass).length))
  // … saturated, by chance, in between, impossible.
  expect(rows.map((cells) => [cells.at(-4), ...cells.slice(-2)])).toEqual(sizes.map((size) => [size, '0', '0']))
})
