import type { Claim, Claims } from './declared-format.ts'
import type { StandingClaims } from './format.ts'

/**
 * The claims that stand, one of a kind: what the vendor says itself goes before what others say of it, then what is
 * newer. Sources whose newest claim differs are told along.
 */
export function standingClaims(claims: Claims): StandingClaims {
  const entries = Object.entries(claims).map(([field, list]) => {
    const [standing, ...others] = newestOfSources(list as readonly Claim[])
    const disputedBy = others.filter(({ value }) => value !== standing!.value)
    return [field, disputedBy.length === 0 ? standing : { ...standing, disputedBy }]
  })
  return Object.fromEntries(entries) as StandingClaims
}

/** The newest claim of each source, in the order of their weight. */
function newestOfSources<T extends Claim>(list: readonly T[]): T[] {
  const ordered = list.toSorted(weightier)
  const seen = new Set<string>()
  return ordered.filter(({ source }) => !seen.has(source) && seen.add(source))
}

function weightier(a: Claim, b: Claim): number {
  if ((a.by === 'vendor') !== (b.by === 'vendor')) return a.by === 'vendor' ? -1 : 1
  if (a.as_of !== b.as_of) return a.as_of > b.as_of ? -1 : 1
  return 0
}
