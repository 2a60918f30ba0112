/**
 * JSON text of a file with many entries under one field: one a line, so that a change of one is a change of a line, and
 * a large file stays small.
 */
export function linesText<T extends object>(value: T, field: keyof T & string): string {
  return [...linesPieces(value, field)].join('')
}

/** The same in pieces, each made when it is asked for: one can be written while the next is made. */
export function linesPieces<T extends object>(value: T, field: keyof T & string): Generator<string> {
  const { [field]: entries, ...rest } = value
  const lines = Array.isArray(entries)
    ? Iterator.from(entries as readonly unknown[]).map((one) => JSON.stringify(one))
    : Iterator.from(Object.entries(entries as object)).map(([key, one]) => entryText(key, one))
  return piecesOf(rest, { field, isList: Array.isArray(entries), lines })
}

/** The line of an entry with a key. */
export function entryText(key: string, entry: unknown): string {
  return `${JSON.stringify(key)}: ${JSON.stringify(entry)}`
}

/**
 * The same of entries that are lines already.
 * @param rest all fields but that of the entries.
 */
export function* piecesOf<T>(
  rest: object,
  { field, isList = false, lines }: { readonly field: string; readonly isList?: boolean; readonly lines: Iterable<T> },
): Generator<T | string> {
  const head = JSON.stringify(rest, null, 1)
  const opening = head === '{}' ? '{' : `${head.slice(0, -2)},`
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  yield `${opening}\n ${JSON.stringify(field)}: ${open}\n`
  let isFirst = true
  for (const line of lines) {
    if (!isFirst) yield ',\n'
    yield line
    isFirst = false
  }
  yield `\n ${close}\n}\n`
}
