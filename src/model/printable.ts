/**
 * A text from outside as it can be shown: nothing in it moves the cursor, sets a colour or begins another line.
 */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Control characters, separators of lines, and what turns the direction of writing. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The same of every text and key in a value of plain data. */
export function printableData<T>(value: T): T {
  return shown(value) as T
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return printable(value)
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [printable(key), shown(own)]))
}
