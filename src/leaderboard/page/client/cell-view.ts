import { pooledRate } from '../../../stats/pooled-rate.ts'
import type { AmountCell, Column, Leaderboard, LeaderboardModel, RateCell } from '../../format.ts'
import { fixtureResults, isWhole, type FixtureResult, type Scope } from './fixture-rows.ts'

/** What stands in a cell. */
export interface CellView {
  readonly column: Column
  readonly cell: RateCell | AmountCell | null
  /** What stands there in place of a figure; empty where there is one. */
  readonly blank: string
  /** What is to be known of the figure. */
  readonly notes: readonly string[]
  readonly discrepancies: LeaderboardModel['discrepancies']
}

/** Stands where nothing was measured, which says nothing of the model. */
export const UNPROBED = 'unprobed'
/** Stands where the class was measured, and on no fixture of those chosen. */
const NOT_ON_THESE = 'no such fixture'

/** The cell of a model in a column, counted over the fixtures in scope. */
export function cellView(board: Leaderboard, model: LeaderboardModel, column: Column, scope: Scope): CellView {
  const own = model.classes[column.class]
  const discrepancies = model.discrepancies.filter((one) => one.column === column.id)
  const blank = (text: string): CellView => ({ column, cell: null, blank: text, notes: [], discrepancies })
  if (own === undefined) return blank(UNPROBED)
  const whole = isWhole(scope)
  const results = whole ? [] : fixtureResults(board, model, column.class, scope)
  if (!whole && results.length === 0) return blank(NOT_ON_THESE)
  const cell = whole ? (model.cells[column.id] ?? null) : counted(board, column, results, model.cells[column.id])
  if (cell === null) return blank(whyEmpty(column, whole ? fixtureResults(board, model, column.class, scope) : results))
  const notes = [
    ...(cell.thin ? [`too few: n < ${board.thinBelow}`] : []),
    ...(own.stale ? ['stale'] : []),
    ...(own.complete ? [] : ['incomplete']),
    ...(!whole && column.kind === 'ms' ? ['median of fixtures'] : []),
  ]
  return { column, cell, blank: '', notes, discrepancies }
}

/** Why a class that was measured has no figure in a column. */
function whyEmpty({ id }: Column, results: readonly FixtureResult[]): string {
  const own = id === 'hard' ? hardOf(results) : results
  if (id === 'hard' && own.length === 0) return 'no hard fixture'
  if (own.every(({ scored }) => scored === 0)) return 'no scored sample'
  const needsConformant = id === 'values' || id === 'costPer1000'
  if (needsConformant && own.every(({ counts }) => counts('conform').successes === 0)) return 'no conformant answer'
  return 'no sample counts'
}

function hardOf(results: readonly FixtureResult[]): readonly FixtureResult[] {
  return results.filter(({ fixture }) => fixture.difficulty === 'hard')
}

/** What a column is sorted by; null: nothing was measured. */
export function sortValue({ cell }: CellView, rank: 'rate' | 'low'): number | null {
  if (cell === null) return null
  if ('value' in cell) return cell.value
  return rank === 'low' ? cell.clusterCi95[0] : cell.rate
}

function counted(
  { thinBelow }: Leaderboard,
  { id, kind, rate }: Column,
  results: readonly FixtureResult[],
  whole: RateCell | AmountCell | undefined,
): RateCell | AmountCell | null {
  const thin = (n: number) => n < thinBelow && { thin: true as const }
  if (kind === 'usd') {
    const successes = sum(results.map(({ counts }) => counts('conform').successes))
    if (successes === 0) return null
    const value = (sum(results.map(({ costUsd }) => costUsd)) / successes) * 1000
    const bound = whole !== undefined && 'upperBound' in whole && { upperBound: true as const }
    return { value, n: successes, ...bound, ...thin(successes) }
  }
  if (kind === 'ms') {
    const timed = results.filter(({ latencyMs }) => latencyMs !== null)
    if (timed.length === 0) return null
    const n = sum(timed.map(({ scored }) => scored))
    return { value: median(timed.map(({ latencyMs }) => latencyMs!)), n, ...thin(n) }
  }
  const own = id === 'hard' ? hardOf(results) : results
  return rateCell(
    own.map(({ counts }) => counts(rate!)),
    thinBelow,
  )
}

/** A rate over fixtures with both its intervals; null without a sample. */
export function rateCell(
  counts: readonly { readonly successes: number; readonly n: number }[],
  thinBelow: number,
): RateCell | null {
  const { successes, n, rate, ci95, cluster } = pooledRate(counts.map((own) => ({ ...own, unscored: 0 })))
  if (rate === null || ci95 === null || cluster === null) return null
  return { successes, n, rate, ci95, clusterCi95: cluster.ci95, ...(n < thinBelow && { thin: true as const }) }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return (sorted[Math.floor(middle - 0.5)]! + sorted[Math.ceil(middle - 0.5)]!) / 2
}
