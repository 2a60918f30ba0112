import { bestScore, LEAST_LABEL, SURE_LABEL } from './label-score.ts'
import { gapBefore, runEnd, type Line } from './lines.ts'
import { isMark } from './marks.ts'
import type { Field } from './schema-fields.ts'
import { isFiller, tokenize } from './tokens.ts'

/** Printed words that may be the label of a field: words `start` to before `end` of a line. */
export interface LabelSpot {
  readonly field: Field
  readonly line: number
  readonly start: number
  readonly end: number
  readonly score: number
}

const LONGEST_LABEL = 7

/** Every place that reads like the label of one of the fields. */
export function findLabels(lines: readonly Line[], fields: readonly Field[]): LabelSpot[] {
  const spots: LabelSpot[] = []
  lines.forEach((line, index) => {
    for (const span of spansOf(line)) {
      for (const field of fields) {
        if (span.cut && !field.wordings.some((wording) => wording.tokens.at(-1) === span.tokens.at(-1))) continue
        const score = bestScore(span.tokens, field.wordings) * span.context
        // A loose likeness counts only for the whole of what is printed before the value.
        if (score >= (span.whole ? LEAST_LABEL : SURE_LABEL))
          spots.push({ field, line: index, start: span.start, end: span.end, score })
      }
    }
  })
  return spots
}

interface Span {
  readonly start: number
  readonly end: number
  readonly tokens: readonly string[]
  /** Below 1 when words before may belong to the label, 0 when it is none. */
  readonly context: number
  /** A colon, a column gap or a figure follows. */
  readonly whole: boolean
  /** Ends in the middle of a phrase ("Name of | clinic"), unless a wording ends like that ("Ship to"). */
  readonly cut: boolean
}

function spansOf(line: Line): Span[] {
  const spans: Span[] = []
  const tokens = line.words.map((word) => (isMark(word) ? [] : tokenize(word.text)))
  for (let start = 0; start < line.words.length; start++) {
    if ((tokens[start]?.length ?? 0) === 0) continue
    const limit = Math.min(runEnd(line, start), start + LONGEST_LABEL)
    for (let end = start + 1; end <= limit; end++) {
      if (isMark(line.words[end - 1])) break
      const closed = line.words[end - 1]?.text.endsWith(':') ?? false
      if ((tokens[end - 1]?.length ?? 0) > 0) {
        // Together, so that phrases of two words ("zip code") are seen.
        const text = line.words.slice(start, end).map((word) => word.text)
        const whole = closed || gapBefore(line, end) || /\d/.test(line.words[end]?.text ?? '')
        const context = contextOf(line, start, end)
        const cut = !closed && !gapBefore(line, end) && (tokens[end - 1] ?? []).every(isFiller)
        spans.push({ start, end, tokens: tokenize(text.join(' ')), context, whole, cut })
      }
      if (closed) break
    }
  }
  return spans
}

function contextOf(line: Line, start: number, end: number): number {
  const left = line.words[start - 1]
  const closed = line.words[end - 1]?.text.endsWith(':') ?? false
  const inside = left && !gapBefore(line, start) && !left.text.endsWith(':') && !isMark(left)
  // A lower-case word amid others is prose, or the unit of a number.
  const prose = inside && !closed && /^\p{Ll}/u.test(line.words[start]?.text ?? '')
  // "Date | of birth": the label goes on.
  const next = line.words[end]?.text ?? ''
  const goesOn = !closed && !gapBefore(line, end) && /^\p{Ll}{2}/u.test(next) && tokenize(next).every(isFiller)
  if (prose || goesOn) return 0
  return inside ? 0.9 : 1
}

/** Index just past the first word that ends in a colon within the run, at most `words` further on. */
export function colonAhead(line: Line, from: number, words: number): number | null {
  const limit = Math.min(runEnd(line, from), from + words)
  for (let index = from; index < limit; index++) {
    if (line.words[index]?.text.endsWith(':')) return index + 1
  }
  return null
}

/** Where labels begin, line by line: a value ends before the next one. */
export interface LabelStarts {
  at(line: number, word: number): boolean
}

/** Begins of the labels that are beyond doubt. */
export function labelStarts(spots: readonly LabelSpot[]): LabelStarts {
  const starts = new Set(spots.filter((spot) => spot.score >= SURE_LABEL).map((spot) => `${spot.line}:${spot.start}`))
  return { at: (line, word) => starts.has(`${line}:${word}`) }
}
