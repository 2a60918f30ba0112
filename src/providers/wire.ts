/** Part of a body as it may arrive: nothing in it is certain. */
export type Wire = Readonly<Record<string, unknown>>

/** Whether something has fields at all. */
export function isWire(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null
}

/** Anything, with what has no fields as an empty object. */
export function wire(value: unknown): Wire {
  return isWire(value) ? value : {}
}

/** The members of a list; none of what is no list. */
export function wires(value: unknown): readonly Wire[] {
  return Array.isArray(value) ? value.map(wire) : []
}

/** A text, or null. */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** The texts that parts of one type have in a field, joined as they are: other parts are no answer. */
export function textOf(parts: readonly Wire[], type: string, field: string): string {
  return parts.map((part) => (part['type'] === type ? (textOrNull(part[field]) ?? '') : '')).join('')
}

/** An error object of a body; some servers give a text in its place. */
export function errorFields(error: unknown): Wire {
  return typeof error === 'string' ? { message: error } : wire(error)
}

/** A number of things, or null. */
export function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** JSON as a value; undefined when the text is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
