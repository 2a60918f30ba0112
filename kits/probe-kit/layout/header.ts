import type { FormSpec } from '../spec.ts'
import { rule, textLine } from '../svg.ts'
import { ascent, leading, mustFit, wrap, type Drawn, type Frame, type Sheet } from './sheet.ts'

/** Letterhead, title and subtitle. */
export function drawHeader(spec: FormSpec, frame: Frame, sheet: Sheet): Drawn {
  const svg: string[] = []
  let y = frame.y
  if (spec.letterhead) {
    const drawn = drawLetterhead(spec.letterhead, { ...frame, field: 'letterhead' }, sheet)
    svg.push(...drawn.svg)
    y += drawn.height
  }

  const title = { ...sheet.print, size: sheet.size * 1.6, bold: true }
  for (const line of wrap(sheet, spec.title, title, frame.width, 'title')) {
    svg.push(textLine(line, frame.x, y + ascent(title.size), title))
    y += leading(title.size)
  }
  if (spec.subtitle !== undefined) {
    for (const line of wrap(sheet, spec.subtitle, sheet.label, frame.width, 'subtitle')) {
      svg.push(textLine(line, frame.x, y + ascent(sheet.label.size), sheet.label))
      y += leading(sheet.label.size)
    }
  }
  return { svg, height: y - frame.y }
}

function drawLetterhead(letterhead: NonNullable<FormSpec['letterhead']>, frame: Frame, sheet: Sheet): Drawn {
  const name = { ...sheet.head, size: sheet.size * 1.25 }
  const small = { ...sheet.label, size: sheet.label.size * 0.9 }
  const half = frame.width / 2 - sheet.gap / 2
  const names = wrap(sheet, letterhead.name, name, half, `${frame.field}.name`)
  const svg = names.map((line, index) =>
    textLine(line, frame.x, frame.y + ascent(name.size) + index * leading(name.size), name),
  )
  const lines = letterhead.lines ?? []
  lines.forEach((line, index) => {
    mustFit(sheet, line, small, half, `${frame.field}.lines.${index}`)
    const baseline = frame.y + ascent(small.size) + index * leading(small.size)
    svg.push(textLine(line, frame.x + frame.width, baseline, small, 'end'))
  })
  const textHeight = Math.max(names.length * leading(name.size), lines.length * leading(small.size))
  const y = frame.y + textHeight + sheet.gap * 0.3
  svg.push(rule(frame.x, y, frame.x + frame.width, y, sheet.accent, 3))
  return { svg, height: textHeight + sheet.gap * 0.9 }
}

/** The heading above a section, where it has one. */
export function drawHeading(title: string | undefined, frame: Frame, sheet: Sheet): Drawn {
  if (title === undefined) return { svg: [], height: 0 }
  mustFit(sheet, title, sheet.head, frame.width, `${frame.field}.title`)
  const { size } = sheet.head
  return {
    svg: [textLine(title, frame.x, frame.y + ascent(size), sheet.head)],
    height: leading(size) + sheet.gap * 0.2,
  }
}
