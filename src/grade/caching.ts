import type { CachePolicy, ModelReply, Usage } from '../model/call.ts'

/** How near to the documented minimum a prefix may be before a miss proves nothing: observed minima exceed it. */
const NEAR = 1.25

/** Template tokens that every prompt shares can be cached: up to this share of a first call's input shows nothing. */
const SHARED_BY_ALL = 0.05

/** Why a pair of calls cannot show whether caching works. */
export type Ineligible = 'cache_prefix_below_minimum' | 'cache_not_reported' | 'cache_contaminated'

/**
 * Whether the first call leaves a repeat worth buying. The prompt's size is the provider's own count, all tiers
 * together; without a documented minimum every size may be cached. What does not tell its size cannot be checked.
 */
export function primeProblem({ usage }: Pick<ModelReply, 'usage'>, policy: CachePolicy | null): Ineligible | null {
  const { tokensIn } = usage
  if (tokensIn === null) return 'cache_not_reported'
  const minimum = policy?.minTokens ?? null
  if (minimum !== null && tokensIn < minimum * NEAR) return 'cache_prefix_below_minimum'
  return (cachedTokens(usage, policy) ?? 0) > tokensIn * SHARED_BY_ALL ? 'cache_contaminated' : null
}

/** What a pair of calls shows. */
export interface CachedFigures {
  /** Of the repeat. */
  readonly cachedTokens: number
  /** Share of the repeat's input: four cached tokens of 2,800 are no saving. */
  readonly cachedShare: number | null
  /** Of the first call, which the repeat has to exceed; null: it did not say. */
  readonly primeCachedTokens: number | null
}

export type RepeatGrade = { readonly problem: 'cache_not_reported' } | ({ readonly problem: null } & CachedFigures)

type Counted = Pick<ModelReply, 'usage'>

/** Cached tokens of the repeat, beside those of the first call. */
export function gradeRepeat(prime: Counted, { usage }: Counted, policy: CachePolicy | null): RepeatGrade {
  const cached = cachedTokens(usage, policy)
  if (cached === null) return { problem: 'cache_not_reported' }
  const cachedShare = usage.tokensIn === null || usage.tokensIn === 0 ? null : cached / usage.tokensIn
  return { problem: null, cachedTokens: cached, cachedShare, primeCachedTokens: cachedTokens(prime.usage, policy) }
}

/** Absent is not zero, unless the provider's format leaves zeros out. */
function cachedTokens(usage: Usage, policy: CachePolicy | null): number | null {
  return usage.cachedTokens ?? (policy?.absentIsZero && usage.tokensIn !== null ? 0 : null)
}
