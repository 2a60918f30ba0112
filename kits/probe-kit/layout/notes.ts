import type { NotesSection } from '../spec.ts'
import { box, textLine } from '../svg.ts'
import { drawHeading } from './header.ts'
import { ascent, leading, wrap, type Drawn, type Frame, type Sheet } from './sheet.ts'

/** Paragraphs of running text. */
export function drawNotes(section: NotesSection, frame: Frame, sheet: Sheet): Drawn {
  const pad = section.framed ? sheet.size * 0.6 : 0
  const inner = { ...frame, x: frame.x + pad, width: frame.width - 2 * pad }
  const heading = drawHeading(section.title, { ...inner, y: frame.y + pad }, sheet)
  const style = {
    ...sheet.print,
    font: section.font ?? sheet.print.font,
    fill: section.font === 'hand' ? sheet.value.fill : sheet.print.fill,
    size: section.small ? sheet.size * 0.78 : sheet.size,
  }
  const lines = wrap(sheet, section.text, style, inner.width, `${frame.field}.text`)
  const top = frame.y + pad + heading.height
  const svg = [
    ...heading.svg,
    ...lines.map((line, index) =>
      textLine(line, inner.x, top + ascent(style.size) + index * leading(style.size), style),
    ),
  ]
  const height = heading.height + lines.length * leading(style.size) + 2 * pad
  if (section.framed) svg.push(box(frame.x, frame.y, frame.width, height, sheet.lines))
  return { svg, height }
}
