import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { buildLeaderboard } from '../src/leaderboard/build.ts'
import { leaderboardPage } from '../src/leaderboard/page/page.ts'
import { startBrowser } from '../test/support/browser.ts'
import { builtFrom } from '../test/support/registry.ts'
import { writeManyResults } from './many-results.ts'

/*
 * The page of a thousand models in four classes: how large it is, and how long a browser takes from its address to a table
 * that can be sorted and narrowed; then what a sort and a filter take.
 */
const MODELS = 1000
const PAGE_BYTES = 3_000_000
const INTERACTIVE_MS = 1000
const ROUNDS = 5

const root = mkdtempSync(join(tmpdir(), 'modelrig-probes-bench-'))
try {
  const results = join(root, 'results')
  const { paths } = writeManyResults(results, MODELS)
  const given = paths.map((path) => ({ path, name: path }))
  const registry = await builtFrom(given)
  const names = { pathOf: (name: string) => name, nameOf: (name: string) => name, fixtures: new Map() }
  const { leaderboard } = buildLeaderboard(registry, names)
  const html = leaderboardPage(leaderboard)
  const file = join(root, 'leaderboard.html')
  writeFileSync(file, html)
  const bytes = Buffer.byteLength(html)
  console.log(
    `${MODELS} models x 4 classes: page of ${(bytes / 1e6).toFixed(2)} MB (below ${PAGE_BYTES / 1e6} MB wanted)`,
  )

  const browser = await startBrowser()
  const rounds: Timing[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await timed(browser, pathToFileURL(file).href))
  await browser.close()
  const median = (of: (timing: Timing) => number) => rounds.map(of).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
  // Others use this machine too: the quickest round says most about the page.
  const quickest = Math.min(...rounds.map(({ interactiveMs }) => interactiveMs))
  console.log(
    `interactive after ${quickest.toFixed(0)} ms (below ${INTERACTIVE_MS} ms wanted), the quickest of ${ROUNDS}; median ` +
      `${median(({ interactiveMs }) => interactiveMs).toFixed(0)} ms, of which the page itself was busy ${median(({ busyMs }) => busyMs).toFixed(0)} ms`,
  )
  console.log(`sorted after ${median(({ sortMs }) => sortMs).toFixed(0)} ms`)
  console.log(`counted anew over one domain after ${median(({ filterMs }) => filterMs).toFixed(0)} ms`)
  if (bytes >= PAGE_BYTES || quickest >= INTERACTIVE_MS) process.exitCode = 1
} finally {
  rmSync(root, { recursive: true, force: true })
}

interface Timing {
  readonly busyMs: number
  readonly interactiveMs: number
  readonly sortMs: number
  readonly filterMs: number
}

async function timed(browser: Browser, url: string): Promise<Timing> {
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } })
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await page.goto(url)
  // The page forbids `eval`, by which Playwright would wait for a condition.
  await page.evaluate(`new Promise((done) => {
    const look = () => (performance.getEntriesByName('interactive').length > 0 ? done() : requestAnimationFrame(look))
    look()
  })`)
  const { metrics } = await session.send('Performance.getMetrics')
  const busyMs = metrics.find(({ name }) => name === 'ThreadTime')!.value * 1000
  // Up to the frame that shows it, for a mark may come before what is marked is laid out.
  const painted = `new Promise((done) => requestAnimationFrame(() => setTimeout(done)))`
  const [interactiveMs, sortMs, filterMs] = (await page.evaluate(`(async () => {
    const [{ startTime }] = performance.getEntriesByName('interactive')
    const after = async (act) => {
      const start = performance.now()
      act()
      await ${painted}
      return performance.now() - start
    }
    const sort = await after(() => document.getElementById('sort-image').click())
    const domain = document.getElementById('choose-domain')
    const filter = await after(() => {
      domain.value = domain.options[1].value
      domain.dispatchEvent(new Event('change'))
    })
    return [startTime, sort, filter]
  })()`)) as [number, number, number]
  await page.close()
  return { busyMs, interactiveMs, sortMs, filterMs }
}
