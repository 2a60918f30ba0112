import { ProviderFault } from '../provider.ts'
import type { EnginePool } from './engine-pool.ts'
import { straighten } from './lines.ts'
import { preparePage, type PageImage } from './page-image.ts'
import type { Word } from './words.ts'

/** Words of a page in its own pixels, check boxes among them. */
export interface PageWords {
  readonly words: readonly Word[]
  readonly height: number
}

// A fall of 1 in 125, half a degree: from here on the engine reads a tilted page worse than a turned one.
const TILTED = 0.008

/** Reads a page; a tilted one is turned upright and read again. */
export async function readPage(bytes: Uint8Array, pool: EnginePool, signal: AbortSignal): Promise<PageWords> {
  let page = await prepare(bytes, 0)
  let reading = await pool.read(page.png, signal)
  if (Math.abs(reading.slope) > TILTED) {
    page = await prepare(bytes, reading.slope)
    reading = await pool.read(page.png, signal)
  }
  const { scale } = page
  const words = reading.words.map(({ text, box }) => ({
    text,
    box: { x0: box.x0 / scale, y0: box.y0 / scale, x1: box.x1 / scale, y1: box.y1 / scale },
  }))
  return { words: straighten([...words, ...page.checkBoxes], reading.slope), height: page.height }
}

async function prepare(bytes: Uint8Array, slope: number): Promise<PageImage> {
  try {
    return await preparePage(bytes, slope)
  } catch (cause) {
    throw new ProviderFault('server_error', `the image cannot be decoded: ${String(cause)}`, {
      billing: { kind: 'none' },
      cause,
    })
  }
}
