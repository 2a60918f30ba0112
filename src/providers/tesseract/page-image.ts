import { findCheckBoxes } from './check-boxes.ts'
import { blank, eraseRules, evenLight, type Raster } from './raster.ts'
import type { Word } from './words.ts'

/** A page made ready for the engine, with the check boxes that were taken out of it. */
export interface PageImage {
  readonly png: Buffer
  readonly height: number
  /** How much larger the picture is than the page. */
  readonly scale: number
  readonly checkBoxes: readonly Word[]
}

// Small print reads better enlarged, up to the size of a usual scan; beyond twice it only costs time.
const READING_WIDTH = 1500
const MOST_SCALE = 2

/**
 * Decodes a picture, lays it on white, turns it upright by its lines' slope, evens out the light, and takes check
 * boxes and rules out of it.
 */
export async function preparePage(bytes: Uint8Array, slope: number): Promise<PageImage> {
  const { default: sharp } = await import('sharp')
  const { data, info } = await sharp(bytes)
    .flatten({ background: '#ffffff' })
    .rotate((-Math.atan(slope) * 180) / Math.PI, { background: '#ffffff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const raster: Raster = { width: info.width, height: info.height, pixels: firstChannel(data, info.channels) }
  evenLight(raster)
  const checkBoxes = findCheckBoxes(raster)
  for (const { box } of checkBoxes) {
    const margin = Math.max(2, Math.round((box.x1 - box.x0) * 0.15))
    blank(raster, { x0: box.x0 - margin, y0: box.y0 - margin, x1: box.x1 + margin, y1: box.y1 + margin })
  }
  eraseRules(raster)
  const scale = Math.min(MOST_SCALE, Math.max(1, READING_WIDTH / info.width))
  const png = await sharp(raster.pixels, { raw: { width: info.width, height: info.height, channels: 1 } })
    .resize({ width: Math.round(info.width * scale) })
    .png({ compressionLevel: 1 })
    .toBuffer()
  return { png, height: info.height, scale, checkBoxes }
}

function firstChannel(data: Buffer, channels: number): Uint8Array {
  if (channels === 1) return new Uint8Array(data)
  const pixels = new Uint8Array(data.length / channels)
  for (let index = 0; index < pixels.length; index++) pixels[index] = data[index * channels] ?? 0
  return pixels
}
