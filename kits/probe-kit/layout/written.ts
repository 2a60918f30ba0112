import type { TextStyle } from '../fonts.ts'
import { rule, textLine, type Anchor } from '../svg.ts'
import { leading, tooWide, widthOf, wrap, type Sheet } from './sheet.ts'

/** Text as it was filled in, with what was crossed out in front of it. */
export interface Written {
  readonly text: string
  readonly struck?: string | undefined
}

/** Text broken into lines, to be drawn where there turns out to be room. */
export interface LaidText {
  readonly lines: number
  /** Of the widest line. */
  readonly width: number
  /** Draws from the baseline of the first line down. */
  readonly draw: (x: number, baseline: number, anchor?: Anchor) => string[]
}

/** Lays text within a width. A correction stays on one line, as a hand squeezes it in beside what it crossed out. */
export function layWritten(sheet: Sheet, written: Written, style: TextStyle, width: number, field: string): LaidText {
  if (written.struck !== undefined) return layCorrected(sheet, written.struck, written.text, style, width, field)
  const lines = wrap(sheet, written.text, style, width, field)
  return {
    lines: lines.length,
    width: Math.max(...lines.map((line) => widthOf(sheet, line, style, field))),
    draw: (x, baseline, anchor) =>
      lines.map((line, index) => textLine(line, x, baseline + index * leading(style.size), style, anchor)),
  }
}

function layCorrected(
  sheet: Sheet,
  struck: string,
  text: string,
  style: TextStyle,
  width: number,
  field: string,
): LaidText {
  const pen: TextStyle = { font: 'hand', size: style.size, fill: sheet.corrections }
  const struckWidth = widthOf(sheet, struck, style, field)
  const gap = text === '' ? 0 : style.size * 0.7
  const whole = struckWidth + gap + widthOf(sheet, text, pen, field)
  if (whole > width) tooWide(sheet, `${struck} ${text}`, whole - width, field)
  return {
    lines: 1,
    width: whole,
    draw: (x, baseline, anchor = 'start') => {
      const left = x - { start: 0, middle: whole / 2, end: whole }[anchor]
      return [
        textLine(struck, left, baseline, style),
        strike(left, struckWidth, baseline, style.size, sheet.corrections),
        ...(text === '' ? [] : [textLine(text, left + struckWidth + gap, baseline, pen)]),
      ]
    },
  }
}

/** A stroke of the pen through a text, not quite level and a little too long, as a hand draws it. */
export function strike(x: number, width: number, baseline: number, size: number, colour: string): string {
  const over = size * 0.15
  return rule(x - over, baseline - size * 0.22, x + width + over, baseline - size * 0.46, colour, size * 0.09)
}
