import type { AccountLimit } from '../model/call.ts'

/** Headers of one limit: how much of it is left, and when it starts afresh. */
type Names = readonly [remaining: string, reset: string]

/** What providers count an account's limits in. OpenAI's names are used by servers like it. */
const LIMITS: readonly Names[] = [
  ...['requests', 'tokens'].map((counted): Names => [
    `x-ratelimit-remaining-${counted}`,
    `x-ratelimit-reset-${counted}`,
  ]),
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map((counted): Names => [
    `anthropic-ratelimit-${counted}-remaining`,
    `anthropic-ratelimit-${counted}-reset`,
  ]),
]

const UNIT_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 }
/** Units from large to small, each once: `1d2h3m4.5s`, `120ms`. */
const DURATION = /^(?=\d)(?:\d{1,9}d)?(?:\d{1,9}h)?(?:\d{1,9}m(?!s))?(?:\d{1,9}(?:\.\d+)?s)?(?:\d{1,9}(?:\.\d+)?ms)?$/
const PART = /(\d+(?:\.\d+)?)(ms|[dhms])/g
const RFC_3339 = /^\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d(\.\d+)?(z|[+-]\d\d:\d\d)$/i
/** More is no number of seconds to wait, but a moment of some clock. */
const MOST_SECONDS = 86_400

/**
 * What the headers of a reply say of an account's limits: of the one that is used up and takes longest to come back,
 * or else of the one of which least is left. What makes no sense counts as not said. Null: nothing is said.
 * @param now milliseconds since the epoch.
 */
export function accountLimitFrom(
  headers: { get(name: string): string | null },
  now: number = Date.now(),
): AccountLimit | null {
  let nearest: AccountLimit | null = null
  for (const [remainingName, resetName] of LIMITS) {
    const remaining = countIn(headers.get(remainingName))
    if (remaining === null) continue
    const limit = { remaining, resetMs: parseReset(headers.get(resetName), now) }
    if (nearest === null || before(limit, nearest)) nearest = limit
  }
  return nearest
}

function before(a: AccountLimit, b: AccountLimit): boolean {
  if (a.remaining !== b.remaining) return a.remaining! < b.remaining!
  return (a.resetMs ?? -1) > (b.resetMs ?? -1)
}

function countIn(value: string | null): number | null {
  return value !== null && /^\d{1,15}$/.test(value.trim()) ? Number(value) : null
}

/** A duration with its units, a number of seconds or a date, as milliseconds from now. */
function parseReset(value: string | null, now: number): number | null {
  const text = value?.trim() ?? ''
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text) <= MOST_SECONDS ? Number(text) * 1000 : null
  if (RFC_3339.test(text)) {
    const date = Date.parse(text)
    return Number.isFinite(date) ? Math.max(date - now, 0) : null
  }
  if (!DURATION.test(text)) return null
  return [...text.matchAll(PART)].reduce((sum, [, amount, unit]) => sum + Number(amount) * UNIT_MS[unit!]!, 0)
}
