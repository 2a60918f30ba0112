import { measure, type TextStyle } from '../fonts.ts'
import { failSpec, specProblem } from '../spec-problem.ts'
import type { FontName, Page } from '../page-spec.ts'

/** Sizes, fonts and colours of one form, with the defaults filled in. */
export interface Sheet {
  readonly file: string
  readonly width: number
  readonly height: number
  readonly margin: number
  /** Distance between sections. */
  readonly gap: number
  /** Apparent size of values and running text. */
  readonly size: number
  readonly paper: string
  readonly accent: string
  /** Colour of strokes through a text, and of what was written beside it. */
  readonly corrections: string
  /** Colour of rules and boxes. */
  readonly lines: string
  readonly label: TextStyle
  readonly head: TextStyle
  readonly value: TextStyle
  readonly print: TextStyle
}

/** Where a section goes; `field` is its place in the specification, for error messages. */
export interface Frame {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly field: string
}

/** Something drawn, and the height it took. */
export interface Drawn {
  readonly svg: readonly string[]
  readonly height: number
}

/** Line height for text of an apparent size. */
export const leading = (size: number): number => size * 1.4

/** Distance from the top of a line to the baseline of its text. */
export const ascent = (size: number): number => size * 1.05

/** Resolves the page settings of a specification once. */
export function resolveSheet(page: Page, file: string): Sheet {
  const dense = page.density === 'dense'
  const font = page.font ?? 'sans'
  const ink = page.ink ?? '#1d1f23'
  const size = dense ? 15 : 20
  return {
    file,
    width: page.width,
    height: page.height,
    margin: dense ? 36 : 56,
    gap: dense ? 12 : 24,
    size,
    paper: page.tint ?? '#ffffff',
    accent: page.accent ?? '#24476b',
    corrections: page.corrections ?? page.pen ?? ink,
    lines: page.ink ?? '#6b7076',
    label: { font, size: size * 0.85, fill: ink },
    head: { font, size: size * 1.05, bold: true, fill: page.accent ?? '#24476b' },
    value: { font: page.valueFont ?? font, size, fill: page.pen ?? ink },
    print: { font, size, fill: ink },
  }
}

/** The sheet's value style, in a section's own font where it names one. */
export function valueStyle(sheet: Sheet, font: FontName | undefined): TextStyle {
  return font === undefined ? sheet.value : { ...sheet.value, font }
}

/** Width of one line. Fails where the font lacks a character: it would silently be left out. */
export function widthOf(sheet: Sheet, text: string, style: TextStyle, field: string): number {
  const result = measure(text, style)
  if ('missing' in result) {
    const code = result.missing.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
    failSpec([
      specProblem(sheet.file, field, `the ${style.font} font has no character U+${code}`, {
        fix: 'write it in others',
      }),
    ])
  }
  return result.width
}

/** Breaks text into lines no wider than `width`, at spaces and line breaks. Fails where one word is too wide. */
export function wrap(sheet: Sheet, text: string, style: TextStyle, width: number, field: string): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = []
    let line = ''
    for (const word of paragraph.split(/\s+/)) {
      const longer = line === '' ? word : `${line} ${word}`
      if (widthOf(sheet, longer, style, field) <= width) {
        line = longer
        continue
      }
      if (line !== '') lines.push(line)
      line = word
      const over = widthOf(sheet, word, style, field) - width
      if (over > 0) tooWide(sheet, word, over, field)
    }
    return [...lines, line]
  })
}

/** Fails where a text that must stay on one line does not fit. */
export function mustFit(sheet: Sheet, text: string, style: TextStyle, width: number, field: string): void {
  const over = widthOf(sheet, text, style, field) - width
  if (over > 0) tooWide(sheet, text, over, field)
}

/** Fails for a text that is too wide by so many pixels. */
export function tooWide(sheet: Sheet, text: string, over: number, field: string): never {
  failSpec([
    specProblem(sheet.file, field, `${JSON.stringify(text)} is ${Math.ceil(over)} px too wide`, {
      fix: 'give it more room, a smaller font or a shorter text',
    }),
  ])
}
