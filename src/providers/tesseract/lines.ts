import { readMarks } from './marks.ts'
import { boxAround, median, type Box, type Word } from './words.ts'

/** Words side by side, left to right. */
export interface Line {
  readonly words: readonly Word[]
  readonly box: Box
  /** Height of its usual word. */
  readonly height: number
}

// In word heights. A space measures up to 0.9 of them (fixed-width type), a column gap more than 1.3.
const WIDE_GAP = 1.3

// Rules, dotted leaders and specks that the engine read as characters.
const NOISE = /^[|_—–~=.·•:;,'"`‘’“”\\/<>^*-]+$/u

/**
 * Lines of a page from top to bottom, put together by where the words are and not by the engine's
 * blocks: the two columns of a form are one line here, so that a value stays beside its label.
 */
export function groupLines(words: readonly Word[]): Line[] {
  const rows: { words: Word[]; y0: number; y1: number }[] = []
  const usable = words.filter((word) => !NOISE.test(word.text) && word.text.trim() !== '')
  for (const word of usable.toSorted((a, b) => a.box.y0 + a.box.y1 - b.box.y0 - b.box.y1)) {
    const row = rows.findLast((candidate) => overlapShare(candidate, word.box) >= 0.5)
    if (row === undefined) {
      rows.push({ words: [word], y0: word.box.y0, y1: word.box.y1 })
    } else {
      row.words.push(word)
      // The middle of the row, not its hull: a hull would grow until it swallows the next row.
      row.y0 = median(row.words.map((one) => one.box.y0))
      row.y1 = median(row.words.map((one) => one.box.y1))
    }
  }
  return rows.map((row) => toLine(row.words)).toSorted((a, b) => a.box.y0 + a.box.y1 - b.box.y0 - b.box.y1)
}

function toLine(words: readonly Word[]): Line {
  const ordered = readMarks(words.toSorted((a, b) => a.box.x0 - b.box.x0)).flatMap(splitAtColon)
  return { words: ordered, box: boxAround(ordered), height: median(ordered.map((word) => word.box.y1 - word.box.y0)) }
}

function overlapShare(row: { y0: number; y1: number }, box: Box): number {
  const overlap = Math.min(row.y1, box.y1) - Math.max(row.y0, box.y0)
  return overlap / Math.max(1, Math.min(row.y1 - row.y0, box.y1 - box.y0))
}

/** `Date:04.03.2026` is a label and its value; `14:30` and `https://…` are not. */
function splitAtColon(word: Word): Word[] {
  const match = /^(\p{L}[^:]*:)([^/].*)$/u.exec(word.text)
  const label = match?.[1]
  const value = match?.[2]
  if (label === undefined || value === undefined) return [word]
  const x = word.box.x0 + ((word.box.x1 - word.box.x0) * label.length) / word.text.length
  return [
    { text: label, box: { ...word.box, x1: x } },
    { text: value, box: { ...word.box, x0: x } },
  ]
}

/** True when a column gap lies between word `index - 1` and word `index` of the line. */
export function gapBefore(line: Line, index: number): boolean {
  const left = line.words[index - 1]
  const right = line.words[index]
  if (left === undefined || right === undefined) return true
  return right.box.x0 - left.box.x1 > WIDE_GAP * line.height
}

/** Index just past the run (words without a column gap between them) that holds word `index`. */
export function runEnd(line: Line, index: number): number {
  let end = index + 1
  while (end < line.words.length && !gapBefore(line, end)) end++
  return end
}

/** Index of the first word of the run that holds word `index`. */
export function runStart(line: Line, index: number): number {
  let start = index
  while (start > 0 && !gapBefore(line, start)) start--
  return start
}

/** The line's runs as half-open index ranges. */
export function runsOf(line: Line): { start: number; end: number }[] {
  const runs: { start: number; end: number }[] = []
  for (let start = 0; start < line.words.length;) {
    const end = runEnd(line, start)
    runs.push({ start, end })
    start = end
  }
  return runs
}

/** Turns a tilted page upright: `slope` is how much its lines fall per pixel to the right. */
export function straighten(words: readonly Word[], slope: number): Word[] {
  if (slope === 0) return [...words]
  return words.map(({ text, box }) => {
    const drop = (slope * (box.x0 + box.x1)) / 2
    return { text, box: { ...box, y0: box.y0 - drop, y1: box.y1 - drop } }
  })
}
