import type { JsonSchema } from '../../model/fixture.ts'
import type { Wording } from './label-score.ts'
import { isFiller, tokenize } from './tokens.ts'

/** How the printed text of a field becomes a value. */
export type FieldKind =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'date'
  | 'date-time'
  | 'time'
  | 'choice'
  | 'const'
  | 'list'
  | 'table'

/** A leaf of the answer, or an array, with everything that helps to find and read it. */
export interface Field {
  readonly path: readonly string[]
  readonly kind: FieldKind
  readonly schema: JsonSchema
  readonly nullable: boolean
  readonly required: boolean
  readonly wordings: readonly Wording[]
  /** Wordings of the object around it, printed as a heading above its fields. */
  readonly section: readonly Wording[]
  /** Allowed values of a choice, or of the items of a list. */
  readonly options: readonly unknown[]
  /** Fields of a table's rows, or the one item of a list. */
  readonly items: readonly Field[]
}

/** An object of the answer that must be there even if empty. */
export interface FlatSchema {
  readonly fields: readonly Field[]
  readonly requiredObjects: readonly (readonly string[])[]
}

const DEEPEST = 6
/** More than any form has; schemas that refer to themselves could name millions. */
const MOST_NODES = 500

/** Leaves of an answer schema. References, `allOf` and unions with null are looked through. */
export function flattenSchema(schema: JsonSchema): FlatSchema {
  const fields: Field[] = []
  const requiredObjects: (readonly string[])[] = []
  let nodes = 0
  const walk = (raw: JsonSchema, path: readonly string[], required: boolean, parents: readonly JsonSchema[]): void => {
    if (parents.length > DEEPEST || ++nodes > MOST_NODES) return
    const { schema: node, nullable } = resolve(raw, schema)
    const properties = asObject(node['properties'])
    if (properties && !('const' in node)) {
      if (required && !nullable && path.length > 0) requiredObjects.push(path)
      const needed = Array.isArray(node['required']) ? node['required'] : []
      for (const [name, child] of Object.entries(properties)) {
        const childSchema = asObject(child)
        if (childSchema) walk(childSchema, [...path, name], required && needed.includes(name), [...parents, node])
      }
      return
    }
    fields.push(toField(node, nullable, path, required, parents, schema))
  }
  walk(schema, [], true, [])
  return { fields, requiredObjects }
}

function toField(
  schema: JsonSchema,
  nullable: boolean,
  path: readonly string[],
  required: boolean,
  parents: readonly JsonSchema[],
  root: JsonSchema,
): Field {
  const items = asObject(schema['items'])
  const itemFields = kindOfType(schema) === 'array' && items ? flattenItems(items, root, parents.length) : []
  const kind = kindOf(schema, itemFields)
  const own = path.at(-1) ?? ''
  const parent = path.at(-2) ?? ''
  const section = parent === '' ? [] : wordingsOf(parent, parents.at(-1) ?? {}, '')
  const options = Array.isArray(schema['enum']) ? schema['enum'].filter((option) => option !== null) : []
  return {
    path,
    kind,
    schema,
    nullable,
    required,
    wordings: wordingsOf(own, schema, parent),
    section,
    options: kind === 'list' ? (itemFields[0]?.options ?? []) : options,
    items: itemFields,
  }
}

/** Item fields keep paths relative to the row. */
function flattenItems(items: JsonSchema, root: JsonSchema, depth: number): readonly Field[] {
  if (depth > DEEPEST) return []
  const { schema } = resolve(items, root)
  // The root's definitions must stay in reach of the items' references.
  return flattenSchema({ ...schema, $defs: root['$defs'], definitions: root['definitions'] }).fields
}

function kindOf(schema: JsonSchema, items: readonly Field[]): FieldKind {
  if ('const' in schema) return 'const'
  if (Array.isArray(schema['enum'])) return 'choice'
  const type = kindOfType(schema)
  if (type === 'array') return items.some((item) => item.path.length > 0) ? 'table' : 'list'
  if (type === 'number' || type === 'integer' || type === 'boolean') return type
  const format = schema['format']
  if (format === 'date' || format === 'date-time' || format === 'time') return format
  // Plain strings that ask for an ISO date in words or by pattern.
  const hint = `${String(schema['description'] ?? '')} ${String(schema['pattern'] ?? '')}`
  if (/YYYY-MM-DD|\\d\{4\}-\\d\{2\}-\\d\{2\}\$?$/.test(hint) && !/T\\?\\d|hh:mm/i.test(hint)) return 'date'
  return 'string'
}

