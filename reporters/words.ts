/** At least cents, and all the digits a small amount has. */
export function usd(amount: number): string {
  const cents = amount.toFixed(2)
  return `$${Number(cents) === amount ? cents : Number(amount.toPrecision(6))}`
}

/** First column left, numbers right. */
export function align(rows: readonly string[][]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  ')}`.trimEnd(),
  )
}
