import type { JsonSchema } from '../model/fixture.ts'

/** A schema as it is sent: without the keywords that only name the document, which many servers refuse. */
export function wireSchema(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, $id: _id, ...rest } = schema
  return rest
}
