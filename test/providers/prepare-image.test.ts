import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { prepareImages } from '../../src/providers/prepare-image.ts'

const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const original = (bytes: Uint8Array) => ({ bytes, mediaType: 'image/png' as const, sha256: sha(bytes) })
const LIMITS = { longSide: 100, bytes: 1_000_000 }

/** Left half black, right half white. */
async function halves(width: number, height: number, orientation?: number): Promise<Uint8Array> {
  const black = { create: { width: width / 2, height, channels: 3 as const, background: '#000000' } }
  const image = sharp({ create: { width, height, channels: 3, background: '#ffffff' } })
    .composite([{ input: black, left: 0, top: 0 }])
    .png()
  return orientation === undefined ? image.toBuffer() : image.withMetadata({ orientation }).toBuffer()
}

async function pixelsOf(base64: string) {
  const { data, info } = await sharp(Buffer.from(base64, 'base64'))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, first: data[0]!, last: data.at(-1)! }
}

test('an image within the limits is sent byte for byte', async () => {
  const bytes = await halves(100, 40)
  const [{ sent, base64 }] = (await prepareImages([original(bytes)], LIMITS)) as [
    Awaited<ReturnType<typeof prepareImages>>[0],
  ]
  expect(Buffer.from(base64, 'base64').equals(bytes)).toBe(true)
  expect(sent).toEqual({ sha256: sha(bytes), mediaType: 'image/png', width: 100, height: 40 })
})

test('a larger one is scaled down, its shape kept, and told by the hash of what was sent', async () => {
  const [prepared] = await prepareImages([original(await halves(400, 200))], LIMITS)
  const { sent, base64 } = prepared!
  expect(sent).toMatchObject({ mediaType: 'image/png', width: 100, height: 50 })
  expect(sent.sha256).toBe(sha(Buffer.from(base64, 'base64')))
  expect(await pixelsOf(base64)).toMatchObject({ width: 100, height: 50, first: 0, last: 255 })
})

test('an orientation noted in the file is applied', async () => {
  // 6: to be shown, the picture has to be turned a quarter clockwise; its left half is then the top.
  const [prepared] = await prepareImages([original(await halves(80, 40, 6))], LIMITS)
  expect(await pixelsOf(prepared!.base64)).toEqual({ width: 40, height: 80, first: 0, last: 255 })
  expect((await sharp(Buffer.from(prepared!.base64, 'base64')).metadata()).orientation ?? 1).toBe(1)
})

test('one that is too heavy as PNG goes as JPEG', async () => {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }
  const bytes = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#000', noise } })
    .png()
    .toBuffer()
  const [prepared] = await prepareImages([original(bytes)], { longSide: 100, bytes: 9_000 })
  expect(prepared!.sent.mediaType).toBe('image/jpeg')
  expect(Buffer.from(prepared!.base64, 'base64').length).toBeLessThanOrEqual(9_000)
})

test('what cannot be made to fit, or is no image, is the set-up’s fault and not billed', async () => {
  const bytes = await halves(100, 40)
  for (const [image, limits] of [
    [original(bytes), { longSide: 100, bytes: 10 }],
    [original(new Uint8Array([1, 2, 3])), LIMITS],
  ] as const) {
    await expect(prepareImages([image], limits)).rejects.toMatchObject({
      failureClass: 'bad_response',
      billing: { kind: 'none' },
      retryable: false,
    })
  }
})
