import { messageOf, ProbeError, SetupError } from '../model/errors.ts'
import type { Fixture, JsonSchema } from '../model/fixture.ts'

/**
 * A fixture that stands in a probe file as plain data of our own: later changes of the original, or what is no data, must
 * not be measured. A schema of a library becomes JSON Schema, of what goes into it: that is what a model writes.
 * @throws SetupError for a fixture that is no plain data, or whose schema cannot be given as JSON Schema.
 */
export function plainFixture(fixture: unknown): Fixture {
  try {
    const copy = structuredClone(withJsonSchema(fixture))
    JSON.stringify(copy, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
    return copy as Fixture
  } catch (cause) {
    if (cause instanceof SetupError) throw cause
    throw refused(`is not plain data: ${messageOf(cause)}`, { cause })
  }
}

function withJsonSchema(fixture: unknown): unknown {
  if (typeof fixture !== 'object' || fixture === null || !('schema' in fixture)) return fixture
  const standard = standardOf(fixture.schema)
  return standard === null ? fixture : { ...fixture, schema: jsonSchemaOf(standard) }
}

interface Standard {
  readonly vendor?: unknown
  readonly jsonSchema?: { readonly input?: (options: { readonly target: string }) => JsonSchema }
}

/** Some libraries make their schemas functions. */
function standardOf(schema: unknown): Standard | null {
  const holds = (typeof schema === 'object' && schema !== null) || typeof schema === 'function'
  if (!holds || !('~standard' in schema)) return null
  return (schema as { readonly '~standard': Standard })['~standard']
}

function jsonSchemaOf({ vendor, jsonSchema }: Standard): JsonSchema {
  const name = String(vendor)
  if (typeof jsonSchema?.input !== 'function') {
    const fix = 'use a version with Standard JSON Schema (zod: 4.2 or newer), or give a JSON Schema'
    throw refused(`this schema of ${name} cannot be given as JSON Schema`, { field: 'schema', fix })
  }
  try {
    return jsonSchema.input({ target: 'draft-2020-12' })
  } catch (cause) {
    const fix = 'describe what a model writes: JSON has texts, numbers, booleans, null, lists and objects'
    throw refused(`${name} cannot give it as JSON Schema: ${messageOf(cause)}`, { field: 'schema', fix, cause })
  }
}

function refused(message: string, detail: { field?: string; fix?: string; cause?: unknown }): SetupError {
  return new SetupError([new ProbeError('FIXTURE_INVALID', message, { file: 'probe()', ...detail })])
}
