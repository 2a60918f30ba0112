/**
 * Pause a server asks for, in milliseconds: milliseconds, seconds, or an HTTP date. Null when it makes no sense.
 * @param now milliseconds since the epoch.
 */
export function parseRetryAfter(ms: string | null, value: string | null, now: number = Date.now()): number | null {
  if (ms !== null && isCount(ms)) return Number(ms)
  if (value === null) return null
  if (isCount(value)) return Number(value) * 1000
  // `Date.parse` finds a date in "-5" and in "soon 5" too: only what looks like an HTTP date is given to it.
  const date = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,.*gmt$/i.test(value.trim()) ? Date.parse(value) : Number.NaN
  return Number.isFinite(date) ? Math.max(date - now, 0) : null
}

function isCount(text: string): boolean {
  return /^\d{1,12}(\.\d+)?$/.test(text.trim())
}
