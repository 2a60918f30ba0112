import { messageOf } from '../model/errors.ts'
import type { ErrorObject } from 'ajv'
import type { JsonSchema } from '../model/fixture.ts'
import { escapeToken } from './json-scan.ts'
import { isPlainObject } from './plain.ts'
import { schemaNodes, type SchemaNode } from './schema-walk.ts'
import type { Dialect, Validator } from './validator.ts'

/** What is wrong with a schema, and where in it. */
export interface SchemaProblem {
  readonly message: string
  /** JSON Pointer into the schema. */
  readonly pointer: string
  readonly fix?: string
}

/**
 * The first thing wrong with a schema that ajv would report without saying where, or would not report because
 * nothing refers to that part of it. Null when there is nothing; compiling can still fail.
 * @param ajv knows the keywords and formats that may be used. @param meta checks against the meta-schema.
 */
export function schemaProblem(
  ajv: Validator,
  meta: Validator,
  schema: JsonSchema,
  dialect: Dialect,
): SchemaProblem | null {
  if (meta.validateSchema(schema) !== true) return metaSchemaProblem(meta)
  const nodes = [...schemaNodes(schema)]
  const ids = nodes.flatMap(({ schema: { $id } }) => (typeof $id === 'string' ? [documentOf($id)] : []))
  for (const node of nodes) {
    const problem =
      unknownKeyword(ajv, node) ??
      unknownFormat(ajv, node) ??
      badPattern(node) ??
      remoteReference(node, ids) ??
      (dialect === 'draft-07' ? besideReference(node) : null)
    if (problem) return problem
  }
  return null
}

/** Where in a schema a reference is written; the root when it is not found. */
export function referencePointer(schema: JsonSchema, reference: string): string {
  const node = [...schemaNodes(schema)].find(({ schema: { $ref } }) => $ref === reference)
  return node === undefined ? '' : `${node.pointer}/$ref`
}

/** The deepest complaint names the culprit; the others say that its parents are wrong too. */
function metaSchemaProblem(ajv: Validator): SchemaProblem {
  const errors = ajv.errors ?? []
  const [deepest] = errors.toSorted((a, b) => b.instancePath.length - a.instancePath.length)
  const same = errors.filter((error) => error.instancePath === deepest?.instancePath)
  const culprits = same.some(({ keyword }) => keyword !== 'anyOf')
    ? same.filter((one) => one.keyword !== 'anyOf')
    : same
  const messages = new Set(culprits.map(describe))
  return { message: [...messages].join(', or '), pointer: deepest?.instancePath ?? '' }
}

/** ajv's message, with the values it only hints at. */
function describe({ message, keyword, params }: ErrorObject): string {
  const { allowedValues } = params as { allowedValues?: unknown[] }
  return `${message ?? keyword}${allowedValues === undefined ? '' : `: ${allowedValues.join(', ')}`}`
}

function unknownKeyword(ajv: Validator, { pointer, schema }: SchemaNode): SchemaProblem | null {
  const keyword = Object.keys(schema).find((key) => !Object.hasOwn(ajv.RULES.keywords, key))
  if (keyword === undefined) return null
  const problem = { message: `unknown keyword "${keyword}"`, pointer: `${pointer}/${escapeToken(keyword)}` }
  return keyword === 'nullable'
    ? { ...problem, fix: 'write "type": ["string", "null"], or an anyOf with null' }
    : problem
}

function unknownFormat(ajv: Validator, { pointer, schema }: SchemaNode): SchemaProblem | null {
  const format = schema['format']
  if (typeof format !== 'string' || ajv.formats[format] !== undefined) return null
  return { message: `unknown format "${format}"`, pointer: `${pointer}/format` }
}

function badPattern({ pointer, schema }: SchemaNode): SchemaProblem | null {
  const keys = isPlainObject(schema['patternProperties']) ? Object.keys(schema['patternProperties']) : []
  const patterns = keys.map((key): [string, string] => [key, `${pointer}/patternProperties/${escapeToken(key)}`])
  if (typeof schema['pattern'] === 'string') patterns.unshift([schema['pattern'], `${pointer}/pattern`])
  for (const [source, where] of patterns) {
    try {
      new RegExp(source, 'u')
    } catch (error) {
      return { message: messageOf(error), pointer: where }
    }
  }
  return null
}

function remoteReference({ pointer, schema: { $ref } }: SchemaNode, ids: readonly string[]): SchemaProblem | null {
  if (typeof $ref !== 'string' || $ref.startsWith('#')) return null
  const named = documentOf($ref)
  if (ids.some((id) => id === named || id.endsWith(`/${named}`))) return null
  return { message: `"${$ref}" refers to another document, which is never fetched`, pointer: `${pointer}/$ref` }
}

/** Keywords that judge nothing, and so may stand beside a reference anywhere. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$ref',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'readOnly',
  'writeOnly',
  'definitions',
])

/** Draft-07 ignores what stands beside a reference, and ajv does not: either way somebody would be misled. */
function besideReference({ pointer, schema }: SchemaNode): SchemaProblem | null {
  if (typeof schema['$ref'] !== 'string') return null
  const ignored = Object.keys(schema).find((key) => !ANNOTATIONS.has(key))
  if (ignored === undefined) return null
  return {
    message: `draft-07 ignores "${ignored}" beside "$ref"`,
    pointer: `${pointer}/${escapeToken(ignored)}`,
    fix: 'put the reference and the rest into an allOf, or write the schema in 2020-12',
  }
}

/** A reference or an `$id` without its fragment. */
function documentOf(reference: string): string {
  return reference.split('#', 1)[0] ?? ''
}
