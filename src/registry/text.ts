/**
 * JSON text of a file with many entries under one field: one a line, so that a change of one is a change of a line, and
 * a large file stays small.
 */
export function linesText<T extends object>(value: T, field: keyof T & string): string {
  const { [field]: entries, ...rest } = value
  const head = JSON.stringify(rest, null, 1)
  const opening = head === '{}' ? '{' : `${head.slice(0, -2)},`
  const list = Array.isArray(entries)
    ? entries.map((one) => JSON.stringify(one))
    : Object.entries(entries as object).map(([key, one]) => `${JSON.stringify(key)}: ${JSON.stringify(one)}`)
  const [open, close] = Array.isArray(entries) ? ['[', ']'] : ['{', '}']
  return `${opening}\n ${JSON.stringify(field)}: ${open}\n${list.join(',\n')}\n ${close}\n}\n`
}
