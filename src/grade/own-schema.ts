import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import { withSharedParts } from './shared-parts.ts'

/** Most of what is compiled here judges a handful of values: code that is made faster costs more than it saves. */
const OWN: Options = { strict: false, meta: false, validateSchema: false, code: { optimize: false } }

/**
 * Compiles a schema of this package's own. It is made from types, so it is not held against the meta-schema, which would
 * take longer than the rest of a start.
 */
export function compileOwn<T>(schema: object, options: Options = {}): ValidateFunction<T> {
  return new Ajv2020({ ...OWN, ...options }).compile<T>(withSharedParts(schema))
}
