import type { SideRate } from '../results/compare-rates.ts'
import { rateText } from '../stats/rate-text.ts'

/** A rate over several fixtures, with the interval that takes them as clusters. */
export function ofPooled(side: SideRate): string {
  return rateText({ ...side, ci95: side.cluster?.ci95 ?? null })
}

/** A difference of rates in percentage points, with its sign. */
export function points(difference: number): string {
  const rounded = (difference * 100).toFixed(1)
  // A difference that rounds to none has no sign.
  return Number(rounded) === 0 ? '0.0' : `${difference > 0 ? '+' : ''}${rounded}`
}

/** An interval of differences. */
export function pointsWithin([lower, upper]: readonly number[]): string {
  return `[${points(lower!)}, ${points(upper!)}]`
}

/** A p value: three decimals, four where it is small. */
export function pOf(p: number): string {
  if (p < 0.0001) return '< 0.0001'
  return p < 0.01 ? p.toFixed(4) : p.toFixed(3)
}

/** US dollars: cents, or as many digits as a small amount needs. */
export function usd(amount: number): string {
  return amount === 0 || amount >= 0.1 ? `$${amount.toFixed(2)}` : `$${Number(amount.toPrecision(3))}`
}

/** Rows of cells below each other: the first to the left, the others to the right. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  )
}
