import type { Usage } from '../../model/call.ts'
import { NO_USAGE } from '../blank-reply.ts'
import type { Chance } from './chance.ts'

/** Ways in which token counts cannot be. */
const IMPOSSIBLE: readonly ((usage: Usage) => Usage)[] = [
  (usage) => ({ ...usage, cachedTokens: (usage.tokensIn ?? 0) + 1 }),
  (usage) => ({ ...usage, tokensIn: -1 }),
  () => NO_USAGE,
]

/** The counts, or such as cannot be: that in `share` of all replies. */
export function reportedUsage(usage: Usage, share: number, chance: Chance): Usage {
  if (chance('counts') >= share) return usage
  return IMPOSSIBLE[Math.floor(chance('miscount') * IMPOSSIBLE.length)]!(usage)
}
