import sharp, { type Sharp } from 'sharp'
import type { Damage } from '../page-spec.ts'
import { addNoise, reduceTones } from './noise.ts'

/** Pixels without an alpha channel, row by row. */
export interface Raster {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
  readonly channels: 1 | 3
}

/** What a scanner and a lossy upload do to pixels: blur, grey, noise, JPEG, few tones, in that order. */
export async function damagePixels(raster: Raster, damage: Damage): Promise<Raster> {
  let image = open(raster)
  if (damage.blur !== undefined) image = image.blur(damage.blur)
  if (damage.greyscale) image = image.greyscale().toColourspace('b-w')
  let result = await rasterOf(image)
  if (damage.noise) addNoise(result.pixels, result.channels, damage.noise)
  if (damage.jpeg !== undefined) {
    const jpeg = await open(result).jpeg({ quality: damage.jpeg }).toBuffer()
    result = await rasterOf(sharp(jpeg).toColourspace(result.channels === 1 ? 'b-w' : 'srgb'))
  }
  if (damage.tones !== undefined) reduceTones(result.pixels, damage.tones)
  return result
}

/** A PNG without metadata, so without an orientation tag. */
export async function encodePng(raster: Raster): Promise<Uint8Array> {
  const image = open(raster)
  if (raster.channels === 1) image.toColourspace('b-w')
  return image.png({ compressionLevel: 9 }).toBuffer()
}

function open({ pixels, width, height, channels }: Raster): Sharp {
  return sharp(pixels, { raw: { width, height, channels } })
}

async function rasterOf(image: Sharp): Promise<Raster> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  return { pixels: data, width: info.width, height: info.height, channels: info.channels === 1 ? 1 : 3 }
}
