import { closeSync, fstatSync, openSync, statSync } from 'node:fs'
import { isRecord } from '../model/record.ts'
import { cutFile, ODD, SHORTENED } from './cut.ts'
import { FORMAT_VERSION } from './format.ts'
import type { Samples } from './look-thread-words.ts'
import type { LookThreads } from './look-threads.ts'
import { readValue, versionOf } from './read.ts'

/** The samples of a fixture, by its id. */
export interface FixtureSamples {
  readonly id: string
  readonly samples: Samples
}

/** The same of a file that was read. */
export interface FixtureValue extends FixtureSamples {
  readonly samples: { readonly value: unknown }
}

/** A result file by its own account, its samples apart: those of a large one are still to be read. */
export type OpenResult =
  | { readonly format: 'modelrig'; readonly value: unknown }
  | {
      readonly format: 'modelrig-probes'
      /** All but the samples. */
      readonly head: unknown
      readonly raw: readonly FixtureSamples[]
    }

/** A larger file is read in pieces, where it is laid out for that. */
const MOST_WHOLE = 32 * 1024 * 1024

/**
 * Opens a file that is a result file by its own account, whatever is wrong with it.
 * @param look given what was opened; the file is closed when it is done.
 * @param threads that are going to look through its samples.
 * @throws as `readValue`, and what `look` throws.
 */
export async function openResult<T>(
  file: string,
  look: (opened: OpenResult) => Promise<T>,
  threads: LookThreads,
): Promise<T> {
  const descriptor = openLarge(file)
  if (descriptor !== null) {
    threads.prepare(fstatSync(descriptor).size)
    try {
      const cut = cutFile(descriptor)
      if (cut !== null && versionOf(cut.head) === FORMAT_VERSION) {
        const raw = cut.pieces.map((piece) => ({ id: piece.id, samples: { file: descriptor, piece } }))
        return await look({ format: 'modelrig-probes', head: cut.head, raw })
      }
    } catch (error) {
      if (!isOfReading(error)) throw error
    } finally {
      closeSync(descriptor)
    }
  }
  const { format, value } = await readValue(file)
  if (format === 'modelrig') return await look({ format, value })
  return await look({ format, ...apart(value) })
}

/** Samples that are no JSON or odd, or a file that changed meanwhile: what is wrong, reading all of it tells. */
function isOfReading(error: unknown): boolean {
  return error instanceof SyntaxError || (error instanceof Error && [ODD, SHORTENED].includes(error.message))
}

/** Null: it is small, or cannot be read, which reading it tells. */
function openLarge(file: string): number | null {
  try {
    return statSync(file).size > MOST_WHOLE ? openSync(file, 'r') : null
  } catch {
    return null
  }
}

/** What was read of a file of ours, whatever is wrong with it: all but the samples, and these. */
export function apart(value: unknown): { readonly head: unknown; readonly raw: readonly FixtureValue[] } {
  const { raw, ...head } = value as Readonly<Record<string, unknown>>
  if (!isRecord(raw)) return { head: { ...head, raw }, raw: [] }
  return { head, raw: Object.entries(raw).map(([id, own]) => ({ id, samples: { value: own as unknown } })) }
}
