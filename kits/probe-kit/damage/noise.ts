/** Seeded generator of numbers in [0, 1): the same seed gives the same numbers on every machine. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

// The sum of four uniform numbers, centred, has variance 4/12.
const STANDARDISE = Math.sqrt(3)

/** Adds sensor noise in place, the same to every channel of a pixel. */
export function addNoise(pixels: Uint8Array, channels: number, noise: { amount: number; seed: number }): void {
  const random = seeded(noise.seed)
  for (let start = 0; start < pixels.length; start += channels) {
    // A bell shape from sums alone: no logarithm or cosine that might differ in a last digit.
    const bell = (random() + random() + random() + random() - 2) * STANDARDISE
    const shift = Math.round(bell * noise.amount)
    for (let at = start; at < start + channels; at++) {
      pixels[at] = Math.min(255, Math.max(0, (pixels[at] ?? 0) + shift))
    }
  }
}

/** Keeps only so many tones of each channel, as a cheap scanner does; it also keeps noisy PNGs small. */
export function reduceTones(pixels: Uint8Array, tones: number): void {
  const step = 255 / (tones - 1)
  for (let at = 0; at < pixels.length; at++) {
    pixels[at] = Math.round(Math.round((pixels[at] ?? 0) / step) * step)
  }
}