function kindOfType(schema: JsonSchema): unknown {
  const type = schema['type']
  if (Array.isArray(type)) return type.find((one) => one !== 'null')
  return type ?? (schema['items'] ? 'array' : undefined)
}

/**
 * Wordings of a property: its title, its name, its name after its parent's (`patient.name`), phrases
 * quoted in its description, and the description's first clause, trusted a little less.
 */
function wordingsOf(name: string, schema: JsonSchema, parent: string): Wording[] {
  const wordings: Wording[] = []
  const add = (text: string, trust: number): void => {
    const tokens = tokenize(text)
    if (tokens.some((token) => !isFiller(token))) wordings.push({ tokens, trust })
  }
  if (typeof schema['title'] === 'string') add(schema['title'], 1)
  add(name, 1)
  if (parent !== '' && name !== '') add(`${parent} ${name}`, 1)
  if (typeof schema['description'] === 'string') {
    const description = schema['description']
    for (const [, quoted] of description.matchAll(/["“'‘]([^"”'’]{2,40})["”'’]/g)) add(quoted ?? '', 1)
    const clause = description.split(/[.,;:(]|\s[-–—]\s/)[0] ?? ''
    if (tokenize(clause).length <= 6) add(clause, 0.9)
  }
  return wordings
}

interface Resolved {
  readonly schema: JsonSchema
  readonly nullable: boolean
}

/** The schema a value must meet, null put aside. Of several alternatives the first counts. */
function resolve(raw: JsonSchema, root: JsonSchema, depth = 0): Resolved {
  if (depth > DEEPEST) return { schema: raw, nullable: false }
  const types = raw['type']
  const nullType = types === 'null' || (Array.isArray(types) && types.includes('null'))
  const nullable = nullType || (Array.isArray(raw['enum']) && raw['enum'].includes(null))
  const reference = typeof raw['$ref'] === 'string' ? lookUp(raw['$ref'], root) : null
  const union = [raw['anyOf'], raw['oneOf']].find((list) => Array.isArray(list)) as unknown[] | undefined
  const branches = union?.map(asObject).filter((branch) => branch !== null)
  const chosen = branches?.find((branch) => branch['type'] !== 'null')
  const all = Array.isArray(raw['allOf']) ? raw['allOf'].map(asObject).filter((part) => part !== null) : []
  const parts = [reference, chosen, ...all].filter((part) => part !== null && part !== undefined)
  if (parts.length === 0) return { schema: raw, nullable }
  const { $ref: _ref, anyOf: _any, oneOf: _one, allOf: _all, ...rest } = raw
  const resolved = parts.map((part) => resolve(part, root, depth + 1))
  return {
    schema: mergeSchemas([...resolved.map((part) => part.schema), rest]),
    nullable:
      nullable || (branches?.some((branch) => branch['type'] === 'null') ?? false) || resolved.some((r) => r.nullable),
  }
}

function mergeSchemas(parts: readonly JsonSchema[]): JsonSchema {
  const properties = Object.assign({}, ...parts.map((part) => part['properties']))
  const required = parts.flatMap((part) => (Array.isArray(part['required']) ? part['required'] : []))
  const merged: Record<string, unknown> = Object.assign({}, ...parts)
  if (Object.keys(properties).length > 0) merged['properties'] = properties
  if (required.length > 0) merged['required'] = required
  return merged
}

function lookUp(reference: string, root: JsonSchema): JsonSchema | null {
  if (!reference.startsWith('#')) return null
  let node: unknown = root
  for (const step of reference.slice(1).split('/').filter(Boolean)) {
    node = asObject(node)?.[decodeURIComponent(step).replace(/~1/g, '/').replace(/~0/g, '~')]
  }
  return asObject(node)
}

function asObject(value: unknown): JsonSchema | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : null
}
