import type { Sample } from '../model/sample.ts'
import { isOfShard, type Shard } from '../model/shard.ts'
import { pointer, type Finding } from './finding.ts'

/** Which samples of a fixture a file is to have. */
export interface DueIndexes {
  readonly samplesPerFixture: number
  /** The file says that it is complete. */
  readonly complete: boolean
  /** The part of the run that the file is of; null: it is of a whole run. */
  readonly shard: Shard | null
  /** Place of the fixture among those of the run, by which shards divide it. */
  readonly place: number
}

/** Indexes occur once, within the run; a complete run has all of them, a shard its own. */
export function indexProblems(id: string, samples: readonly Sample[], due: DueIndexes): Finding[] {
  const { samplesPerFixture, complete, shard, place } = due
  const isOwn = (index: number): boolean => shard === null || isOfShard(shard, place, index)
  const at = (position: number): string => pointer('/raw', id, position, 'index')
  const seen = new Set<number>()
  const problems: Finding[] = []
  for (const [position, { index }] of samples.entries()) {
    if (seen.has(index)) problems.push({ path: at(position), message: `sample ${index} stands twice` })
    else if (index >= samplesPerFixture)
      problems.push({ path: at(position), message: `the run takes ${samplesPerFixture} samples`, recorded: index })
    else if (!isOwn(index)) {
      const message = `is not of shard ${shard!.index}/${shard!.of}`
      problems.push({ path: at(position), message, recorded: index })
    }
    seen.add(index)
  }
  if (samples.length === 0) problems.push({ path: pointer('/raw', id), message: 'holds no sample' })
  if (!complete) return problems
  const last = samples.reduce((most, { index }) => Math.max(most, index), -1)
  const gaps = Array.from({ length: last + 1 }, (_, index) => index).filter((index) => isOwn(index) && !seen.has(index))
  if (gaps.length > 0)
    problems.push({ path: pointer('/raw', id), message: `lacks sample ${gaps.join(', ')} of a complete run` })
  return problems
}
