import { hash } from 'node:crypto'
import { canonicalJson } from '../model/canonical-json.ts'

/** First 8 hex digits of the SHA-256 of a value's canonical JSON. */
export function checksum(value: unknown): string {
  return digits(canonical(value))
}

/** Canonical JSON has no halves of characters, and what a model writes can: each counts as U+FFFD. */
function canonical(value: unknown): string {
  try {
    return canonicalJson(value)
  } catch {
    return canonicalJson(wellFormed(value))
  }
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [key.toWellFormed(), wellFormed(own)]))
}

/** Checksums of records of which most have the same keys, as samples have: their order is found once for all. */
export function checksumsOfRecords(records: readonly object[]): string[] {
  let order: KeyOrder = { keys: [], sorted: [] }
  return records.map((record) => {
    const keys = Object.keys(record)
    if (!isSame(keys, order.keys)) order = orderOf(keys)
    return digits(textOf(record as Readonly<Record<string, unknown>>, order))
  })
}

interface KeyOrder {
  readonly keys: readonly string[]
  readonly sorted: readonly { readonly key: string; readonly label: string }[]
}

function orderOf(keys: readonly string[]): KeyOrder {
  return { keys, sorted: keys.toSorted().map((key) => ({ key, label: `${canonical(key)}:` })) }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, position) => key === b[position])
}

/** Canonical JSON, as `canonicalJson` writes it. */
function textOf(record: Readonly<Record<string, unknown>>, { sorted }: KeyOrder): string {
  let text = ''
  for (const { key, label } of sorted) {
    const value = record[key]
    if (value !== undefined) text += `${text === '' ? '{' : ','}${label}${valueText(value)}`
  }
  return text === '' ? '{}' : `${text}}`
}

function valueText(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value)
  // Of these JSON has one form alone, which is the canonical one.
  if (typeof value === 'number' || (typeof value === 'string' && value.isWellFormed())) return JSON.stringify(value)
  if (Array.isArray(value) && value.length === 0) return '[]'
  return canonical(value)
}

function digits(text: string): string {
  return hash('sha256', text).slice(0, 8)
}
