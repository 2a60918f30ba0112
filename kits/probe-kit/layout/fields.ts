import type { FieldsSection } from '../spec.ts'
import { layField, type Field } from './field-looks.ts'
import { drawHeading } from './header.ts'
import { drawPortrait, portraitSize } from './portrait.ts'
import type { Drawn, Frame, Sheet } from './sheet.ts'

/** Labelled values, row by row, beside a portrait where one is asked for. */
export function drawFields(section: FieldsSection, frame: Frame, sheet: Sheet): Drawn {
  if (section.portrait === undefined) return drawRows(section, frame, sheet)
  const portrait = portraitSize(sheet)
  const taken = portrait.width + sheet.gap
  const left = section.portrait === 'left'
  const rows = drawRows(section, { ...frame, x: frame.x + (left ? taken : 0), width: frame.width - taken }, sheet)
  const x = left ? frame.x : frame.x + frame.width - portrait.width
  return {
    svg: [...rows.svg, ...drawPortrait(x, frame.y, sheet)],
    height: Math.max(rows.height, portrait.height),
  }
}

function drawRows(section: FieldsSection, frame: Frame, sheet: Sheet): Drawn {
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
