import { coerceWords } from './coerce.ts'
import type { LabelSpot, LabelStarts } from './label-finder.ts'
import { SURE_LABEL } from './label-score.ts'
import type { Line } from './lines.ts'
import { placeBelow, placeRight, type ValuePlace } from './value-places.ts'

/** How the labels around a line lie to their values: above 0 over them, below 0 left of them. */
export type LayoutVote = (line: number) => number

/**
 * Lets the sure labels vote by where alone they have a value of their type. A vote counts less the more lines lie
 * between, since one form may be laid out in both ways.
 */
export function layoutVote(lines: readonly Line[], spots: readonly LabelSpot[], starts: LabelStarts): LayoutVote {
  const votes: { line: number; vote: number }[] = []
  for (const spot of spots) {
    if (spot.score < SURE_LABEL) continue
    const fits = (place: ValuePlace | null): boolean =>
      place !== null && coerceWords(place.words, spot.field) !== undefined
    const right = fits(placeRight(lines, spot, starts))
    const below = fits(placeBelow(lines, spot, starts))
    if (right !== below) votes.push({ line: spot.line, vote: below ? 1 : -1 })
  }
  return (line) => votes.reduce((sum, one) => sum + one.vote / (1 + Math.abs(one.line - line)), 0)
}
