import type { Box } from './words.ts'

/** A grey picture, one byte a pixel, 0 black. */
export interface Raster {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

// A rule is at least this long and at most this thick, in pixels; letters are shorter or thicker.
const RULE_LENGTH = 60
const RULE_THICKNESS = 6
const INK_CONTRAST = 60
// Side of the squares in which the paper's grey is looked up, in pixels.
const TILE = 32
// As a share of the lightest paper; what is darker is no paper.
const DARKEST_PAPER = 0.45

/** Grey of the paper after `evenLight`. */
const PAPER = 255

/** 1 where something is drawn on the paper, light grey lines included. */
export function inkOf(raster: Raster): Uint8Array {
  return raster.pixels.map((pixel) => (pixel < PAPER - INK_CONTRAST ? 1 : 0))
}

/**
 * Makes the paper white everywhere, as tinted paper, a photo's shadows and a scan's grey are not: each pixel is
 * scaled by the paper's grey around it. Areas filled with a dark colour are no paper and keep their tone.
 */
export function evenLight(raster: Raster): void {
  const { width, height, pixels } = raster
  const across = Math.ceil(width / TILE) + 1
  const down = Math.ceil(height / TILE) + 1
  const tiles = new Float64Array(across * down)
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) tiles[row * across + column] = paperAround(raster, column, row)
  }
  const darkest = tiles.reduce((most, grey) => Math.max(most, grey), 0) * DARKEST_PAPER
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / TILE)
    const v = y / TILE - row
    for (let x = 0; x < width; x++) {
      const column = Math.floor(x / TILE)
      const u = x / TILE - column
      const at = row * across + column
      const upper = (tiles[at] ?? 0) * (1 - u) + (tiles[at + 1] ?? 0) * u
      const lower = (tiles[at + across] ?? 0) * (1 - u) + (tiles[at + across + 1] ?? 0) * u
      const paper = Math.max(darkest, upper * (1 - v) + lower * v)
      pixels[y * width + x] = Math.min(PAPER, Math.round(((pixels[y * width + x] ?? 0) * PAPER) / paper))
    }
  }
}

/** The grey that four fifths of the pixels around a tile's corner do not exceed. */
function paperAround({ width, height, pixels }: Raster, column: number, row: number): number {
  const counts = new Uint32Array(256)
  let all = 0
  const x1 = Math.min(width, (column + 1) * TILE)
  for (let y = Math.max(0, (row - 1) * TILE); y < Math.min(height, (row + 1) * TILE); y += 2) {
    for (let x = Math.max(0, (column - 1) * TILE); x < x1; x += 2) {
      const grey = pixels[y * width + x] ?? 0
      counts[grey] = (counts[grey] ?? 0) + 1
      all++
    }
  }
  let seen = 0
  for (let grey = 0; grey < 256; grey++) {
    seen += counts[grey] ?? 0
    if (seen >= all * 0.8) return grey
  }
  return PAPER
}

/** Paints a box white. */
export function blank(raster: Raster, box: Box): void {
  const x0 = Math.max(0, box.x0)
  const x1 = Math.min(raster.width, box.x1)
  for (let y = Math.max(0, box.y0); y < Math.min(raster.height, box.y1); y++) {
    if (x1 > x0) raster.pixels.fill(PAPER, y * raster.width + x0, y * raster.width + x1)
  }
}

/**
 * Wipes out long thin lines, the frames of forms and tables: the engine reads text better without
 * them, and takes no frame for a letter. What crosses a line, such as a letter's tail, stays.
 */
export function eraseRules(raster: Raster): void {
  const ink = inkOf(raster)
  const { width, height } = raster
  // Walks along rows or columns: `along` steps within the line, `across` to the next one.
  const sweep = (lines: number, length: number, along: number, across: number): void => {
    for (let line = 0; line < lines; line++) {
      let start = 0
      for (let at = 0; at <= length; at++) {
        if (at < length && ink[line * across + at * along] === 1) continue
        if (at - start >= RULE_LENGTH) {
          for (let pixel = start; pixel < at; pixel++) wipe(line, pixel, lines, along, across)
        }
        start = at + 1
      }
    }
  }
  const wipe = (line: number, at: number, lines: number, along: number, across: number): void => {
    let first = line
    let last = line
    while (first > 0 && line - first <= RULE_THICKNESS && ink[(first - 1) * across + at * along] === 1) first--
    while (last < lines - 1 && last - line <= RULE_THICKNESS && ink[(last + 1) * across + at * along] === 1) last++
    if (last - first + 1 > RULE_THICKNESS) return
    // One pixel more on both sides: the soft edge of the line.
    for (let one = Math.max(0, first - 1); one <= Math.min(lines - 1, last + 1); one++) {
      raster.pixels[one * across + at * along] = PAPER
    }
  }
  sweep(height, width, 1, width)
  sweep(width, height, width, 1)
}
