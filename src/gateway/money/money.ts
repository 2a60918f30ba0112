/**
 * Money is counted in whole nano-dollars (1 USD = 1e9), so that sums are exact and the envelope is
 * compared without float noise. Safe integers reach to about nine million dollars.
 */
export type NanoUsd = number

const NANO = 1e9

/** Nearest whole nano-dollar of an amount in US dollars. */
export function toNano(usd: number): NanoUsd {
  return Math.round(usd * NANO)
}

/** US dollars of an amount in nano-dollars. */
export function toUsd(nano: NanoUsd): number {
  return nano / NANO
}
