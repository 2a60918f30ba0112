import { counted } from '../src/model/counted.ts'
import c from 'tinyrainbow'
import type { ResultFile } from '../src/results/format.ts'
import { ownOf } from '../src/model/own.ts'
import { parseShard, samplesOf } from '../src/model/shard.ts'
import { spentUsdOf, sumOfUsd } from '../src/model/spend.ts'
import type { PooledRate } from '../src/stats/block-types.ts'
import type { Rate } from '../src/stats/rate.ts'
import { RATES, type RateName } from '../src/stats/rate-table.ts'
import { intervalText, percent, percentExact } from '../src/stats/rate-text.ts'
import { firstWrong } from './first-wrong.ts'
import { intervalBar } from './interval-bar.ts'
import { align, usd } from './words.ts'

const RATE_NAMES = Object.keys(RATES) as readonly RateName[]

/** Names of the rates a result has; the last is its headline. */
export function rateNames({ overall }: ResultFile): readonly RateName[] {
  return RATE_NAMES.filter((name) => overall[name] !== undefined)
}

/** Every rate of a result over all its fixtures, custom checks last. */
export function allRates(result: ResultFile): (readonly [name: string, rate: PooledRate])[] {
  const { overall } = result
  const own = rateNames(result).map((name) => [name, overall[name]!] as const)
  return [...own, ...Object.entries(overall.checks ?? {}).map(([name, rate]) => [`check ${name}`, rate] as const)]
}

/**
 * The terminal summary of a result: every rate with its count and 95 % interval, overall, by group and by fixture.
 * @param columns width of the terminal, Infinity where it has none; intervals are drawn where there is room.
 */
export function renderTable(result: ResultFile, columns: number = 0): string {
  const names = rateNames(result)
  const headline = names.at(-1)
  const rows = [HEAD('')]
  for (const [name, rate] of allRates(result)) rows.push([name, ...drawn(rate), clusterCell(rate)])
  rows.push(...cachedShareRows(result))
  if (headline !== undefined) rows.push(...groupRows(result, headline), ...fixtureRows(result, headline))
  return ['', title(result), ...warnings(result), '', ...fitted(rows, columns), ...reasons(result)].join('\n')
}

const BLANK = ['', '', '', '', '', '']
const HEAD = (first: string, last = 'fixtures as clusters'): string[] => [
  first,
  'k/n',
  'rate',
  '95 % interval',
  '',
  last,
]
const BAR_COLUMN = HEAD('').indexOf('', 1)
const MIN_COLUMNS_FOR_BARS = 100

/** With bars where the lines still fit: a line that wraps is harder to read than one without. */
function fitted(rows: readonly string[][], columns: number): string[] {
  const lines = align(rows)
  const fits = columns >= MIN_COLUMNS_FOR_BARS && lines.every((line) => line.length <= columns)
  return fits ? lines : align(rows.map((row) => row.toSpliced(BAR_COLUMN, 1)))
}

function drawn(rate: Rate): [string, string, string, string] {
  return [...rateCells(rate), intervalBar(rate)]
}

/** How much of the input hits read from cache: a hit that reads four tokens of thousands saves nothing. */
function cachedShareRows({ overall: { cachedShareMean, scored } }: ResultFile): string[][] {
  const shown = cachedShareMean ?? null
  return shown === null ? [] : [['cached share of input, mean', `n ${scored}`, percent(shown), '', '', '']]
}

/** Groups that divide the fixtures; one group of all says what `overall` says. */
function groupRows(result: ResultFile, headline: RateName): string[][] {
  const { by_difficulty: difficulty, by_domain: domain, by_family: family, by_subtype: subtype = {} } = result
  const rows = Object.entries({ difficulty, domain, family, subtype })
    .filter(([, blocks]) => !Object.values(blocks).some(({ fixtures }) => fixtures === result.overall.fixtures))
    .flatMap(([kind, blocks]) => Object.entries(blocks).map(([name, block]) => [`${kind} ${name}`, block] as const))
    .map(([label, block]) => [label, ...drawn(block[headline]!), clusterCell(block[headline]!)])
  return rows.length === 0 ? [] : [BLANK, HEAD(`${headline}, by group`), ...rows]
}

function fixtureRows(result: ResultFile, headline: RateName): string[][] {
  const rows = result.stats.map((row) => [row.fixtureId, ...drawn(row[headline]!), meanCell(result, row)])
  return [BLANK, HEAD(`${headline}, by fixture`, MEAN_HEADS[result.class] ?? ''), ...rows]
}

const MEAN_HEADS: Readonly<Partial<Record<ResultFile['class'], string>>> = {
  schema: 'mean values right',
  image: 'mean values right',
  caching: 'mean share cached',
}

function meanCell({ overall }: ResultFile, row: ResultFile['stats'][number]): string {
  if (row.scored === 0) return ''
  if (row.cachedShareMean !== undefined) return row.cachedShareMean === null ? '' : percent(row.cachedShareMean)
  if (overall.values === undefined) return ''
  if (row.valueAccuracyMean !== null) return percent(row.valueAccuracyMean)
  return row.conform?.successes === 0 ? 'none conformed' : 'none expected'
}

const MAX_REASONS = 12

/** For each fixture that did not always come out right, what was wrong with the first sample that did not. */
function reasons(result: ResultFile): string[] {
  const lines = result.stats.flatMap(({ fixtureId }) => {
    const why = firstWrong(result, fixtureId)
    return why ? [`    ${fixtureId}: ${why}`] : []
  })
  if (lines.length === 0) return []
  const more = lines.length > MAX_REASONS ? [`    … and ${lines.length - MAX_REASONS} more fixtures`] : []
  return ['', '  first thing wrong', ...lines.slice(0, MAX_REASONS), ...more]
}

