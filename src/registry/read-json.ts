import { readFileSync } from 'node:fs'
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { ensureRegular } from '../fixtures/read-regular.ts'
import { readJson } from '../grade/exact-json.ts'
import { compileOwn } from '../grade/own-schema.ts'
import { messageOf, ProbeError, type ErrorCode } from '../model/errors.ts'

/** Problems that are named; a broken file has thousands. */
const MOST_NAMED = 5

/**
 * Reads a JSON file.
 * @param missing what to do where there is no such file.
 * @throws ProbeError with this code, naming the file, when it cannot be read, is no JSON, or says a thing twice.
 */
export function readJsonFile(file: string, code: ErrorCode, missing: { readonly fix?: string } = {}): unknown {
  const read = readJson(textOf(file, code, missing).replace(/^\uFEFF/, ''))
  if (!read.ok) throw new ProbeError(code, read.reason, { file, fix: 'mend the JSON' })
  const [twice] = read.duplicateKeys
  if (twice === undefined) return read.value
  throw new ProbeError(code, 'stands twice: readers would see different files', { file, field: twice })
}

function textOf(file: string, code: ErrorCode, missing: { readonly fix?: string }): string {
  try {
    ensureRegular(file)
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const why = isMissing ? 'there is no such file' : `cannot be read: ${messageOf(cause)}`
    throw new ProbeError(code, why, { file, ...(isMissing && missing), cause })
  }
}

/**
 * Checks values against a schema, which is compiled when first needed.
 * @param fix what to do about a value that does not match.
 */
export function checker<T>(schema: object, code: ErrorCode, fix?: string): (value: unknown, file: string) => T {
  let matches: ValidateFunction | null = null
  return (value, file) => {
    matches ??= compileOwn(schema, { allErrors: true, verbose: true })
    if (matches(value)) return value as T
    const errors = matches.errors ?? []
    const texts = errors.slice(0, MOST_NAMED).map((error, at) => {
      // The field of the first is told beside the file.
      const place = at === 0 ? '' : `${error.instancePath || '/'}: `
      return `${place}${told(error)}`
    })
    const more = errors.length > texts.length ? [`and ${errors.length - texts.length} more`] : []
    const detail = { file, field: errors[0]?.instancePath ?? '', ...(fix !== undefined && { fix }) }
    throw new ProbeError(code, [...texts, ...more].join('; '), detail)
  }
}

/** What ajv says, and what it leaves out: which name, and what would have been right. */
function told({ message = 'is not valid', params, parentSchema }: ErrorObject): string {
  const { additionalProperty: name, allowedValues } = params as {
    readonly additionalProperty?: string
    readonly allowedValues?: readonly unknown[]
  }
  if (allowedValues !== undefined) return `${message}: ${allowedValues.join(', ')}`
  if (name === undefined) return message
  const { properties } = (parentSchema ?? {}) as { readonly properties?: object }
  const allowed = Object.keys(properties ?? {})
  return `${message}: ${name}${allowed.length === 0 ? '' : ` (allowed: ${allowed.join(', ')})`}`
}
