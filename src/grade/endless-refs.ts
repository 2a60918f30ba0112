import type { JsonSchema } from '../model/fixture.ts'
import { isPlainObject } from './plain.ts'
import { resolverOf, type Resolve } from './schema-refs.ts'
import { schemaNodes } from './schema-walk.ts'

/** Keywords whose schemas judge the same value as the schema they stand in. */
const SINGLE = ['not', 'if', 'then', 'else']
const LISTS = ['allOf', 'anyOf', 'oneOf']
const MAPS = ['dependentSchemas', 'dependencies']

/**
 * Where a schema leads back to itself without taking a step into the value it judges: whoever judges by it never comes to an
 * end. A schema that holds itself as the type of a property or an element does take one.
 * @returns JSON Pointer of the first such place; null: there is none.
 */
export function endlessReference(root: JsonSchema): string | null {
  const resolve = resolverOf(root)
  const seen = new Map<object, 'open' | 'done'>()
  const leadsBack = (schema: unknown): boolean => {
    if (!isPlainObject(schema)) return false
    const state = seen.get(schema)
    if (state !== undefined) return state === 'open'
    seen.set(schema, 'open')
    const back = ofSameValue(schema, resolve).some(leadsBack)
    seen.set(schema, 'done')
    return back
  }
  for (const { pointer, schema } of schemaNodes(root)) if (leadsBack(schema)) return pointer
  return null
}

function ofSameValue(schema: Readonly<Record<string, unknown>>, resolve: Resolve): unknown[] {
  const { $ref } = schema
  return [
    ...(typeof $ref === 'string' ? [resolve($ref)] : []),
    ...SINGLE.map((keyword) => schema[keyword]),
    ...LISTS.flatMap((keyword) => (Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]) : [])),
    ...MAPS.flatMap((keyword) => (isPlainObject(schema[keyword]) ? Object.values(schema[keyword]) : [])),
  ]
}
