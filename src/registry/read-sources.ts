import type { Refused } from './format.ts'
import { readSource, type Source, type SourceOptions } from './sources.ts'

/** A result file: where it is, and how it is named in the registry. */
export interface GivenFile {
  readonly path: string
  readonly name: string
}

/** Reads result files one after the other, which keeps no more than one of them whole in memory. */
export async function readSources(
  files: readonly GivenFile[],
  options: SourceOptions,
): Promise<{ readonly sources: readonly Source[]; readonly refused: readonly Refused[] }> {
  const sources: Source[] = []
  const refused: Refused[] = []
  for (const { path, name } of files) {
    const read = await readSource(path, name, options)
    if ('reason' in read) refused.push(read)
    else sources.push(read)
  }
  return { sources, refused }
}
