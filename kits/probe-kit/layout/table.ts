import type { TextStyle } from '../fonts.ts'
import type { TableSection } from '../spec.ts'
import { box, rule, type Anchor } from '../svg.ts'
import { drawHeading } from './header.ts'
import { ascent, leading, valueStyle, type Drawn, type Frame, type Sheet } from './sheet.ts'
import { drawTotals } from './totals.ts'
import { layWritten, type Written } from './written.ts'

interface Column {
  readonly x: number
  readonly width: number
  readonly align: 'left' | 'right' | 'center'
}

interface CellAt extends Written {
  readonly span: number
  readonly field: string
}

/** A drawn row, and the columns at which a cell of it begins. */
interface Band extends Drawn {
  readonly top: number
  readonly starts: ReadonlySet<number>
}

const ANCHORS: Readonly<Record<Column['align'], Anchor>> = { left: 'start', center: 'middle', right: 'end' }

/** Column heads, rows and totals. */
export function drawTable(section: TableSection, frame: Frame, sheet: Sheet): Drawn {
  const heading = drawHeading(section.title, frame, sheet)
  const columns = placeColumns(section, frame)
  const head: TextStyle = { ...sheet.label, bold: true }
  const value = valueStyle(sheet, section.font)
  const rules = section.rules ?? 'rows'
  const svg = [...heading.svg]
  const bands: Band[] = []

  const top = frame.y + heading.height
  let y = top
  const add = (cells: readonly CellAt[], style: TextStyle, colour: string, thickness: number): void => {
    const band = drawRow(cells, columns, y, style, sheet)
    bands.push(band)
    svg.push(...band.svg)
    y += band.height
    if (rules !== 'none') svg.push(rule(frame.x, y, frame.x + frame.width, y, colour, thickness))
  }

  if (section.heads) {
    const cells = section.heads.map(({ label, span }, index) => ({
      text: label,
      span,
      field: `${frame.field}.heads.${index}.label`,
    }))
    add(cells, head, sheet.lines, 0.8)
  }
  const labels = section.columns.map(({ label }, index) => ({
    text: label,
    span: 1,
    field: `${frame.field}.columns.${index}.label`,
  }))
  add(labels, head, sheet.accent, 2)
  section.rows.forEach((row, rowIndex) => {
    const cells = row.map((cell, index) => {
      const field = `${frame.field}.rows.${rowIndex}.${index}`
      return typeof cell === 'string'
        ? { text: cell, span: 1, field }
        : { text: cell.text, struck: cell.struck, span: cell.span ?? 1, field }
    })
    add(cells, value, sheet.lines, 0.8)
  })
  if (rules === 'grid') {
    svg.push(box(frame.x, top, frame.width, y - top, sheet.lines))
    columns.forEach(({ x }, index) => {
      if (index > 0) svg.push(...verticals(bands, index, x, sheet))
    })
  }

  const totals = drawTotals(section, { ...frame, y }, sheet, value)
  return { svg: [...svg, ...totals.svg], height: y + totals.height - frame.y }
}

function placeColumns(section: TableSection, frame: Frame): Column[] {
  const sum = section.columns.reduce((total, column) => total + column.width, 0)
  let x = frame.x
  return section.columns.map((column) => {
    const width = (column.width / sum) * frame.width
    const placed = { x, width, align: column.align ?? 'left' }
    x += width
    return placed
  })
}

function drawRow(
  cells: readonly CellAt[],
  columns: readonly Column[],
  y: number,
  style: TextStyle,
  sheet: Sheet,
): Band {
  const pad = sheet.size * 0.35
  const svg: string[] = []
  const starts = new Set<number>()
  let lines = 1
  let next = 0
  for (const cell of cells) {
    const column = across(columns.slice(next, next + cell.span))
    starts.add(next)
    next += cell.span
    const laid = layWritten(sheet, cell, style, column.width - 2 * pad, cell.field)
    lines = Math.max(lines, laid.lines)
    const x = { left: column.x + pad, center: column.x + column.width / 2, right: column.x + column.width - pad }
    const baseline = y + pad * 0.7 + ascent(style.size)
    svg.push(...laid.draw(x[column.align], baseline, ANCHORS[column.align]))
  }
  return { svg, top: y, height: lines * leading(style.size) + pad * 1.4, starts }
}

/** The room of neighbouring columns. */
function across(columns: readonly Column[]): Column {
  const [first] = columns
  if (first === undefined) throw new RangeError('a cell right of the last column')
  if (columns.length === 1) return first
  return { x: first.x, width: columns.reduce((sum, { width }) => sum + width, 0), align: 'center' }
}

/** The line before a column, left out where a cell runs across it. */
function verticals(bands: readonly Band[], column: number, x: number, sheet: Sheet): string[] {
  const runs: { from: number; to: number }[] = []
  for (const { top, height, starts } of bands) {
    if (!starts.has(column)) continue
    const last = runs.at(-1)
    if (last && last.to === top) last.to = top + height
    else runs.push({ from: top, to: top + height })
  }
  return runs.map(({ from, to }) => rule(x, from, x, to, sheet.lines, 0.8))
}
