import type { ChecksSection } from '../spec.ts'
import { box, element, px, textLine } from '../svg.ts'
import { ascent, leading, widthOf, wrap, type Drawn, type Frame, type Sheet } from './sheet.ts'
import { strike } from './written.ts'

/** A labelled group of check boxes. */
export function drawChecks(section: ChecksSection, frame: Frame, sheet: Sheet): Drawn {
  const label = { ...sheet.label, bold: true }
  const line = leading(sheet.size) + sheet.gap * 0.25
  const left = section.labels === 'left'
  const labelWidth = left ? widthOf(sheet, section.label, label, `${frame.field}.label`) + sheet.size : 0
  const top = left ? frame.y : frame.y + leading(label.size) + sheet.gap * 0.1
  const svg = [textLine(section.label, frame.x, frame.y + ascent(left ? sheet.size : label.size), label)]

  const columns = section.columns ?? section.options.length
  const width = (frame.width - labelWidth) / columns
  const side = sheet.size * 0.95
  let y = top
  for (let first = 0; first < section.options.length; first += columns) {
    let lines = 1
    section.options.slice(first, first + columns).forEach((option, column) => {
      const x = frame.x + labelWidth + column * width
      svg.push(box(x, y + sheet.size * 0.22, side, side, sheet.lines, { strokeWidth: 1.6 }))
      if (option.checked) svg.push(drawMark(section.mark ?? 'cross', x, y + sheet.size * 0.22, side, sheet.value.fill))
      const textX = x + side + sheet.size * 0.4
      const field = `${frame.field}.options.${first + column}.label`
      const text = wrap(sheet, option.label, sheet.print, width - side - sheet.size * 0.6, field)
      text.forEach((part, index) => {
        const baseline = y + ascent(sheet.size) + index * leading(sheet.size)
        svg.push(textLine(part, textX, baseline, sheet.print))
        if (!option.struck) return
        const end = textX + widthOf(sheet, part, sheet.print, field)
        svg.push(
          strike(index === 0 ? x : textX, end - (index === 0 ? x : textX), baseline, sheet.size, sheet.corrections),
        )
      })
      lines = Math.max(lines, text.length)
    })
    y += line + (lines - 1) * leading(sheet.size)
  }
  return { svg, height: y - frame.y }
}

/** The pen runs over the box a little, as a hand would. */
function drawMark(mark: 'cross' | 'tick', x: number, y: number, side: number, stroke: string): string {
  const at = (dx: number, dy: number): string => `${px(x + dx * side)} ${px(y + dy * side)}`
  const d =
    mark === 'cross'
      ? `M${at(0.1, 0.08)} L${at(0.94, 0.92)} M${at(0.9, 0.06)} L${at(0.08, 0.95)}`
      : `M${at(0.12, 0.5)} L${at(0.42, 0.86)} L${at(1.05, -0.12)}`
  return element('path', { d, stroke, 'stroke-width': side * 0.15, 'stroke-linecap': 'round', fill: 'none' })
}
