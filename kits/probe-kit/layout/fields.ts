import type { FieldsSection } from '../spec.ts'
import { box, rule, textLine } from '../svg.ts'
import { drawHeading } from './header.ts'
import { ascent, leading, valueStyle, wrap, type Drawn, type Frame, type Sheet } from './sheet.ts'

type Field = FieldsSection['fields'][number]

/** One field laid out: its height is known before its row is drawn, as a row is as tall as its tallest field. */
interface Laid {
  readonly height: number
  readonly draw: (y: number, rowHeight: number) => string[]
}

interface Slot {
  readonly x: number
  readonly width: number
  readonly field: string
}

/** Labelled values, row by row. */
export function drawFields(section: FieldsSection, frame: Frame, sheet: Sheet): Drawn {
  const heading = drawHeading(section.title, frame, sheet)
  const svg = [...heading.svg]
  const columns = section.columns ?? 1
  const columnGap = section.style === 'boxed' ? sheet.gap * 0.4 : sheet.gap * 1.2
  const columnWidth = (frame.width - (columns - 1) * columnGap) / columns
  const rowGap = section.style === 'plain' ? 0 : sheet.gap * 0.35

  let y = frame.y + heading.height
  for (const row of rowsOf(section.fields, columns)) {
    const laid = row.map(({ field, index, column, span }) =>
      layField(section, field, sheet, {
        x: frame.x + column * (columnWidth + columnGap),
        width: span * columnWidth + (span - 1) * columnGap,
        field: `${frame.field}.fields.${index}`,
      }),
    )
    const rowHeight = Math.max(...laid.map((one) => one.height))
    for (const one of laid) svg.push(...one.draw(y, rowHeight))
    y += rowHeight + rowGap
  }
  return { svg, height: y - rowGap - frame.y }
}

interface Placed {
  readonly field: Field
  readonly index: number
  readonly column: number
  readonly span: number
}

function rowsOf(fields: readonly Field[], columns: number): Placed[][] {
  const rows: Placed[][] = []
  let column = columns
  fields.forEach((field, index) => {
    const span = field.span ?? 1
    if (column + span > columns) {
      rows.push([])
      column = 0
    }
    rows.at(-1)?.push({ field, index, column, span })
    column += span
  })
  return rows
}

function layField(section: FieldsSection, field: Field, sheet: Sheet, slot: Slot): Laid {
  const labels = section.labels ?? (section.style === 'boxed' ? 'above' : 'left')
  return labels === 'above' ? layAbove(section, field, sheet, slot) : layLeft(section, field, sheet, slot)
}

function layLeft(section: FieldsSection, field: Field, sheet: Sheet, slot: Slot): Laid {
  const value = valueStyle(sheet, section.font)
  const pad = section.style === 'boxed' ? sheet.size * 0.4 : 0
  const labelWidth = slot.width * (section.labelShare ?? 0.42)
  const valueX = slot.x + labelWidth + sheet.size * 0.5
  const valueWidth = slot.x + slot.width - valueX
  const labelLines = wrap(sheet, field.label, sheet.label, labelWidth, `${slot.field}.label`)
  const valueLines = wrap(sheet, field.value, value, valueWidth - 2 * pad, `${slot.field}.value`)
  const line = leading(value.size)
  // Room for descenders above the rule.
  const drop = section.style === 'line' ? sheet.size * 0.15 : 0
  return {
    height: Math.max(valueLines.length, labelLines.length) * line + 2 * pad + drop,
    draw: (y, rowHeight) => {
      // Label and value share the baseline of their first line.
      const baseline = y + pad + ascent(value.size)
      const svg = labelLines.map((text, index) => textLine(text, slot.x, baseline + index * line, sheet.label))
      if (section.style === 'boxed') svg.push(box(valueX, y, valueWidth, rowHeight, sheet.lines))
      if (section.style === 'line') {
        svg.push(rule(valueX, y + rowHeight, valueX + valueWidth, y + rowHeight, sheet.lines))
      }
      valueLines.forEach((text, index) => svg.push(textLine(text, valueX + pad, baseline + index * line, value)))
      return svg
    },
  }
}

function layAbove(section: FieldsSection, field: Field, sheet: Sheet, slot: Slot): Laid {
  const value = valueStyle(sheet, section.font)
  const label = section.style === 'boxed' ? { ...sheet.label, size: sheet.label.size * 0.88 } : sheet.label
  const pad = section.style === 'boxed' ? sheet.size * 0.4 : 0
  const inner = slot.width - 2 * pad
  const labelLines = wrap(sheet, field.label, label, inner, `${slot.field}.label`)
  const valueLines = wrap(sheet, field.value, value, inner, `${slot.field}.value`)
  const labelHeight = labelLines.length * leading(label.size)
  return {
    height: labelHeight + valueLines.length * leading(value.size) + 1.5 * pad,
    draw: (y, rowHeight) => {
      const x = slot.x + pad
      const top = y + pad * 0.75
      const svg = labelLines.map((text, index) =>
        textLine(text, x, top + ascent(label.size) + index * leading(label.size), label),
      )
      valueLines.forEach((text, index) =>
        svg.push(textLine(text, x, top + labelHeight + ascent(value.size) + index * leading(value.size), value)),
      )
      if (section.style === 'boxed') svg.push(box(slot.x, y, slot.width, rowHeight, sheet.lines))
      if (section.style === 'line')
        svg.push(rule(slot.x, y + rowHeight, slot.x + slot.width, y + rowHeight, sheet.lines))
      return svg
    },
  }
}
