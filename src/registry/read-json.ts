import { readFileSync, statSync } from 'node:fs'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { readJson } from '../grade/exact-json.ts'
import { compileOwn } from '../grade/own-schema.ts'
import { messageOf, ProbeError, type ErrorCode } from '../model/errors.ts'

/** Problems that are named; a broken file has thousands. */
const MOST_NAMED = 5

/**
 * Reads a JSON file.
 * @throws ProbeError with this code, naming the file, when it cannot be read, is no JSON, or says a thing twice.
 */
export function readJsonFile(file: string, code: ErrorCode): unknown {
  const read = readJson(textOf(file, code).replace(/^\uFEFF/, ''))
  if (!read.ok) throw new ProbeError(code, read.reason, { file, fix: 'mend the JSON' })
  const [twice] = read.duplicateKeys
  if (twice === undefined) return read.value
  throw new ProbeError(code, 'stands twice: readers would see different files', { file, field: twice })
}

function textOf(file: string, code: ErrorCode): string {
  try {
    if (!statSync(file).isFile()) throw new Error('it is no regular file')
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const why = missing ? 'there is no such file' : `cannot be read: ${messageOf(cause)}`
    throw new ProbeError(code, why, { file, cause })
  }
}

/** Checks values against a schema, which is compiled when first needed. */
export function checker<T>(schema: object, code: ErrorCode): (value: unknown, file: string) => T {
  let matches: ValidateFunction | null = null
  return (value, file) => {
    matches ??= compileOwn(schema, { allErrors: true })
    if (matches(value)) return value as T
    const errors = (matches.errors ?? []).map(({ instancePath, message = 'is not valid', params }) => {
      const { additionalProperty: name } = params as { additionalProperty?: string }
      return { field: instancePath, message: name === undefined ? message : `${message}: ${name}` }
    })
    const [first = { field: '', message: 'is not valid' }, ...others] = errors
    const named = others.slice(0, MOST_NAMED - 1).map(({ field, message }) => `${field} ${message}`)
    const more = others.length > named.length ? [`and ${others.length - named.length} more`] : []
    throw new ProbeError(code, [first.message, ...named, ...more].join('; '), { file, field: first.field })
  }
}
