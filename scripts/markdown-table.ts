/** A Markdown table as lines, its columns aligned as the formatter aligns them. The first row is the head. */
export function markdownTable(rows: readonly (readonly string[])[]): string[] {
  const [head = [], ...body] = rows
  const widths = head.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)))
  const line = (cells: readonly string[], fill = ' '): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!, fill)).join(' | ')} |`
  const rule = head.map(() => '')
  return [line(head), line(rule, '-'), ...body.map((cells) => line(cells))]
}
