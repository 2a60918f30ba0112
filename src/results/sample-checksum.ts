import { hash } from 'node:crypto'
import { canonicalJson } from '../model/canonical-json.ts'

/** First 8 hex digits of the SHA-256 of a value's canonical JSON. */
export function checksum(value: unknown): string {
  return digits(valueText(value))
}

/** Checksums of records of which most have the same keys and, from one to the next, the same values, as samples have. */
export function checksumsOfRecords(records: readonly object[]): string[] {
  let order = orderOf([])
  return records.map((record) => {
    const keys = Object.keys(record)
    if (!isSame(keys, order.keys)) order = orderOf(keys)
    return digits(textOf(record as Readonly<Record<string, unknown>>, order, alike))
  })
}

interface KeyOrder {
  readonly keys: readonly string[]
  readonly sorted: readonly Column[]
}

interface Column {
  readonly key: string
  readonly label: string
  /** The value that was last written there, and its text. */
  last: string | number | null
  lastText: string
}

/** Orders of keys, by the first key: those of samples, rates and intervals come again and again. */
const orders = new Map<string | undefined, KeyOrder[]>()
/** What a file makes up as keys is not kept for ever, and never looked through for long. */
const [MOST_FIRST_KEYS, MOST_ALIKE] = [1000, 16]

function orderOf(keys: readonly string[]): KeyOrder {
  const known = orders.get(keys[0]) ?? []
  const there = known.find((order) => isSame(keys, order.keys))
  if (there !== undefined) return there
  const columns = keys.toSorted().map((key) => ({ key, label: `${valueText(key)}:`, last: null, lastText: 'null' }))
  const order = { keys, sorted: columns }
  known.push(order)
  if (known.length === 1 && orders.size < MOST_FIRST_KEYS) orders.set(keys[0], known)
  if (known.length > MOST_ALIKE) known.shift()
  return order
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, position) => key === b[position])
}

/** Canonical JSON, as `canonicalJson` writes it. */
function textOf(
  record: Readonly<Record<string, unknown>>,
  { sorted }: KeyOrder,
  text: (value: unknown, column: Column) => string = valueText,
): string {
  let all = ''
  for (const column of sorted) {
    const value = record[column.key]
    if (value !== undefined) all += `${all === '' ? '{' : ','}${column.label}${text(value, column)}`
  }
  return all === '' ? '{}' : `${all}}`
}

function alike(value: unknown, column: Column): string {
  if (typeof value !== 'string' && typeof value !== 'number') return valueText(value)
  if (value !== column.last) {
    column.lastText = valueText(value)
    column.last = value
  }
  return column.lastText
}

/**
 * Canonical JSON of a value that was read from JSON, or is to be written as such. It has no halves of characters, and what a
 * model writes can: each counts as U+FFFD.
 */
function valueText(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed())
  // Of these JSON has one form alone, which is the canonical one.
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`
  if (typeof value === 'object') return textOf(value as Readonly<Record<string, unknown>>, orderOf(Object.keys(value)))
  // It has no place in JSON.
  return canonicalJson(value)
}

function digits(text: string): string {
  return hash('sha256', text).slice(0, 8)
}
