import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ensureRegular } from '../fixtures/read-regular.ts'
import { messageOf, ProbeError } from '../model/errors.ts'
import { forgetText } from './forget.ts'
import { FORMAT_VERSION, resultProblems, type ResultFile } from './format.ts'
import { isOldResult } from './modelrig.ts'
import { oddityOf } from './oddity.ts'

/** What stands in a file, by which rules it is to be read. */
export interface ReadValue {
  /** `modelrig`: published by ModelRig, in the format that this one continues. */
  readonly format: 'modelrig-probes' | 'modelrig'
  readonly value: unknown
  /** Hex digest of the bytes that were read. */
  readonly sha256: string
}

/**
 * Reads a file that is a result file by its own account, whatever is wrong with it.
 * @throws ProbeError `RESULT_UNREADABLE` when it cannot be read or is not JSON, `RESULT_INVALID` when it is no result
 * file, or one of a newer format; both name the file.
 */
export async function readValue(file: string): Promise<ReadValue> {
  const { value, ...read } = await valueOf(file)
  if (isOldResult(value)) return { format: 'modelrig', value, ...read }
  const version = versionOf(value)
  if (version === undefined) throw noResult(file)
  if (typeof version === 'number' && version > FORMAT_VERSION) {
    const fix = 'use a newer modelrig-probes'
    throw new ProbeError('RESULT_INVALID', `${version} is newer than this version reads`, {
      file,
      field: 'formatVersion',
      allowed: `up to ${FORMAT_VERSION}`,
      fix,
    })
  }
  return { format: 'modelrig-probes', value, ...read }
}

/**
 * Reads a result file and checks it against its format.
 * @throws ProbeError `RESULT_UNREADABLE` when it cannot be read or is not JSON, `RESULT_INVALID` naming the first field
 * that is not as it should be; both name the file.
 */
export async function readResult(file: string): Promise<ResultFile> {
  const { format, value } = await readValue(file)
  if (format === 'modelrig') throw noResult(file)
  const [problem, ...others] = resultProblems(value, file)
  if (problem === undefined) return value as ResultFile
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  throw invalid(file, problem.field ?? '', `${problem.message}${more}`)
}

function noResult(file: string): ProbeError {
  return invalid(file, 'formatVersion', 'is missing: not a result file of this package', `${FORMAT_VERSION}`)
}

async function valueOf(file: string): Promise<Omit<ReadValue, 'format'>> {
  const { length, ...read } = parsedFile(file)
  await forgetText(length)
  return read
}

/** The text is gone with this call. */
function parsedFile(file: string): Omit<ReadValue, 'format'> & { readonly length: number } {
  const { text, sha256 } = textOf(file)
  const value = parsed(text, file)
  const { length } = text
  const odd = oddityOf(text, value)
  if (odd !== null) throw invalid(file, odd.field, odd.message)
  return { value, sha256, length }
}

/** In one go: read in pieces, a large text would be in memory twice while it is parsed. */
function textOf(file: string): { readonly text: string; readonly sha256: string } {
  try {
    ensureRegular(file)
    const bytes = readFileSync(file)
    return { text: bytes.toString('utf8'), sha256: hash('sha256', bytes) }
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const why = missing ? 'there is no such file' : `cannot be read: ${messageOf(cause)}`
    throw new ProbeError('RESULT_UNREADABLE', why, { file, cause })
  }
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new ProbeError('RESULT_UNREADABLE', `not valid JSON: ${messageOf(cause)}`, { file, cause })
  }
}

/** The version of the format that a value says it is of; undefined where it says none. */
export function versionOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'formatVersion' in value ? value.formatVersion : undefined
}

function invalid(file: string, field: string, message: string, allowed?: string): ProbeError {
  return new ProbeError('RESULT_INVALID', message, { file, field, ...(allowed !== undefined && { allowed }) })
}
