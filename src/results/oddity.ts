import { MAX_DEPTH, scanJson } from '../grade/json-scan.ts'
import { isPlainJson } from '../grade/plain-json.ts'

/** Beyond what replies may be nested, and what is made of one stands a few levels deep in a file. */
const MOST_DEEP = 2 * MAX_DEPTH

/** What keeps a JSON text from being a result file, whatever it says. */
export interface Oddity {
  /** JSON Pointer. */
  readonly field: string
  readonly message: string
}

/**
 * What readers of a JSON text would differ in, or break at; null: nothing.
 * @param value what `JSON.parse` makes of the text.
 */
export function oddityOf(text: string, value: unknown): Oddity | null {
  if (isPlainJson(text, value)) return null
  const { tooDeep, duplicateKeys } = scanJson(text, MOST_DEEP)
  if (tooDeep) return { field: '', message: `nested more than ${MOST_DEEP} levels deep` }
  const [field] = duplicateKeys
  return field === undefined ? null : { field, message: 'stands twice: readers would see different files' }
}
