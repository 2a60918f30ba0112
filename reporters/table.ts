import c from 'tinyrainbow'
import type { ResultFile } from '../src/results/format.ts'
import type { Sample } from '../src/model/sample.ts'
import { parseShard, samplesOf } from '../src/model/shard.ts'
import { spentUsdOf, sumOfUsd } from '../src/model/spend.ts'
import type { Rate } from '../src/stats/rate.ts'
import { RATES, type RateName } from '../src/stats/rate-table.ts'
import { intervalBar } from './interval-bar.ts'

type Block = ResultFile['overall']
const RATE_NAMES = Object.keys(RATES) as readonly RateName[]

/** Names of the rates a result has; the last is its headline. */
export function rateNames({ overall }: ResultFile): readonly RateName[] {
  return RATE_NAMES.filter((name) => overall[name] !== undefined)
}

/**
 * The terminal summary of a result: every rate with its count and 95 % interval, overall, by group and by fixture.
 * @param columns width of the terminal, Infinity where it has none; intervals are drawn where there is room.
 */
export function renderTable(result: ResultFile, columns: number = 0): string {
  const names = rateNames(result)
  const headline = names.at(-1)
  const rows = [HEAD('')]
  for (const name of names) rows.push([name, ...drawn(result.overall[name]!), clusterCell(result.overall, name)])
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
    .map(([label, block]) => [label, ...drawn(block[headline]!), clusterCell(block, headline)])
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

/** What was wrong with the first sample of a fixture that did not come out right; null: nothing. */
export function firstWrong({ raw }: ResultFile, fixtureId: string): string | null {
  return raw[fixtureId]?.map(reasonOf).find((reason) => reason !== null) ?? null
}

function reasonOf(sample: Sample): string | null {
  if (sample.failureClass !== null) {
    const detail = sample.failureDetail ?? INELIGIBLE_WORDS[sample.failureClass]
    return [sample.failureClass, detail].filter(Boolean).join(': ')
  }
  if (!sample.parseOk) return sample.failureDetail ?? 'does not parse'
  const [violation] = sample.violations ?? []
  if (violation !== undefined) return `${violation.path || '/'} ${violation.message}`
  if (sample.grounded === false) return ungroundedReason(sample)
  const [mismatch] = sample.mismatches ?? []
  if (mismatch === undefined) return null
  const actual = mismatch.actual === undefined ? 'nothing' : JSON.stringify(mismatch.actual)
  return `${mismatch.path} is ${actual}, expected ${JSON.stringify(mismatch.expected)}`
}

const INELIGIBLE_WORDS: Readonly<Partial<Record<NonNullable<Sample['failureClass']>, string>>> = {
  cache_prefix_below_minimum:
    'the prompt is under or near the smallest size that is cached, so a miss would show nothing',
  cache_not_reported: 'the provider reports no figure of cached tokens, and absent is not zero',
  cache_contaminated: 'the first call was itself served from cache',
}

function ungroundedReason({ searched, searchRequested, citations = [] }: Sample): string {
  const written = `${count(citations.length, 'address')} written in the answer`
  if (searched) return `searched, and cites nothing it found; ${written}`
  return searchRequested ? `ran no search; ${written}` : `no search could be asked for; ${written}`
}

function title(result: ResultFile): string {
  return `${c.bold(result.modelKey)} · ${result.class} · ${extent(result)}`
}

/** How much was measured, what it cost and how long it took. */
export function extent(result: ResultFile): string {
  const { overall } = result
  const fixtures = Object.keys(result.fixtureHashes).length
  const shard = result.shard === null ? null : parseShard(result.shard)
  const own = Array.from({ length: fixtures }, (_, position) => samplesOf(shard, position, result.samplesPerFixture))
  const wanted = own.flat().length
  const unscored = overall.unscored > 0 ? `, ${overall.unscored} unscored` : ''
  const latency = overall.latencyMs === null ? '' : `, latency p50 ${Math.round(overall.latencyMs.p50)} ms`
  const size = `${count(fixtures, 'fixture')} x ${count(result.samplesPerFixture, 'sample')}`
  const what = `${size}${shard === null ? '' : `, shard ${result.shard}`}`
  const spent = `${usd(result.totalCostUsd)} of ${usd(result.envelopeUsd)}${replayNote(result)}`
  // Cases can ask for fewer samples than the most of them: only a run that lacks some says of how many.
  const scored = result.complete ? `${overall.scored} scored` : `${overall.scored} of ${wanted} scored`
  return `${what}: ${scored}${unscored}, ${spent}${latency}`
}

/** How much of a result was paid for now, where some of it was before. */
function replayNote({ raw }: ResultFile): string {
  const samples = Object.values(raw).flat()
  const bought = samples.filter(({ replayed }) => !replayed)
  if (bought.length === samples.length) return ''
  const replayed = `${samples.length - bought.length} replayed`
  return ` (${replayed}, ${bought.length} bought for ${usd(sumOfUsd(bought.map(spentUsdOf)))})`
}

/** A number with its noun, in the plural where it is not one. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`
}

/** At least cents, and all the digits a small amount has. */
export function usd(amount: number): string {
  const cents = amount.toFixed(2)
  return `$${Number(cents) === amount ? cents : Number(amount.toPrecision(6))}`
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
    ...(result.complete ? [] : [{ text: `incomplete: ${result.stopReason}`, warns: true }]),
  ]
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
  return rate.rate === null ? [counts, 'no n', ''] : [counts, percent(rate.rate), interval(rate.ci95)]
}

/** The interval that takes fixtures, not samples, as the independent facts. */
export function clusterCell(block: Block, name: RateName): string {
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
export function align(rows: readonly string[][]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  ')}`.trimEnd(),
  )
}
