import { pointer, type Finding } from './finding.ts'
import type { ResultFile } from './format.ts'
import { checksum, checksumsOfRecords } from './sample-checksum.ts'

type Checksums = NonNullable<ResultFile['checksums']>

/** A result as it is written: with what shows that a figure was changed from which nothing follows. */
export function withChecksums(result: ResultFile): ResultFile {
  return { ...result, checksums: checksumsOf(result) }
}

/**
 * Places that are not as they were written, where the file has checksums. They show a slip, or a hand that changed one
 * figure: who writes a file anew can write new checksums.
 * @param known paths that are named already.
 */
export function checksumProblems(result: ResultFile, known: readonly string[]): Finding[] {
  if (result.checksums === undefined) return []
  const written = result.checksums
  const actual = checksumsOf(result)
  const message = 'is not as it was written: another checksum'
  const isNamed = (path: string): boolean => known.some((one) => one === path || one.startsWith(`${path}/`))
  const names = new Set([...Object.keys(written.fields), ...Object.keys(actual.fields)])
  const fields = [...names].filter((name) => written.fields[name] !== actual.fields[name])
  const samples = Object.entries(actual.samples).flatMap(([id, own]) => {
    const before = Object.hasOwn(written.samples, id) ? written.samples[id]! : []
    const path = pointer('/raw', id)
    if (before.length !== own.length)
      return [{ path, message: 'is not as it was written: another number of samples', recorded: before.length }]
    return own.flatMap((one, position) =>
      one === before[position] ? [] : [{ path: pointer(path, position), message }],
    )
  })
  const gone = Object.keys(written.samples).filter((id) => !Object.hasOwn(actual.samples, id))
  return [
    ...fields.map((name) => ({ path: pointer('', name), message })),
    ...samples,
    ...gone.map((id) => ({ path: pointer('/raw', id), message: 'is not there as it was written' })),
  ].filter(({ path }) => !isNamed(path))
}

function checksumsOf({ raw, checksums: _old, ...fields }: ResultFile): Checksums {
  const told = Object.entries(fields).filter(([, value]) => value !== undefined)
  return {
    fields: Object.fromEntries(told.map(([name, value]) => [name, checksum(value)])),
    samples: Object.fromEntries(Object.entries(raw).map(([id, samples]) => [id, checksumsOfRecords(samples)])),
  }
}
