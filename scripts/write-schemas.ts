import { mkdirSync, writeFileSync } from 'node:fs'
import { LeaderboardSchema } from '../src/leaderboard/leaderboard-shape.ts'
import { FixtureSchema } from '../src/model/fixture-shape.ts'
import { DeclaredSchema } from '../src/registry/declared-shape.ts'
import { RegistrySchema } from '../src/registry/registry-shape.ts'
import { CaseMetaSchema } from '../src/results/case-meta-shape.ts'
import { OldResultSchema } from '../src/results/modelrig-shape.ts'
import { ResultSchema } from '../src/results/result-shape.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** Schema files as text: made from the types, shipped, and what the code itself checks with. */
export const SCHEMA_FILES: Readonly<Record<string, string>> = {
  'schemas/declared.schema.json': schemaText(DeclaredSchema),
  'schemas/fixture.schema.json': schemaText(FixtureSchema),
  'schemas/leaderboard.schema.json': schemaText(LeaderboardSchema),
  'schemas/registry.schema.json': schemaText(RegistrySchema),
  'schemas/result.schema.json': schemaText(ResultSchema),
  'src/results/case-meta.schema.json': schemaText(CaseMetaSchema),
  'src/results/modelrig.schema.json': schemaText(OldResultSchema),
}

function schemaText(schema: object): string {
  return `${JSON.stringify({ $schema: DIALECT, ...schema }, null, 2)}\n`
}

if (import.meta.main) {
  mkdirSync(new URL('../schemas/', import.meta.url), { recursive: true })
  for (const [file, text] of Object.entries(SCHEMA_FILES)) writeFileSync(new URL(`../${file}`, import.meta.url), text)
}
