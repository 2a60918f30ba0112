import { messageOf } from '../model/errors.ts'
import { isUnsafeInteger, MAX_DEPTH, scanJson } from './json-scan.ts'
import { isPlainJson } from './plain-json.ts'

/** A JSON text as read, or why it was not. */
export type JsonReading =
  | {
      readonly ok: true
      /** The tree as `JSON.parse` gives it. */
      readonly value: unknown
      /** The same tree, with integers that a double would round as bigint. */
      readonly exact: unknown
      /** JSON Pointers of keys that occur more than once in their object. */
      readonly duplicateKeys: readonly string[]
    }
  | {
      readonly ok: false
      /** `syntax`: not JSON. `limits`: JSON, but with something that is refused. */
      readonly kind: 'syntax' | 'limits'
      readonly reason: string
    }

/**
 * Reads one JSON text strictly (RFC 8259), and refuses what would not survive being written again: numbers beyond
 * the range of a double, and nesting deeper than 500 levels. Never throws.
 */
export function readJson(text: string): JsonReading {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const said = messageOf(error)
    return { ok: false, kind: 'syntax', reason: `not valid JSON: ${said}` }
  }
  if (isPlainJson(text, value)) return { ok: true, value, exact: value, duplicateKeys: [] }
  const scan = scanJson(text)
  if (scan.tooDeep) return { ok: false, kind: 'limits', reason: `nested more than ${MAX_DEPTH} levels deep` }
  if (scan.nonFinite) return { ok: false, kind: 'limits', reason: 'a number is too large to be finite' }
  const exact = scan.unsafeInteger ? JSON.parse(text, keepDigits) : value
  return { ok: true, value, exact, duplicateKeys: scan.duplicateKeys }
}

// `JSON.parse` defines properties instead of assigning them, so a `__proto__` key stays an ordinary key.
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined || !isUnsafeInteger(source)) return value
  return BigInt(source.replace(/\.0+$/, ''))
}
