import { expect, test } from 'vitest'
import { findCheckBoxes } from '../../../src/providers/tesseract/check-boxes.ts'
import { eraseRules, evenLight, type Raster } from '../../../src/providers/tesseract/raster.ts'

const BLACK = 0

function paper(grey = 255): Raster {
  return { width: 200, height: 100, pixels: new Uint8Array(200 * 100).fill(grey) }
}

function fill(raster: Raster, x0: number, y0: number, width: number, height: number, grey = BLACK): void {
  for (let y = y0; y < y0 + height; y++) raster.pixels.fill(grey, y * raster.width + x0, y * raster.width + x0 + width)
}

function frame(raster: Raster, x: number, y: number, width: number, height: number, thick = 2): void {
  fill(raster, x, y, width, thick)
  fill(raster, x, y + height - thick, width, thick)
  fill(raster, x, y, thick, height)
  fill(raster, x + width - thick, y, thick, height)
}

test('an empty and a ticked box', () => {
  const raster = paper()
  frame(raster, 20, 30, 18, 18)
  frame(raster, 100, 30, 18, 18)
  for (let step = 4; step < 14; step++) fill(raster, 100 + step, 30 + step, 2, 1)
  expect(findCheckBoxes(raster)).toEqual([
    { text: '☐', box: { x0: 20, y0: 30, x1: 38, y1: 48 } },
    { text: '☑', box: { x0: 100, y0: 30, x1: 118, y1: 48 } },
  ])
})

test.each([
  ['a field frame', (raster: Raster) => frame(raster, 20, 30, 120, 20)],
  ['too small', (raster: Raster) => frame(raster, 20, 30, 8, 8)],
  ['too large', (raster: Raster) => frame(raster, 20, 20, 70, 70)],
  ['an open side', (raster: Raster) => (frame(raster, 20, 30, 18, 18), fill(raster, 36, 34, 2, 10, 255))],
  ['letter cells', (raster: Raster) => [20, 42, 64].forEach((x) => frame(raster, x, 30, 18, 18))],
  [
    'a letter around a square',
    (raster: Raster) => (frame(raster, 20, 30, 18, 18), fill(raster, 23, 28, 12, 2), fill(raster, 38, 34, 3, 14)),
  ],
  ['cells that touch', (raster: Raster) => [20, 36, 52].forEach((x) => frame(raster, x, 30, 18, 18))],
])('no check box: %s', (_, draw) => {
  const raster = paper()
  draw(raster)
  expect(findCheckBoxes(raster)).toEqual([])
})

test('long thin lines are erased, short and thick ones stay', () => {
  const raster = paper()
  fill(raster, 10, 20, 150, 2)
  fill(raster, 180, 10, 2, 80)
  fill(raster, 10, 40, 30, 2)
  fill(raster, 10, 60, 150, 12)
  eraseRules(raster)
  const at = (x: number, y: number): number | undefined => raster.pixels[y * raster.width + x]
  expect([at(80, 20), at(180, 50)]).toEqual([255, 255])
  expect([at(20, 40), at(80, 65)]).toEqual([BLACK, BLACK])
})

test('a letter that crosses a line stays whole', () => {
  const raster = paper()
  fill(raster, 10, 50, 150, 2)
  fill(raster, 60, 40, 3, 20)
  eraseRules(raster)
  expect(raster.pixels[50 * raster.width + 61]).toBe(BLACK)
})

test('shaded paper becomes white and ink stays dark', () => {
  const raster = paper(150)
  fill(raster, 0, 0, 100, 100, 230)
  fill(raster, 40, 40, 4, 12, 30)
  fill(raster, 160, 40, 4, 12, 30)
  evenLight(raster)
  const at = (x: number, y: number): number => raster.pixels[y * raster.width + x] ?? -1
  expect(Math.min(at(20, 80), at(180, 80))).toBeGreaterThan(245)
  expect(Math.max(at(41, 45), at(161, 45))).toBeLessThan(80)
})
