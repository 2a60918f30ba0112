import { pointer, type Finding } from './finding.ts'
import type { ResultFile, ResultHead } from './format.ts'
import { checksum, checksumsOfRecords } from './sample-checksum.ts'

type Checksums = NonNullable<ResultFile['checksums']>

/** A result as it is written: with what shows that a figure was changed from which nothing follows. */
export function withChecksums(result: ResultFile): ResultFile {
  return { ...result, checksums: checksumsOf(result) }
}

/**
 * Places that are not as they were written, where the file has checksums. They show a slip, or a hand that changed one
 * figure: who writes a file anew can write new checksums.
 * @param samples checksums of the samples as they are, by fixture.
 * @param known paths that are named already.
 */
export function checksumProblems(
  { checksums: written, ...fields }: ResultHead,
  samples: Checksums['samples'],
  known: readonly string[],
): Finding[] {
  if (written === undefined) return []
  const message = 'is not as it was written: another checksum'
  const named = new Set(known.flatMap(prefixesOf))
  const actual = ofFields(fields)
  const names = new Set([...Object.keys(written.fields), ...Object.keys(actual)])
  const changed = [...names].filter((name) => written.fields[name] !== actual[name])
  const ofSamples = Object.entries(samples).flatMap(([id, own]) => {
    const before = Object.hasOwn(written.samples, id) ? written.samples[id]! : []
    const path = pointer('/raw', id)
    if (before.length !== own.length)
      return [{ path, message: 'is not as it was written: another number of samples', recorded: before.length }]
    return own.flatMap((one, position) =>
      one === before[position] ? [] : [{ path: pointer(path, position), message }],
    )
  })
  const gone = Object.keys(written.samples).filter((id) => !Object.hasOwn(samples, id))
  return [
    ...changed.map((name) => ({ path: pointer('', name), message })),
    ...ofSamples,
    ...gone.map((id) => ({ path: pointer('/raw', id), message: 'is not there as it was written' })),
  ].filter(({ path }) => !named.has(path))
}

/** A path, and all that it lies in. */
function prefixesOf(path: string): string[] {
  const steps = path.split('/')
  return steps.map((_, count) => steps.slice(0, count + 1).join('/'))
}

function checksumsOf({ raw, checksums: _old, ...fields }: ResultFile): Checksums {
  const samples = Object.entries(raw).map(([id, own]) => [id, checksumsOfRecords(own)])
  return { fields: ofFields(fields), samples: Object.fromEntries(samples) as Checksums['samples'] }
}

/** `raw` has no checksum of its own: its samples have theirs. */
function ofFields(fields: object): Checksums['fields'] {
  const told = Object.entries(fields).filter(([name, value]) => value !== undefined && name !== 'raw')
  return Object.fromEntries(told.map(([name, value]) => [name, checksum(value)]))
}
