import type { JsonSchema } from '../../src/model/fixture.ts'

/**
 * A value that a small schema allows: what a server that enforces schemas answers to one it was not prepared for. First
 * value of an enum, every property of an object, one element of a list.
 */
export function instanceOf(schema: JsonSchema): unknown {
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown
  if (schema['const'] !== undefined) return schema['const']
  const [type] = [schema['type']].flat()
  if (type === 'object') {
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
    return Object.fromEntries(properties.map(([name, inner]) => [name, instanceOf(inner)]))
  }
  if (type === 'array') return [instanceOf((schema['items'] ?? {}) as JsonSchema)]
  if (type === 'number' || type === 'integer') return schema['minimum'] ?? 1
  return type === 'boolean' ? true : type === 'null' ? null : 'text'
}

/** The schema that a Chat Completions request wants enforced; null when there is none. */
export function enforcedSchema(body: Readonly<Record<string, unknown>>): JsonSchema | null {
  const format = body['response_format'] as { json_schema?: { schema?: JsonSchema } } | undefined
  return format?.json_schema?.schema ?? null
}
