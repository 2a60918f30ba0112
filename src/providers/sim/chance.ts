import { createHash } from 'node:crypto'

/** What chance decides for one call: the same names, the same number in [0, 1). */
export type Chance = (about: string) => number

/**
 * Chance that depends on who asks for what, not on when: whatever the order in which calls arrive, a run has the same
 * outcomes. Uniform: the first 48 bits of a SHA-256.
 */
export function chanceOf(...identity: readonly (string | number)[]): Chance {
  const key = identity.join(' ')
  return (about) => createHash('sha256').update(`${key} ${about}`).digest().readUIntBE(0, 6) / 2 ** 48
}

/** A log-normal amount: the Box–Muller transform of two uniform ones. */
export function logNormal(
  { median, spread }: { readonly median: number; readonly spread: number },
  chance: Chance,
): number {
  const radius = Math.sqrt(-2 * Math.log(1 - chance('radius')))
  return median * Math.exp(spread * radius * Math.cos(2 * Math.PI * chance('angle')))
}
