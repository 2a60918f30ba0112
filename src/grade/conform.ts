import { MissingRefError, type ErrorObject, type ValidateFunction } from 'ajv'
import { ProbeError, type ErrorDetail, messageOf } from '../model/errors.ts'
import type { JsonSchema } from '../model/fixture.ts'
import type { Violation } from '../model/sample.ts'
import { endlessReference } from './endless-refs.ts'
import { referencePointer, schemaProblem } from './schema-problem.ts'
import { ALLOWED_DIALECTS, createValidator, dialectOf, metaValidator, type Validator } from './validator.ts'

/** A JSON Schema that is checked and ready to judge answers. */
export interface CompiledSchema {
  readonly schema: JsonSchema
  /** Judges one value. Use `checkConform`. */
  readonly validate: ValidateFunction
}

/** Most violations that are told of one answer. */
export const MAX_VIOLATIONS = 10
/** A path or message can hold a key of the answer, which can be of any length. */
const MAX_TEXT = 300

/**
 * Compiles the schema of a fixture: 2020-12, or draft-07 when `$schema` says so. Strict, so that a mistake in the
 * schema is an error and not a check that never says no: unknown keywords and formats, keywords of another type,
 * malformed patterns and references to other documents are refused. Nothing is fetched, nothing is coerced.
 * @throws ProbeError `FIXTURE_INVALID`, field `schema`, with the offending location in the message.
 */
export function compileSchema(schema: JsonSchema): CompiledSchema {
  let compiled = compiledSchemas.get(schema)
  if (compiled === undefined) compiledSchemas.set(schema, (compiled = compileAfresh(schema)))
  return compiled
}

/** A fixture's schema is compiled once, however many models and samples it is used for. */
const compiledSchemas = new WeakMap<JsonSchema, CompiledSchema>()

function compileAfresh(schema: JsonSchema): CompiledSchema {
  const { $schema, ...rest } = schema
  const dialect = dialectOf($schema)
  if (dialect === null) {
    throw invalid(`unknown $schema ${JSON.stringify($schema)}`, '/$schema', { allowed: ALLOWED_DIALECTS })
  }
  if (rest['type'] !== 'object') {
    throw invalid('the root must be of type "object"', '/type', { allowed: '"type": "object"' })
  }
  const ajv = createValidator(dialect)
  const problem = schemaProblem(ajv, metaValidator(dialect), rest, dialect)
  if (problem) throw invalid(problem.message, problem.pointer, problem.fix === undefined ? {} : { fix: problem.fix })
  const compiled = { schema, validate: compile(ajv, rest) }
  // A schema that refers to itself without end compiles, and fails on the first value that gets there: of what no reference
  // tells beforehand, an empty answer shows the rest.
  const endless = endlessReference(rest)
  if (endless !== null) throw invalid(ENDLESS, endless, {})
  checkConform(compiled, {})
  return compiled
}

const ENDLESS = 'the schema refers to itself without end'

function compile(ajv: Validator, schema: JsonSchema): ValidateFunction {
  try {
    return ajv.compile(schema)
  } catch (error) {
    if (error instanceof MissingRefError) {
      throw invalid(error.message, referencePointer(schema, error.missingRef), { cause: error })
    }
    if (error instanceof RangeError) throw invalid(ENDLESS, null, { cause: error })
    const message = messageOf(error)
    const pointer = /at (?:path )?"#([^"]*)"/.exec(message)?.[1] ?? null
    throw invalid(message.replace(/^strict mode: | at (?:path )?"#.*$/g, ''), pointer, { cause: error })
  }
}

/**
 * Judges a parsed answer. At most 10 violations are told.
 * @throws ProbeError `FIXTURE_INVALID`, field `schema`, when the schema refers to itself without end.
 */
export function checkConform(compiled: CompiledSchema, value: unknown): { ok: boolean; violations: Violation[] } {
  try {
    if (compiled.validate(value) === true) return { ok: true, violations: [] }
  } catch (error) {
    if (error instanceof RangeError) throw invalid(ENDLESS, null, { cause: error })
    throw error
  }
  const errors = compiled.validate.errors ?? []
  return { ok: false, violations: errors.slice(0, MAX_VIOLATIONS).map(toViolation) }
}

function toViolation(error: ErrorObject): Violation {
  return { path: cut(error.instancePath), message: cut(describe(error)), keyword: error.keyword }
}

/** Parameter of an ajv error that its message keeps to itself, by keyword. */
const TOLD: Readonly<Record<string, string>> = {
  additionalProperties: 'additionalProperty',
  unevaluatedProperties: 'unevaluatedProperty',
  enum: 'allowedValues',
  const: 'allowedValue',
}

/** ajv's message, and what it leaves out: which property, which values. */
function describe({ keyword, message = 'does not conform', params }: ErrorObject): string {
  const detail: Readonly<Record<string, unknown>> = params
  const said = detail[TOLD[keyword] ?? '']
  return said === undefined ? message : `${message}: ${JSON.stringify(said)}`
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`
}

function invalid(message: string, pointer: string | null, detail: ErrorDetail): ProbeError {
  const where = pointer === null ? '' : pointer === '' ? ' (at the root)' : ` (at ${pointer})`
  return new ProbeError('FIXTURE_INVALID', `${message}${where}`, { ...detail, field: 'schema' })
}
