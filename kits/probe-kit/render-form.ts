import { Resvg } from '@resvg/resvg-js'
import { readFormSpec } from './check-spec.ts'
import { damagePixels, encodePng, type Raster } from './damage/damage-pixels.ts'
import { FONT_FILES } from './fonts.ts'
import { formSvg } from './layout/page.ts'
import type { FormSpec } from './spec.ts'

/** Renders the specification in a file. Throws an error that names the file and every wrong field. */
export async function renderFormFile(file: string): Promise<Uint8Array> {
  return renderForm(await readFormSpec(file), file)
}

/**
 * Renders a checked specification to a PNG. The same specification gives the same bytes: fonts come
 * from packages and noise from a seed. `file` only serves the error messages.
 */
export async function renderForm(spec: FormSpec, file: string): Promise<Uint8Array> {
  const raster = rasterise(formSvg(spec, file))
  return encodePng(await damagePixels(raster, spec.damage ?? {}))
}

function rasterise(svg: string): Raster {
  const image = new Resvg(svg, { font: { fontFiles: [...FONT_FILES], loadSystemFonts: false } }).render()
  const rgba = image.pixels
  const pixels = new Uint8Array(image.width * image.height * 3)
  // The paper covers the whole picture, so alpha is 255 everywhere and can go.
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    pixels.set(rgba.subarray(from, from + 3), to)
  }
  return { pixels, width: image.width, height: image.height, channels: 3 }
}
