import { mkdirSync, writeFileSync } from 'node:fs'
import { LeaderboardSchema } from '../src/leaderboard/format.ts'
import { FixtureSchema } from '../src/model/fixture.ts'
import { DeclaredSchema } from '../src/registry/declared-format.ts'
import { RegistrySchema } from '../src/registry/format.ts'
import { ResultSchema } from '../src/results/format.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** The shipped schema files by name, as text: made from the types that the code itself checks with. */
export const SCHEMA_FILES: Readonly<Record<string, string>> = {
  'declared.schema.json': schemaText(DeclaredSchema),
  'fixture.schema.json': schemaText(FixtureSchema),
  'leaderboard.schema.json': schemaText(LeaderboardSchema),
  'registry.schema.json': schemaText(RegistrySchema),
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
