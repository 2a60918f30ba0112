import type { FieldsSection } from '../spec.ts'
import { box, element, rule, textLine } from '../svg.ts'
import { ascent, leading, tooWide, valueStyle, widthOf, wrap, type Sheet } from './sheet.ts'
import { layWritten, type Written } from './written.ts'

/** One field of a section. */
export type Field = FieldsSection['fields'][number]

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

const written = ({ value, struck }: Field): Written => ({ text: value, struck })

/** A field in the look of its section. */
export function layField(section: FieldsSection, field: Field, sheet: Sheet, slot: Slot): Laid {
  if (section.style === 'leader') return layLeader(section, field, sheet, slot)
  if (section.style === 'comb') return layComb(section, field, sheet, slot)
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
  const laid = layWritten(sheet, written(field), value, valueWidth - 2 * pad, `${slot.field}.value`)
  const line = leading(value.size)
  // Room for descenders above the rule.
  const drop = section.style === 'line' ? sheet.size * 0.15 : 0
  return {
    height: Math.max(laid.lines, labelLines.length) * line + 2 * pad + drop,
    draw: (y, rowHeight) => {
      // Label and value share the baseline of their first line.
      const baseline = y + pad + ascent(value.size)
      const svg = labelLines.map((text, index) => textLine(text, slot.x, baseline + index * line, sheet.label))
      if (section.style === 'boxed') svg.push(box(valueX, y, valueWidth, rowHeight, sheet.lines))
      if (section.style === 'line') {
        svg.push(rule(valueX, y + rowHeight, valueX + valueWidth, y + rowHeight, sheet.lines))
      }
      svg.push(...laid.draw(valueX + pad, baseline))
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
  const laid = layWritten(sheet, written(field), value, inner, `${slot.field}.value`)
  const labelHeight = labelLines.length * leading(label.size)
  return {
    height: labelHeight + laid.lines * leading(value.size) + 1.5 * pad,
    draw: (y, rowHeight) => {
      const x = slot.x + pad
      const top = y + pad * 0.75
      const svg = labelLines.map((text, index) =>
        textLine(text, x, top + ascent(label.size) + index * leading(label.size), label),
      )
      svg.push(...laid.draw(x, top + labelHeight + ascent(value.size)))
      if (section.style === 'boxed') svg.push(box(slot.x, y, slot.width, rowHeight, sheet.lines))
      if (section.style === 'line')
        svg.push(rule(slot.x, y + rowHeight, slot.x + slot.width, y + rowHeight, sheet.lines))
      return svg
    },
  }
}

/** The value stands at the right edge, with dots up to it. */
function layLeader(section: FieldsSection, field: Field, sheet: Sheet, slot: Slot): Laid {
  const value = valueStyle(sheet, section.font)
  const labelWidth = slot.width * (section.labelShare ?? 0.75)
  const gap = sheet.size * 0.5
  const labelLines = wrap(sheet, field.label, sheet.print, labelWidth, `${slot.field}.label`)
  const valueWidth = slot.width - labelWidth - gap
  const laid = layWritten(sheet, written(field), value, valueWidth, `${slot.field}.value`)
  const line = leading(sheet.size)
  return {
    height: Math.max(labelLines.length, laid.lines) * line,
    draw: (y) => {
      const baseline = y + ascent(sheet.size)
      const right = slot.x + slot.width
      const from = slot.x + widthOf(sheet, labelLines[0] ?? '', sheet.print, `${slot.field}.label`) + gap
      const to = right - laid.width - gap
      const dots = element('line', {
        x1: from,
        y1: baseline,
        x2: to,
        y2: baseline,
        stroke: sheet.lines,
        'stroke-width': 2,
        'stroke-linecap': 'round',
        'stroke-dasharray': '0 8',
      })
      return [
        ...labelLines.map((text, index) => textLine(text, slot.x, baseline + index * line, sheet.print)),
        ...(from < to ? [dots] : []),
        ...laid.draw(right, baseline, 'end'),
      ]
    },
  }
}

/** Under its label, a box for each character. */
function layComb(section: FieldsSection, field: Field, sheet: Sheet, slot: Slot): Laid {
  const value = valueStyle(sheet, section.font)
  const label = { ...sheet.label, size: sheet.label.size * 0.88 }
  const labelLines = wrap(sheet, field.label, label, slot.width, `${slot.field}.label`)
  const characters = [...field.value]
  const count = Math.max(characters.length, field.boxes ?? 1)
  const side = sheet.size * 1.3
  widthOf(sheet, field.value, value, `${slot.field}.value`)
  if (count * side > slot.width) tooWide(sheet, field.value, count * side - slot.width, `${slot.field}.value`)
  const labelHeight = labelLines.length * leading(label.size) + sheet.size * 0.15
  return {
    height: labelHeight + side * 1.15,
    draw: (y) => {
      const top = y + labelHeight
      return [
        ...labelLines.map((text, index) =>
          textLine(text, slot.x, y + ascent(label.size) + index * leading(label.size), label),
        ),
        ...Array.from({ length: count }, (_, index) =>
          box(slot.x + index * side, top, side, side * 1.15, sheet.lines, { strokeWidth: 0.9 }),
        ),
        ...characters.map((character, index) =>
          textLine(character, slot.x + (index + 0.5) * side, top + side * 0.85, value, 'middle'),
        ),
      ]
    },
  }
}
