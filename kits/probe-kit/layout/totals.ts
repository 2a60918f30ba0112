import type { TextStyle } from '../fonts.ts'
import type { TableSection } from '../spec.ts'
import { rule, textLine } from '../svg.ts'
import { ascent, leading, mustFit, widthOf, type Drawn, type Frame, type Sheet } from './sheet.ts'

/** Sums under a table, flush with its right edge. */
export function drawTotals(section: TableSection, frame: Frame, sheet: Sheet, value: TextStyle): Drawn {
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