function title(result: ResultFile): string {
  return `${c.bold(result.modelKey)} · ${result.class} · ${extent(result)}`
}

/** How much was measured, what it cost and how long it took. */
export function extent(result: ResultFile): string {
  const { overall } = result
  const shard = result.shard === null ? null : parseShard(result.shard)
  const own = Object.keys(result.fixtureHashes).map((id, position) =>
    samplesOf(shard, position, ownOf(result.fixtureSamples, id) ?? result.samplesPerFixture),
  )
  const wanted = own.flat().length
  const unscored = overall.unscored > 0 ? `, ${overall.unscored} unscored` : ''
  const latency = overall.latencyMs === null ? '' : `, latency p50 ${Math.round(overall.latencyMs.p50)} ms`
  const what = `${size(result)}${shard === null ? '' : `, shard ${result.shard}`}`
  const spent = `${usd(result.totalCostUsd)} of ${usd(result.envelopeUsd)}${replayNote(result)}`
  const scored = result.complete ? `${overall.scored} scored` : `${overall.scored} of ${wanted} scored`
  return `${what}: ${scored}${unscored}, ${spent}${latency}`
}

/** How many fixtures, and how many samples the run was to take. */
function size({ fixtureHashes, fixtureSamples, samplesPerFixture, until }: ResultFile): string {
  const wanted = Object.keys(fixtureHashes).map((id) => ownOf(fixtureSamples, id) ?? samplesPerFixture)
  const fixtures = counted(wanted.length, 'fixture')
  const fewest = Math.min(...wanted)
  const even = fewest === samplesPerFixture
  const each = even ? counted(fewest, 'sample') : `${fewest} to ${samplesPerFixture} samples`
  if (until !== undefined) {
    const rule = `until ${until.rates.join(' and ')} within ±${percentExact(until.halfWidth).replace('%', ' points')} or ${until.mostSamples} samples`
    return `${fixtures}, ${each} each, ${rule}`
  }
  if (even) return `${fixtures} x ${each}`
  const all = wanted.reduce((sum, n) => sum + n, 0)
  return `${fixtures}, ${each} each, ${all} in all`
}

/** How much of a result was paid for now, where some of it was before. */
function replayNote({ raw }: ResultFile): string {
  const samples = Object.values(raw).flat()
  const bought = samples.filter(({ replayed }) => !replayed)
  if (bought.length === samples.length) return ''
  const replayed = `${samples.length - bought.length} replayed`
  return ` (${replayed}, ${bought.length} bought for ${usd(sumOfUsd(bought.map(spentUsdOf)))})`
}

function warnings(result: ResultFile): string[] {
  return notes(result).map(({ text, warns }) => (warns ? c.yellow(text) : text))
}

/** Something to know before the rates are read. */
interface Note {
  readonly text: string
  readonly warns: boolean
}

/** What to know of a result before its rates are read, without colours. */
export function notes(result: ResultFile): Note[] {
  const enforcement = enforcementNote(result)
  return [
    ...(result.simulated ? [{ text: 'simulated: no real model was measured', warns: true }] : []),
    ...(enforcement === null ? [] : [enforcement]),
    ...boundsNote(result),
    ...unevenNote(result),
    ...(result.complete ? [] : [{ text: `incomplete: ${result.stopReason}`, warns: true }]),
  ]
}

/** How far what faults spoiled could have moved the headline. */
function boundsNote(result: ResultFile): Note[] {
  const headline = rateNames(result).at(-1)
  const bounds = headline === undefined ? undefined : result.overall[headline]?.bounds
  if (bounds === undefined) return []
  const text = `${headline} would be within ${intervalText(bounds)} whatever the unscored samples had shown`
  return [{ text, warns: false }]
}

/** What is right half the time was sampled most, and counts most over all fixtures. */
function unevenNote({ until, stats }: ResultFile): Note[] {
  if (until === undefined || new Set(stats.map(({ scored }) => scored)).size < 2) return []
  const text = 'rates over several fixtures are pulled towards 50%, where most samples were taken: read them by fixture'
  return [{ text, warns: true }]
}

/** What the canary has shown, where there was one and samples were taken accordingly. */
function enforcementNote({ canary, raw }: ResultFile): Note | null {
  if (canary === undefined) return null
  if (canary.enforced)
    return { text: 'native: the enforcement canary shows that the server enforces schemas', warns: false }
  const coached = Object.values(raw).some((samples) => samples.some(({ rung }) => rung === 'json_mode'))
  if (!coached) return null
  const why =
    canary.enforced === null
      ? 'whether the server enforces schemas could not be shown'
      : 'the server takes schemas and does not enforce them'
  return { text: `${why}: samples were coached (json_mode)`, warns: true }
}

/** Count, rate and interval, as they are shown. */
export function rateCells(rate: Rate): [string, string, string] {
  const counts = `${rate.successes}/${rate.n}`
  return rate.rate === null ? [counts, 'no n', ''] : [counts, percent(rate.rate), intervalText(rate.ci95)]
}

/** The interval that takes fixtures, not samples, as the independent facts. */
export function clusterCell({ cluster }: PooledRate): string {
  return cluster === null ? '' : `${intervalText(cluster.ci95)} n_eff ${cluster.effectiveN.toFixed(1)}`
}
