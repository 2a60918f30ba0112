/** A source of numbers in [0, 1) that a seed fixes: mulberry32's mixing of a counter. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Successes in `n` trials of rate `p`. */
export function draws(random: () => number, n: number, p: number): number {
  let successes = 0
  for (let trial = 0; trial < n; trial += 1) if (random() < p) successes += 1
  return successes
}

/** Probability of `k` successes in `n` trials of rate `p`, by plain multiplication. */
export function binomial(k: number, n: number, p: number): number {
  let ways = 1
  for (let step = 1; step <= k; step += 1) ways = (ways * (n - k + step)) / step
  return ways * p ** k * (1 - p) ** (n - k)
}
