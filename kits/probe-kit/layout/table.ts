import type { TextStyle } from '../fonts.ts'
import type { TableSection } from '../spec.ts'
import { box, rule, textLine, type Anchor } from '../svg.ts'
import { drawHeading } from './header.ts'
import { ascent, leading, mustFit, valueStyle, widthOf, wrap, type Drawn, type Frame, type Sheet } from './sheet.ts'

interface Column {
  readonly x: number
  readonly width: number
  readonly align: 'left' | 'right' | 'center'
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

  let y = frame.y + heading.height
  const top = y
  const headRow = drawRow(
    section.columns.map((column, index) => ({ text: column.label, field: `${frame.field}.columns.${index}.label` })),
    columns,
    y,
    head,
    sheet,
  )
  svg.push(...headRow.svg)
  y += headRow.height
  if (rules !== 'none') svg.push(rule(frame.x, y, frame.x + frame.width, y, sheet.accent, 2))

  section.rows.forEach((row, rowIndex) => {
    const cells = row.map((cell, index) => ({
      text: typeof cell === 'string' ? cell : cell.text,
      field: `${frame.field}.rows.${rowIndex}.${index}`,
    }))
    const drawn = drawRow(cells, columns, y, value, sheet)
    svg.push(...drawn.svg)
    y += drawn.height
    if (rules !== 'none') svg.push(rule(frame.x, y, frame.x + frame.width, y, sheet.lines, 0.8))
  })
  if (rules === 'grid') {
    svg.push(box(frame.x, top, frame.width, y - top, sheet.lines))
    for (const column of columns.slice(1)) svg.push(rule(column.x, top, column.x, y, sheet.lines, 0.8))
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
  cells: readonly { readonly text: string; readonly field: string }[],
  columns: readonly Column[],
  y: number,
  style: TextStyle,
  sheet: Sheet,
): Drawn {
  const pad = sheet.size * 0.35
  const svg: string[] = []
  let lines = 1
  cells.forEach((cell, index) => {
    const column = columns[index]
    if (column === undefined) return
    const wrapped = wrap(sheet, cell.text, style, column.width - 2 * pad, cell.field)
    lines = Math.max(lines, wrapped.length)
    const x = { left: column.x + pad, center: column.x + column.width / 2, right: column.x + column.width - pad }
    wrapped.forEach((text, line) => {
      const baseline = y + pad * 0.7 + ascent(style.size) + line * leading(style.size)
      svg.push(textLine(text, x[column.align], baseline, style, ANCHORS[column.align]))
    })
  })
  return { svg, height: lines * leading(style.size) + pad * 1.4 }
}

function drawTotals(section: TableSection, frame: Frame, sheet: Sheet, value: TextStyle): Drawn {
  const totals = section.totals ?? []
  if (totals.length === 0) return { svg: [], height: 0 }
  const pad = sheet.size * 0.35
  const right = frame.x + frame.width - pad
  const field = (index: number): string => `${frame.field}.totals.${index}`
  const valueWidth = Math.max(
    ...totals.map((total, index) => widthOf(sheet, total.value, { ...value, bold: true }, field(index))),
  )
  const labelRight = right - valueWidth - sheet.size * 1.5
  const line = leading(value.size) + pad * 0.6

  const styles = totals.map((total) => ({ ...sheet.print, bold: total.strong === true }))
  const labelWidths = totals.map((total, index) => {
    const style = styles[index] ?? sheet.print
    mustFit(sheet, total.label, style, labelRight - frame.x, `${field(index)}.label`)
    return widthOf(sheet, total.label, style, field(index))
  })
  const left = labelRight - Math.max(...labelWidths)

  let y = frame.y + pad
  const svg: string[] = []
  totals.forEach((total, index) => {
    const style = styles[index] ?? sheet.print
    if (style.bold) {
      y += pad * 0.6
      svg.push(rule(left, y, right, y, sheet.accent, 2))
    }
    const baseline = y + pad * 0.5 + ascent(value.size)
    svg.push(textLine(total.label, labelRight, baseline, style, 'end'))
    svg.push(textLine(total.value, right, baseline, { ...value, bold: total.strong === true }, 'end'))
    y += line
  })
  return { svg, height: y - frame.y }
}
