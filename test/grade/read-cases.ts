import { readFileSync } from 'node:fs'

/** Rows of a case table, as titled pairs for `test.each`. */
export function readCases<Row extends { readonly name: string }>(table: string): [string, Row][] {
  const text = readFileSync(new URL(`./cases/${table}.json`, import.meta.url), 'utf8')
  return (JSON.parse(text) as Row[]).map((row) => [row.name, row])
}
