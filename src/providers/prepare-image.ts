import { messageOf } from '../model/errors.ts'
import { createHash } from 'node:crypto'
import type { CallRequest, SentImage } from '../model/call.ts'
import { ProviderFault } from './provider.ts'

/** What a provider takes of one image. */
export interface ImageLimits {
  /** Longest side in pixels. */
  readonly longSide: number
  /** Size of the file, before base64. */
  readonly bytes: number
}

/** An image ready to be sent, and what is told of it. */
export interface PreparedImage {
  readonly sent: SentImage
  readonly base64: string
}

type Original = CallRequest['images'][number]

const JPEG_QUALITIES = [90, 75, 60, 45]
/** Fixtures of a run, many times over; an image is prepared once for all samples. */
const MOST_KEPT = 64
const kept = new Map<string, Promise<PreparedImage>>()

/**
 * Images within a provider's limits: what fits is sent as it is, byte for byte; what does not is scaled down, and if it
 * is still too heavy sent as JPEG. An orientation that is only noted in the file is applied, since models ignore it.
 * @throws ProviderFault `bad_response`, not retryable and not billed, for an image that cannot be decoded.
 */
export async function prepareImages(images: readonly Original[], limits: ImageLimits): Promise<PreparedImage[]> {
  return Promise.all(
    images.map((image) => {
      const key = `${image.sha256} ${limits.longSide} ${limits.bytes}`
      let prepared = kept.get(key)
      if (prepared === undefined) {
        prepared = prepare(image, limits)
        if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!)
        kept.set(key, prepared)
        prepared.catch(() => kept.delete(key))
      }
      return prepared
    }),
  )
}

async function prepare(image: Original, limits: ImageLimits): Promise<PreparedImage> {
  try {
    // Loaded with the first image: most runs have none.
    const { default: sharp } = await import('sharp')
    const { width, height, orientation = 1 } = await sharp(image.bytes).metadata()
    const fits = Math.max(width, height) <= limits.longSide && image.bytes.length <= limits.bytes
    if (fits && orientation === 1) return packed(image.bytes, image.mediaType, width, height)
    return await shrunk(image.bytes, limits)
  } catch (cause) {
    const why = messageOf(cause)
    const options = { billing: { kind: 'none' }, retryable: false, cause } as const
    throw new ProviderFault('bad_response', `the image cannot be prepared: ${why}`, options)
  }
}

async function shrunk(bytes: Uint8Array, { longSide, bytes: most }: ImageLimits): Promise<PreparedImage> {
  const { default: sharp } = await import('sharp')
  const upright = sharp(bytes)
    .rotate()
    .resize({ width: longSide, height: longSide, fit: 'inside', withoutEnlargement: true })
  const png = await upright.clone().png().toBuffer({ resolveWithObject: true })
  if (png.data.length <= most) return packed(png.data, 'image/png', png.info.width, png.info.height)
  let smallest = png
  for (const quality of JPEG_QUALITIES) {
    smallest = await upright
      .clone()
      .flatten({ background: '#ffffff' })
      .jpeg({ quality })
      .toBuffer({ resolveWithObject: true })
    if (smallest.data.length <= most) break
  }
  if (smallest.data.length > most) throw new Error(`it stays above ${most} bytes`)
  return packed(smallest.data, 'image/jpeg', smallest.info.width, smallest.info.height)
}

function packed(bytes: Uint8Array, mediaType: string, width: number, height: number): PreparedImage {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { sent: { sha256, mediaType, width, height }, base64: Buffer.from(bytes).toString('base64') }
}
