import type { Claim } from '../declared-format.ts'

/** The newest claim of a source; of one day the first. */
export function newestOf(list: readonly Claim[], source: string): Claim | undefined {
  const [first, ...others] = list.filter((one) => one.source === source)
  return others.reduce((newest, one) => (newest !== undefined && one.as_of > newest.as_of ? one : newest), first)
}

/**
 * The claims with this one in them: before what its source claimed until then, or at the end where that is newer. What a source
 * claims again stands once, as of the later day.
 * @param own the newest claim of its source.
 */
export function withClaim(list: readonly Claim[], claim: Claim, own: Claim | undefined): Claim[] {
  const isNewest = own === undefined || own.as_of <= claim.as_of
  if (own?.value === claim.value) return isNewest ? [claim, ...list.filter((one) => one !== own)] : [...list]
  if (isNewest) return [claim, ...list]
  const isKnown = list.some(
    ({ source, as_of, value }) => source === claim.source && as_of === claim.as_of && value === claim.value,
  )
  return isKnown ? [...list] : [...list, claim]
}
