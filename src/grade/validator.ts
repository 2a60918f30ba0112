import { Ajv, type Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** ajv of either dialect. */
export type Validator = Ajv | Ajv2020

/** A dialect of JSON Schema that is understood. */
export type Dialect = '2020-12' | 'draft-07'

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
])

/** The values of `$schema` that are understood, for messages. */
export const ALLOWED_DIALECTS = [...DIALECTS.keys()].join(', ')

/** The dialect that `$schema` names: 2020-12 when it is absent, null when it is another one. */
export function dialectOf($schema: unknown): Dialect | null {
  if ($schema === undefined) return '2020-12'
  if (typeof $schema !== 'string') return null
  const named = $schema.replace(/#$/, '')
  return DIALECTS.get(named) ?? DIALECTS.get(named.replace(/^http(s?):/, (_, s) => (s ? 'http:' : 'https:'))) ?? null
}

const OPTIONS: Options = {
  strict: true,
  // Rules of style that valid and useful schemas break.
  allowUnionTypes: true,
  strictRequired: false,
  strictTuples: false,
  allErrors: true,
  // Without it `required: ["toString"]` is met by every object.
  ownProperties: true,
  logger: false,
  // A fixture's schema judges a few answers: code that is made faster costs more than it saves.
  code: { optimize: false },
}

/**
 * A fresh validator for one schema: a shared one would refuse an `$id` that it has seen, and resolve references into
 * schemas of other fixtures. Formats are asserted (ajv-formats, full mode: `2026-02-30` is no date; a space for the
 * `T` of a date-time is let through).
 */
export function createValidator(dialect: Dialect): Validator {
  // Checking a schema against its meta-schema is the work of `metaValidator`: it takes longer than all the rest.
  const options: Options = { ...OPTIONS, meta: false, validateSchema: false }
  const ajv = dialect === '2020-12' ? new Ajv2020(options) : new Ajv(options)
  addFormats.default(ajv, { mode: 'full' })
  // Additions of ajv to the standard: `nullable` says what no provider need obey, `$async` makes every answer pass.
  ajv.removeKeyword('nullable')
  ajv.removeKeyword('$async')
  // ajv follows references to anchors, and yet does not count the keyword among those it knows.
  if (dialect === '2020-12') ajv.addKeyword('$anchor')
  ajv.removeKeyword('multipleOf')
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    validate: isMultipleOf,
    error: { message: ({ schema }) => `must be multiple of ${schema}` },
  })
  return ajv
}

const metaValidators = new Map<Dialect, Validator>()

/** The one validator that checks schemas of a dialect against its meta-schema. */
export function metaValidator(dialect: Dialect): Validator {
  let ajv = metaValidators.get(dialect)
  if (ajv === undefined) {
    ajv = dialect === '2020-12' ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS)
    metaValidators.set(dialect, ajv)
  }
  return ajv
}

/**
 * `multipleOf` as people mean it: 19.99 is a multiple of 0.01, although the quotient of the two doubles is no integer.
 * The quotient may be off by 1e-6 (as with ajv's `multipleOfPrecision: 6`); and because a large quotient is itself
 * rounded more coarsely than that (141527517.79 / 0.01), the decimal digits decide too.
 */
function isMultipleOf(step: number, value: number): boolean {
  const quotient = value / step
  return Math.abs(Math.round(quotient) - quotient) <= 1e-6 || isDecimalMultiple(value, step)
}

function isDecimalMultiple(value: number, step: number): boolean {
  const [a, b] = [decimalOf(value), decimalOf(step)]
  const places = Math.max(a.places, b.places)
  const scaled = ({ digits, places: own }: Decimal): bigint => digits * 10n ** BigInt(places - own)
  return scaled(a) % scaled(b) === 0n
}

/** `digits` × 10^-`places`, the shortest decimal form of a double. */
interface Decimal {
  readonly digits: bigint
  readonly places: number
}

function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) }
}
