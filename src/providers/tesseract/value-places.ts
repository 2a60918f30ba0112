import { colonAhead, type LabelSpot, type LabelStarts } from './label-finder.ts'
import { gapBefore, runEnd, runsOf, runStart, type Line } from './lines.ts'
import { isMark } from './marks.ts'
import { boxAround, joinWords, type Word } from './words.ts'

/** Words that may be a label's value, and how they lie to it. */
export interface ValuePlace {
  readonly side: 'right' | 'below' | 'left'
  readonly words: readonly Word[]
  /** Right: no column gap between label and value, or a colon. Below: left edges flush. */
  readonly close: boolean
}

// In heights of the label or the value, whichever is taller.
const BELOW_REACH = 1.6
const FLUSH = 0.7

/** Words right of the label: the first run up to the next label, or a whole row of check boxes. */
export function placeRight(lines: readonly Line[], spot: LabelSpot, starts: LabelStarts): ValuePlace | null {
  const line = lines[spot.line]
  if (!line) return null
  const from = skipRemark(line, spot.end)
  const words: Word[] = []
  const first = line.words[from]
  if (!first || starts.at(spot.line, from)) return null
  // A number before the next label is that label's item number.
  const numbered = /^\W*\d{1,2}\W*$/.test(first.text) && starts.at(spot.line, from + 1)
  if (numbered && gapBefore(line, from) && !gapBefore(line, from + 1)) return null
  const colon = line.words[from - 1]?.text.endsWith(':') ?? false
  // A row of boxes, or of Yes and No, is one value.
  const row = isMark(first) || spot.field.kind === 'boolean'
  for (let index = from; index < line.words.length; index++) {
    const word = line.words[index]
    if (!word || (index > from && !row && gapBefore(line, index))) break
    // In a row of boxes an option may be worded like a label.
    const afterBox = isMark(line.words[index - 1])
    if (!afterBox && starts.at(spot.line, index)) break
    // What runs on to a colon is the next label, or the rest of this one.
    const fresh = index === from ? !colon || gapBefore(line, index) : gapBefore(line, index)
    if (fresh && colonAhead(line, index, 4) !== null) break
    if (word.text.endsWith(':') && index > from) break
    words.push(word)
  }
  if (words.length === 0) return null
  return { side: 'right', words, close: colon || !gapBefore(line, from) }
}

/** "Weight (kg): 12": a remark in brackets, or what stands before a colon, is still the label. */
function skipRemark(line: Line, end: number): number {
  if (line.words[end - 1]?.text.endsWith(':') || end >= line.words.length || gapBefore(line, end)) return end
  if (!/^[([{](?![)\]xX])/.test(line.words[end]?.text ?? '')) return end
  const limit = runEnd(line, end)
  for (let index = end; index < limit; index++) {
    if (!/[)\]}]:?$/.test(line.words[index]?.text ?? '')) continue
    // "(500.00)" is a value, "(7%)" and "(kg)" are remarks.
    return /[\p{L}%]/u.test(joinWords(line.words.slice(end, index + 1))) ? index + 1 : end
  }
  return end
}

/** Words under the label, in its column: flush with it, and no further right than the next column. */
export function placeBelow(lines: readonly Line[], spot: LabelSpot, starts: LabelStarts): ValuePlace | null {
  const line = lines[spot.line]
  if (!line) return null
  const end = skipRemark(line, spot.end)
  if (end < line.words.length && !gapBefore(line, end)) return null
  const label = boxAround(line.words.slice(spot.start, end))
  // Its run may begin with an item number, and the value be flush with that.
  const edge = line.words[runStart(line, spot.start)]?.box.x0 ?? label.x0
  const next = line.words[end]
  const right = next ? next.box.x0 - 0.3 * line.height : Infinity
  for (let index = spot.line + 1; index < lines.length; index++) {
    const below = lines[index]
    if (!below) break
    const reach = BELOW_REACH * Math.max(line.height, below.height)
    for (const run of runsOf(below)) {
      const found = below.words.slice(run.start, run.end).filter((word) => word.box.x0 < right)
      const [first] = found
      if (!first || first.box.x0 > label.x1 || boxAround(found).x1 < label.x0) continue
      if (boxAround(found).y0 - label.y1 > reach) return null
      const taken = starts.at(index, run.start) || found.at(-1)?.text.endsWith(':') === true
      const offset = Math.min(Math.abs(first.box.x0 - label.x0), Math.abs(first.box.x0 - edge))
      if (taken || first.box.x0 < edge - 2 * line.height) return null
      return { side: 'below', words: withBoxes(lines, index, run.start, found), close: offset <= FLUSH * line.height }
    }
    if (below.box.y0 - label.y1 > reach) break
  }
  return null
}

/** A column of check boxes is one value: the rows under the first that begin with a box at the same place. */
function withBoxes(lines: readonly Line[], index: number, start: number, found: readonly Word[]): readonly Word[] {
  const first = found[0]
  const line = lines[index]
  if (!first || !line || !isMark(first)) return found
  const words = line.words.slice(start)
  for (let next = index + 1; next < lines.length; next++) {
    const row = lines[next]
    const at = row?.words.findIndex((word) => isMark(word) && Math.abs(word.box.x0 - first.box.x0) < line.height) ?? -1
    if (!row || at < 0) break
    words.push(...row.words.slice(at))
  }
  return words
}

/** The check box right before the label: `☑ Smoker`. */
export function placeLeft(lines: readonly Line[], spot: LabelSpot): ValuePlace | null {
  const box = lines[spot.line]?.words[spot.start - 1]
  return box && isMark(box) ? { side: 'left', words: [box], close: true } : null
}
