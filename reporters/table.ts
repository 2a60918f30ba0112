import c from 'tinyrainbow'
import type { ResultFile } from '../src/results/format.ts'
import type { Rate } from '../src/stats/rate.ts'

type Block = ResultFile['overall']
type RateName = 'parse' | 'conform' | 'values' | 'extraction'
const RATE_NAMES: readonly RateName[] = ['parse', 'conform', 'values', 'extraction']

/** The terminal summary of a result: every rate with its count and 95 % interval, overall, by group and by fixture. */
export function renderTable(result: ResultFile): string {
  const { overall } = result
  const names = RATE_NAMES.filter((name) => overall[name] !== undefined)
  const headline = names.at(-1)
  const lines = ['', title(result), ...warnings(result), '']
  const rows: string[][] = [['', 'k/n', 'rate', '95 % interval', 'fixtures as clusters']]
  for (const name of names) rows.push([name, ...rateCells(overall[name]!), clusterCell(overall, name)])
  const groups = {
    ...prefixed('difficulty', result.by_difficulty),
    ...prefixed('domain', result.by_domain),
    ...prefixed('family', result.by_family),
  }
  if (headline !== undefined) {
    rows.push(['', '', '', '', ''], [`${headline}, by group`, 'k/n', 'rate', '95 % interval', 'fixtures as clusters'])
    for (const [label, block] of Object.entries(groups)) {
      rows.push([label, ...rateCells(block[headline]!), clusterCell(block, headline)])
    }
    rows.push(['', '', '', '', ''], [`${headline}, by fixture`, 'k/n', 'rate', '95 % interval', 'values right'])
    for (const row of result.stats) {
      const accuracy = row.valueAccuracyMean
      const right = accuracy === null ? '' : `${percent(accuracy)} of ${row.conform?.successes ?? 0}`
      rows.push([row.fixtureId, ...rateCells(row[headline]!), right])
    }
  }
  return [...lines, ...align(rows)].join('\n')
}

function title(result: ResultFile): string {
  const { overall } = result
  const fixtures = Object.keys(result.fixtureHashes).length
  const wanted = fixtures * result.samplesPerFixture
  const unscored = overall.unscored > 0 ? `, ${overall.unscored} unscored` : ''
  const latency = overall.latencyMs === null ? '' : `, latency p50 ${Math.round(overall.latencyMs.p50)} ms`
  const what = `${c.bold(result.modelKey)} · ${result.class} · ${fixtures} fixtures x ${result.samplesPerFixture} samples`
  const spent = `${usd(result.totalCostUsd)} of ${usd(result.envelopeUsd)}`
  return `${what}: ${overall.scored} of ${wanted} scored${unscored}, ${spent}${latency}`
}

/** At least cents, and all the digits a small amount has. */
function usd(amount: number): string {
  const cents = amount.toFixed(2)
  return `$${Number(cents) === amount ? cents : Number(amount.toPrecision(6))}`
}

function warnings(result: ResultFile): string[] {
  const lines: string[] = []
  if (result.simulated) lines.push(c.yellow('simulated: no real model was measured'))
  if (!result.complete) lines.push(c.yellow(`incomplete: ${result.stopReason}`))
  return lines
}

function prefixed(kind: string, blocks: Record<string, Block>): Record<string, Block> {
  return Object.fromEntries(Object.entries(blocks).map(([name, block]) => [`${kind} ${name}`, block]))
}

function rateCells(rate: Rate): [string, string, string] {
  const counts = `${rate.successes}/${rate.n}`
  return rate.rate === null ? [counts, 'no n', ''] : [counts, percent(rate.rate), interval(rate.ci95)]
}

/** The interval that takes fixtures, not samples, as the independent facts. */
function clusterCell(block: Block, name: RateName): string {
  const cluster = block[name]?.cluster
  return cluster ? `${interval(cluster.ci95)} n_eff ${cluster.effectiveN.toFixed(1)}` : ''
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}

function interval(ci: readonly [number, number] | readonly number[] | null): string {
  return ci === null ? '' : `[${percent(ci[0]!)}, ${percent(ci[1]!)}]`
}

/** First column left, numbers right. */
function align(rows: readonly string[][]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  ')}`.trimEnd(),
  )
}
