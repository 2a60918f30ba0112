import { MAX_DEPTH } from './json-scan.ts'

/** A colon that a string of a text shows in another way. */
const ESCAPED_COLON = /\\u003a/i

/**
 * Whether nothing that `scanJson` looks for is in a text, as far as that can be seen without looking through it: in most
 * texts there is nothing, and this takes a third of the time. False says nothing.
 *
 * A colon stands behind each key, and in strings. So a text has as many colons as its value has keys and colons in strings,
 * and more where a key was lost in reading, because it stands twice in its object.
 * @param value what `JSON.parse` makes of the text.
 */
export function isPlainJson(text: string, value: unknown): boolean {
  return !ESCAPED_COLON.test(text) && colonsIn(text) === colonsOf(value, MAX_DEPTH)
}

/** No number where there is something to look at. */
function colonsOf(value: unknown, depth: number): number {
  if (typeof value === 'string') return colonsIn(value)
  if (typeof value === 'number') return isExact(value) ? 0 : Number.NaN
  if (typeof value !== 'object' || value === null) return 0
  if (depth === 0) return Number.NaN
  let count = 0
  if (Array.isArray(value)) {
    for (const member of value) count += colonsOf(member, depth - 1)
    return count
  }
  // What was read from JSON has keys of its own alone.
  for (const key in value) {
    count += 1 + colonsIn(key) + colonsOf((value as Readonly<Record<string, unknown>>)[key], depth - 1)
  }
  return count
}

/** Whole numbers of which a double may have lost a digit are not. */
function isExact(value: number): boolean {
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))
}

function colonsIn(text: string): number {
  let count = 0
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count += 1
  return count
}
