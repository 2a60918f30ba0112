import type { Refused } from './format.ts'
import { readSource, type Source, type SourceOptions } from './sources.ts'

/** A result file: where it is, and how it is named in the registry. */
export interface GivenFile {
  readonly path: string
  readonly name: string
}

/** What came of a file. */
export type Read = Source | Refused

/**
 * Reads one file after the other that no other reader has taken, until all are.
 * @param taken how many are, for all readers.
 */
export async function* takeSources(
  files: readonly GivenFile[],
  options: SourceOptions,
  taken: SharedArrayBuffer,
): AsyncGenerator<[at: number, read: Read]> {
  const next = new Int32Array(taken)
  for (let at = Atomics.add(next, 0, 1); at < files.length; at = Atomics.add(next, 0, 1)) {
    const { path, name } = files[at]!
    yield [at, await readSource(path, name, options)]
  }
}
