import { EMPTY, TICKED } from './marks.ts'
import { inkOf, type Raster } from './raster.ts'
import type { Box, Word } from './words.ts'

// Side of a check box in pixels.
const SMALLEST = 11
const LARGEST = 48
// Share of an edge that must be drawn, of the ring around that may be, and of the inside that is for a tick.
const EDGE_DRAWN = 0.95
const RING_INK = 0.2
const TICK_INK = 0.08

/**
 * Drawn check boxes as mark words: squares of a check box's size, ticked when there is ink inside.
 * The engine itself reads a box as one of `[]`, `O`, `1`, `|`, or not at all. Squares in a tight row of three or
 * more are cells for single letters and left alone.
 */
export function findCheckBoxes(raster: Raster): Word[] {
  const ink = inkOf(raster)
  const found: Box[] = []
  for (let y = 1; y < raster.height - SMALLEST; y++) {
    const row = y * raster.width
    let start = 0
    for (let x = 0; x <= raster.width; x++) {
      if (x < raster.width && ink[row + x] === 1) continue
      const box = x - start >= SMALLEST && x - start <= LARGEST + 12 ? squareUnder(ink, raster, start, x, y) : null
      if (box && !found.some((other) => touches(other, box))) found.push(box)
      start = x + 1
    }
  }
  return found
    .filter((box) => standsAlone(ink, raster, box) && !isCell(box, found))
    .map((box) => ({ text: inkInside(ink, raster, box) > TICK_INK ? TICKED : EMPTY, box }))
}

/** The square whose upper edge is drawn in row `y` from `x0` to `x1`. A tick may lengthen the edge a little. */
function squareUnder(ink: Uint8Array, raster: Raster, x0: number, x1: number, y: number): Box | null {
  const drawn = (x: number, row: number): number => ink[row * raster.width + x] ?? 0
  const side = (x: number, height: number): number => {
    let best = 0
    for (let column = Math.max(0, x - 1); column <= Math.min(raster.width - 1, x + 1); column++) {
      let count = 0
      for (let row = y; row < y + height; row++) count += drawn(column, row)
      best = Math.max(best, count / height)
    }
    return best
  }
  for (let right = x1; right >= Math.max(x0 + SMALLEST, x1 - 12); right--) {
    const width = right - x0
    if (width > LARGEST || side(x0, Math.round(width * 0.8)) < EDGE_DRAWN) continue
    if (side(right - 1, Math.round(width * 0.8)) < EDGE_DRAWN) continue
    for (let height = Math.round(width * 1.2); height >= Math.round(width * 0.8); height--) {
      if (y + height > raster.height || side(x0, height) < EDGE_DRAWN || side(right - 1, height) < EDGE_DRAWN) continue
      let bottom = 0
      for (let x = x0; x < right; x++) bottom += drawn(x, y + height - 1)
      if (bottom / width >= EDGE_DRAWN) return { x0, y0: y, x1: right, y1: y + height }
    }
  }
  return null
}

function inkInside(ink: Uint8Array, raster: Raster, box: Box): number {
  // Far enough in to miss a thick edge.
  const inset = Math.max(3, Math.round((box.x1 - box.x0) * 0.2))
  let count = 0
  let all = 0
  for (let y = box.y0 + inset; y < box.y1 - inset; y++) {
    for (let x = box.x0 + inset; x < box.x1 - inset; x++) {
      count += ink[y * raster.width + x] ?? 0
      all++
    }
  }
  return all === 0 ? 0 : count / all
}

/** Nothing but a tick's end or two around it: letters have neighbours, cells have frames. */
function standsAlone(ink: Uint8Array, raster: Raster, box: Box): boolean {
  let count = 0
  let all = 0
  for (let y = box.y0 - 3; y < box.y1 + 3; y++) {
    for (let x = box.x0 - 3; x < box.x1 + 3; x++) {
      if (x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1) continue
      if (x < 0 || y < 0 || x >= raster.width || y >= raster.height) continue
      count += ink[y * raster.width + x] ?? 0
      all++
    }
  }
  return all > 0 && count / all <= RING_INK
}

function touches(a: Box, b: Box): boolean {
  return a.x0 <= b.x1 && b.x0 <= a.x1 && a.y0 <= b.y1 && b.y0 <= a.y1
}

function isCell(box: Box, all: readonly Box[]): boolean {
  const width = box.x1 - box.x0
  const near = (other: Box, reach: number): boolean =>
    other !== box &&
    Math.abs(other.y0 - box.y0) < width / 4 &&
    Math.max(other.x0 - box.x1, box.x0 - other.x1) < reach * width
  // Two neighbours close by, or one neighbour that has another itself.
  return all.filter((other) => near(other, 1.8)).length >= 2 && all.some((other) => near(other, 0.6))
}
