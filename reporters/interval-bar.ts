import type { Rate } from '../src/stats/rate.ts'

const CELLS = 20

/**
 * A rate and its 95 % interval on a line from 0 to 100 %, 5 points a character: many rates are compared sooner by
 * eye than by their digits. Empty where there is no rate.
 */
export function intervalBar({ rate, ci95 }: Rate): string {
  if (rate === null || ci95 === null) return ''
  const [low, high] = [cellOf(ci95[0]), cellOf(ci95[1])]
  const line: string[] = Array.from({ length: CELLS }, (_, cell) => (cell > low && cell < high ? '─' : '·'))
  line[low] = '├'
  line[high] = '┤'
  // Last, since the rate can share a character with an end.
  line[cellOf(rate)] = '●'
  return line.join('')
}

/** The character that holds a share; 100 % belongs to the last. */
function cellOf(share: number): number {
  return Math.min(CELLS - 1, Math.floor(share * CELLS))
}
