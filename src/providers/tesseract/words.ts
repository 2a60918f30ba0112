/** A rectangle in pixels; `x1` and `y1` lie just outside. */
export interface Box {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

/** One word as the engine read it, and where. */
export interface Word {
  readonly text: string
  readonly box: Box
}

/** Smallest box around all of `words`, of which there must be one. */
export function boxAround(words: readonly Word[]): Box {
  return {
    x0: Math.min(...words.map((word) => word.box.x0)),
    y0: Math.min(...words.map((word) => word.box.y0)),
    x1: Math.max(...words.map((word) => word.box.x1)),
    y1: Math.max(...words.map((word) => word.box.y1)),
  }
}

/** The words' text with single spaces. */
export function joinWords(words: readonly Word[]): string {
  return words
    .map((word) => word.text)
    .join(' ')
    .trim()
}

/** Middle value; 0 for no values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
