import type { CachePolicy, ModelReply, Usage } from '../model/call.ts'

/** How near to the documented minimum a prefix may be before a miss proves nothing: observed minima exceed it. */
const NEAR = 1.25

/** Why a pair of calls cannot show whether caching works. */
export type Ineligible = 'cache_prefix_below_minimum' | 'cache_not_reported' | 'cache_contaminated'

/**
 * Whether the first call leaves a repeat worth buying. The prompt's size is the provider's own count, all tiers
 * together; without a documented minimum every size may be cached.
 */
export function primeProblem({ usage }: Pick<ModelReply, 'usage'>, policy: CachePolicy | null): Ineligible | null {
  const minimum = policy?.minTokens ?? null
  if (minimum !== null && usage.tokensIn !== null && usage.tokensIn < minimum * NEAR)
    return 'cache_prefix_below_minimum'
  return (cachedTokens(usage, policy) ?? 0) > 0 ? 'cache_contaminated' : null
}

/** What the repeat shows. */
export type RepeatGrade =
  | { readonly problem: 'cache_not_reported' }
  | { readonly problem: null; readonly cachedTokens: number; readonly cachedShare: number | null }

/** Cached tokens of the repeat, and their share of its input: four cached tokens of 2,800 are no saving. */
export function gradeRepeat({ usage }: Pick<ModelReply, 'usage'>, policy: CachePolicy | null): RepeatGrade {
  const cached = cachedTokens(usage, policy)
  if (cached === null) return { problem: 'cache_not_reported' }
  const cachedShare = usage.tokensIn === null || usage.tokensIn === 0 ? null : cached / usage.tokensIn
  return { problem: null, cachedTokens: cached, cachedShare }
}

/** Absent is not zero, unless the provider's format leaves zeros out. */
function cachedTokens(usage: Usage, policy: CachePolicy | null): number | null {
  return usage.cachedTokens ?? (policy?.absentIsZero && usage.tokensIn !== null ? 0 : null)
}
