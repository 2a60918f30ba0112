import { canonicalJson } from '../model/canonical-json.ts'
import type { JsonSchema } from '../model/fixture.ts'

/** What is added to a prompt in JSON mode. JSON mode of several providers wants the word "JSON" in the prompt. */
export function coaching(schema: JsonSchema): string {
  return `Answer with one JSON object and nothing else. It must be valid against this JSON Schema:\n${canonicalJson(schema)}`
}
