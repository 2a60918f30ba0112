import { escapeToken } from './json-scan.ts'
import { isPlainObject } from './plain.ts'

/** A schema inside a schema. */
export interface SchemaNode {
  /** JSON Pointer from the root schema; empty for the root. */
  readonly pointer: string
  readonly schema: Readonly<Record<string, unknown>>
}

const SINGLE = [
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
]
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']

/**
 * Every schema object in a schema document, the root first: those in definitions that nothing refers to as well,
 * which a compiler would skip. Never enters `enum`, `const`, `default` or `examples`, which hold data.
 */
export function* schemaNodes(schema: unknown, pointer = ''): Generator<SchemaNode> {
  if (!isPlainObject(schema)) return
  yield { pointer, schema }
  for (const keyword of SINGLE) yield* schemaNodes(schema[keyword], `${pointer}/${keyword}`)
  for (const keyword of LISTS) {
    const list = schema[keyword]
    if (!Array.isArray(list)) continue
    for (const [index, member] of list.entries()) yield* schemaNodes(member, `${pointer}/${keyword}/${index}`)
  }
  for (const keyword of MAPS) {
    const map = schema[keyword]
    if (!isPlainObject(map)) continue
    for (const [key, member] of Object.entries(map)) {
      yield* schemaNodes(member, `${pointer}/${keyword}/${escapeToken(key)}`)
    }
  }
}

/** A copy of a schema object in which each schema that stands directly inside it is what `change` makes of it. */
export function schemaWith(schema: object, change: (inner: object) => object): object {
  const changed = (inner: unknown): unknown => (isPlainObject(inner) ? change(inner) : inner)
  const entries = Object.entries(schema).map(([keyword, value]: [string, unknown]) => {
    if (MAPS.includes(keyword) && isPlainObject(value))
      return [keyword, Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, changed(inner)]))]
    if (LISTS.includes(keyword) && Array.isArray(value)) return [keyword, value.map(changed)]
    return [keyword, SINGLE.includes(keyword) ? changed(value) : value]
  })
  return Object.fromEntries(entries) as object
}
