/** Entries that make one piece of a text. */
const AT_ONCE = 100

/**
 * JSON text of a file with many entries under one field: one a line, so that a change of one is a change of a line, and
 * a large file stays small.
 */
export function linesText<T extends object>(value: T, field: keyof T & string): string {
  return [...linesPieces(value, field)].join('')
}

/** The same in pieces, each made when it is asked for: one can be written while the next is made. */
export function* linesPieces<T extends object>(value: T, field: keyof T & string): Generator<string> {
  const { [field]: entries, ...rest } = value
  const head = JSON.stringify(rest, null, 1)
  const opening = head === '{}' ? '{' : `${head.slice(0, -2)},`
  const isList = Array.isArray(entries)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  yield `${opening}\n ${JSON.stringify(field)}: ${open}\n`
  const all = Object.entries(entries as object)
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const lines = all
      .slice(from, from + AT_ONCE)
      .map(([key, one]) => `${isList ? '' : `${JSON.stringify(key)}: `}${JSON.stringify(one)}`)
    yield `${from === 0 ? '' : ',\n'}${lines.join(',\n')}`
  }
  yield `\n ${close}\n}\n`
}
