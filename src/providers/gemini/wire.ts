/** Part of a body as it may arrive: nothing in it is certain. */
export type Wire = Readonly<Record<string, unknown>>

/** The value as an object whose fields can be asked for; empty when it is none. */
export function wire(value: unknown): Wire {
  return typeof value === 'object' && value !== null ? (value as Wire) : {}
}

/** The objects of a list; empty when it is none. */
export function wires(value: unknown): Wire[] {
  return Array.isArray(value) ? value.map(wire) : []
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

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
