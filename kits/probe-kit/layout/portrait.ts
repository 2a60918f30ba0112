import { box, element, px } from '../svg.ts'
import type { Sheet } from './sheet.ts'

/** Room that a portrait takes. */
export function portraitSize(sheet: Sheet): { readonly width: number; readonly height: number } {
  return { width: sheet.size * 7, height: sheet.size * 9 }
}

/** A picture of nobody: head and shoulders in the colour of the form. */
export function drawPortrait(x: number, y: number, sheet: Sheet): string[] {
  const { width, height } = portraitSize(sheet)
  const at = (dx: number, dy: number): string => `${px(x + dx * width)} ${px(y + dy * height)}`
  const shoulders = `M${at(0.08, 1)} C${at(0.1, 0.72)} ${at(0.3, 0.66)} ${at(0.5, 0.66)} S${at(0.9, 0.72)} ${at(0.92, 1)} Z`
  return [
    box(x, y, width, height, sheet.lines, { fill: '#dfe3e6' }),
    element('path', { d: shoulders, fill: sheet.accent, opacity: 0.55 }),
    element('ellipse', {
      cx: x + width * 0.5,
      cy: y + height * 0.4,
      rx: width * 0.22,
      ry: height * 0.22,
      fill: sheet.accent,
      opacity: 0.7,
    }),
  ]
}
