import { mkdirSync, writeFileSync } from 'node:fs'
import { FixtureSchema } from '../src/model/fixture.ts'
import { ResultSchema } from '../src/results/format.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** The shipped schema files by name, as text: made from the types that the code itself checks with. */
export const SCHEMA_FILES: Readonly<Record<string, string>> = {
  'fixture.schema.json': schemaText(FixtureSchema),
  'result.schema.json': schemaText(ResultSchema),
}

function schemaText(schema: object): string {
  return `${JSON.stringify({ $schema: DIALECT, ...schema }, null, 2)}\n`
}

if (import.meta.main) {
  const folder = new URL('../schemas/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(SCHEMA_FILES)) writeFileSync(new URL(name, folder), text)
}
