import { coerceWords } from './coerce.ts'
import { findLabels, labelStarts, type LabelSpot, type LabelStarts } from './label-finder.ts'
import { layoutVote, type LayoutVote } from './layout-vote.ts'
import { bestScore, SURE_LABEL } from './label-score.ts'
import { runsOf, runStart, type Line } from './lines.ts'
import { isMark, readChoices } from './marks.ts'
import type { Field } from './schema-fields.ts'
import { tokenize } from './tokens.ts'
import { placeBelow, placeLeft, placeRight, type ValuePlace } from './value-places.ts'
import { boxAround, joinWords, type Word } from './words.ts'

/** A value and the field it was found for. */
export interface Found {
  readonly field: Field
  readonly value: unknown
}

// About one vote three lines away.
const CLEAR_VOTE = 0.25

interface Candidate {
  readonly spot: LabelSpot
  readonly place: ValuePlace
  readonly value: unknown
  readonly score: number
}

/**
 * Gives each field the value beside its best label. Labels are dealt out from the best score down; no
 * word serves two fields, and words used as a value are no label any more.
 */
export function findFields(lines: readonly Line[], fields: readonly Field[], used: Set<Word>): Found[] {
  const spots = findLabels(lines, fields)
  const starts = labelStarts(spots)
  const vote = layoutVote(lines, spots, starts)
  const candidates = spots
    .map((spot) => candidateOf(lines, spot, starts, vote))
    .filter((candidate) => candidate !== null)
    .toSorted((a, b) => b.score - a.score || a.spot.line - b.spot.line || a.spot.start - b.spot.start)
  const found = new Map<Field, unknown>()
  for (const { spot, place, value } of candidates) {
    const label = lines[spot.line]?.words.slice(spot.start, spot.end) ?? []
    if (found.has(spot.field) || [...label, ...place.words].some((word) => used.has(word))) continue
    for (const word of [...label, ...place.words]) used.add(word)
    found.set(spot.field, value)
  }
  for (const field of fields) {
    if (found.has(field) || field.kind !== 'choice') continue
    const value = looseChoice(lines, field, used)
    if (value !== undefined) found.set(field, value)
  }
  return [...found].map(([field, value]) => ({ field, value }))
}

function candidateOf(lines: readonly Line[], spot: LabelSpot, starts: LabelStarts, vote: LayoutVote): Candidate | null {
  const { field } = spot
  const right = placeRight(lines, spot, starts)
  const below = placeBelow(lines, spot, starts)
  const order = prefersBelow(lines, spot, right, below, vote) ? [below, right] : [right, below]
  const places = field.kind === 'boolean' ? [placeLeft(lines, spot), ...order] : order
  for (const place of places) {
    if (!place) continue
    const value = coerceWords(place.words, field)
    if (value === undefined) continue
    return { spot, place, value, score: spot.score + sectionBonus(lines, spot) + (place.close ? 0.05 : 0) }
  }
  return null
}

/** Beyond a column gap the neighbour may be the next label instead of the value. */
function prefersBelow(
  lines: readonly Line[],
  spot: LabelSpot,
  right: ValuePlace | null,
  below: ValuePlace | null,
  vote: LayoutVote,
): boolean {
  if (!below?.close) return false
  if (!right) return true
  if (right.close || isMark(right.words[0])) return false
  const around = vote(spot.line)
  if (Math.abs(around) > CLEAR_VOTE) return around > 0
  return headsColumn(right, lines, spot)
}

/** In a row of three or more, a neighbour without digits and with words under it is a heading like the label itself. */
function headsColumn(right: ValuePlace, lines: readonly Line[], spot: LabelSpot): boolean {
  const line = lines[spot.line]
  const next = lines[spot.line + 1]
  const [first, ...more] = right.words
  // Headings may be numbered.
  const said = more.length > 0 && /^\W*\d{1,2}\W*$/.test(first?.text ?? '') ? more : right.words
  if (!line || !next || said.some((word) => /\d/.test(word.text))) return false
  const box = boxAround(right.words)
  return runsOf(line).length > 2 && next.words.some((word) => word.box.x0 < box.x1 && box.x0 < word.box.x1)
}

/** A heading above that names the object around the field: nearest first, within the same column or flush left. */
function sectionBonus(lines: readonly Line[], spot: LabelSpot): number {
  if (spot.field.section.length === 0) return 0
  const label = lines[spot.line]?.words[spot.start]
  if (!label) return 0
  for (let index = spot.line - 1, steps = 1; index >= 0; index--, steps++) {
    const line = lines[index]
    for (const run of line ? runsOf(line) : []) {
      const words = line?.words.slice(run.start, run.end) ?? []
      const above = (words[0]?.box.x0 ?? 0) <= label.box.x0 + 2 * (line?.height ?? 0)
      if (above && words.length <= 4 && bestScore(tokenize(joinWords(words)), spot.field.section) >= SURE_LABEL) {
        return 0.2 / Math.sqrt(steps)
      }
    }
  }
  return 0
}

/** Options of a choice whose own label is not printed: the one ticked box beside one of them. */
function looseChoice(lines: readonly Line[], field: Field, used: ReadonlySet<Word>): unknown {
  const ticked: unknown[] = []
  let seen = 0
  for (const line of lines) {
    const at = line.words.findIndex((word) => isMark(word) && !used.has(word))
    if (at < 0) continue
    // From the run's begin, so that boxes after their options are read as such.
    const start = runStart(line, at)
    for (const choice of readChoices(line.words.slice(start))) {
      const name = tokenize(choice.text).join(' ')
      const option = field.options.find((one) => tokenize(String(one)).join(' ') === name)
      if (option === undefined) continue
      seen++
      if (choice.ticked) ticked.push(option)
    }
  }
  return seen >= 2 && ticked.length === 1 ? ticked[0] : undefined
}
