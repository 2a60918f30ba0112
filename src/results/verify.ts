import { hasAnswerSchema } from '../model/fixture.ts'
import { ownOf } from '../model/own.ts'
import { parseShard } from '../model/shard.ts'
import { tallyOf, type Tally } from '../stats/tally.ts'
import { isNarrow } from '../stats/until.ts'
import { summaryOf, type Summary } from './build.ts'
import { casesOf } from './cases.ts'
import { checksumProblems } from './checksums.ts'
import { agree, differences, pointer, type Finding } from './finding.ts'
import type { ResultHead } from './format.ts'
import type { Looked } from './look.ts'

/** What the samples of each fixture come to, in the order of the file. */
export type LookedAt = ReadonlyMap<string, Looked>

const NO_SAMPLES = tallyOf([])

/** What follows from the samples of a file, counted again as a run counts. */
export interface CountedAgain {
  /** Null: it could not be counted, for what these say. */
  readonly summary: Summary | null
  readonly problems: readonly Finding[]
  /** The file says the same, to the last digit. */
  readonly isSame: boolean
}

/** Counts again what follows from the samples, be it that the file says it in another shape. */
export function countAgain(head: ResultHead, looked: LookedAt): CountedAgain {
  const tagging = taggingProblems(head, looked)
  if (tagging.length > 0) return { summary: null, problems: tagging, isSame: false }
  const summary = recounted(head, looked)
  if (summary === null) {
    const problem = { path: '/date', message: 'is no point in time', recorded: head.date }
    return { summary, problems: [problem], isSame: false }
  }
  const { checksums: _checksums, ...recorded } = head
  return { summary, problems: [], isSame: agree(recorded, dueOf(head, summary), 0) }
}

/**
 * What a result file of the right shape says that does not follow from its samples, or that its samples cannot say: every
 * number counted again, then the samples themselves. No finding: it holds together.
 */
export function verifyLooked(head: ResultHead, looked: LookedAt, counted: CountedAgain): Finding[] {
  const all = [...looked.values()]
  const found = [
    ...counted.problems,
    ...(counted.summary === null || counted.isSame ? [] : differing(head, counted.summary)),
    ...shardProblems(head),
    ...all.flatMap(({ misplaced }) => misplaced),
    ...completenessProblems(head, looked),
    ...canaryProblems(head),
    ...all.flatMap(({ contradicting }) => contradicting),
  ]
  const sums = Object.fromEntries(Array.from(looked, ([id, { checksums }]) => [id, [...checksums]]))
  return [
    ...found,
    ...checksumProblems(
      head,
      sums,
      found.map(({ path }) => path),
    ),
  ]
}

const TAGS = ['fixtureFamilies', 'fixtureDifficulties', 'fixtureDomains'] as const

/** Every fixture of the file has a hash and all tags, and there is no other. */
function taggingProblems(head: ResultHead, looked: LookedAt): Finding[] {
  const known = head.fixtureHashes
  const strangers = (field: 'raw' | 'fixtureSubtypes' | (typeof TAGS)[number]): Finding[] =>
    (field === 'raw' ? [...looked.keys()] : Object.keys(head[field] ?? {}))
      .filter((id) => !Object.hasOwn(known, id))
      .map((id) => ({ path: pointer('', field, id), message: 'is a fixture without a hash in fixtureHashes' }))
  const untagged = TAGS.flatMap((field) =>
    Object.keys(known)
      .filter((id) => !Object.hasOwn(head[field], id))
      .map((id) => ({ path: pointer('', field, id), message: 'is missing' })),
  )
  return [...strangers('raw'), ...TAGS.flatMap(strangers), ...strangers('fixtureSubtypes'), ...untagged]
}

/** Files that were written before there were these do not have them. */
const LATER_FIELDS = ['fixtureSamples', 'by_subtype'] as const

/** Null: the run has no date to be counted by. */
function recounted(result: ResultHead, looked: LookedAt): Summary | null {
  const cases = casesOf([result], new Map(Array.from(looked, ([id, { reached }]) => [id, reached])), result.shard)
  // Whether a rate of conformity is due is a matter of the class, not of what the file shows.
  const hasSchema = hasAnswerSchema(result.class)
  const run = {
    modelKey: result.modelKey,
    probeClass: result.class,
    startedAt: new Date(result.date),
    envelopeUsd: result.envelopeUsd,
    interrupted: false,
    stopReason: result.stopReason,
    pacing: result.pacing ?? null,
    ...(result.runEnvelopeUsd !== undefined && { runEnvelopeUsd: result.runEnvelopeUsd }),
  }
  if (Number.isNaN(run.startedAt.getTime())) return null
  return summaryOf(
    run,
    cases.map((one) => ({ meta: { ...one, hasSchema }, tally: looked.get(one.fixtureId)?.tally ?? NO_SAMPLES })),
  )
}

/** What the file should say, whichever version wrote it. */
function dueOf(result: ResultHead, summary: Summary): Partial<Summary> {
  const unknown: readonly string[] = LATER_FIELDS.filter((name) => result[name] === undefined)
  const due = { ...summary, harnessVersion: result.harnessVersion }
  return Object.fromEntries(Object.entries(due).filter(([name]) => !unknown.includes(name)))
}

function differing(result: ResultHead, summary: Summary): Finding[] {
  const { checksums: _checksums, stats, ...recorded } = result
  const { stats: rows, ...due } = dueOf(result, summary)
  return [...differences(recorded, due, ''), ...rowDifferences(stats, rows!)]
}

/** Rows are told apart by their fixture, so that one that is dropped does not make all others wrong. */
function rowDifferences(recorded: ResultHead['stats'], actual: ResultHead['stats']): Finding[] {
  const due = new Map(actual.map((row) => [row.fixtureId, row]))
  const found = recorded.flatMap((row, position) => {
    const path = pointer('/stats', position)
    const own = due.get(row.fixtureId)
    if (own === undefined) {
      const isTwin = actual.some(({ fixtureId }) => fixtureId === row.fixtureId)
      const message = isTwin ? 'is a second row of its fixture' : 'is a row of a fixture without samples'
      return [{ path, message, recorded: row.fixtureId }]
    }
    due.delete(row.fixtureId)
    return differences(row, own, path)
  })
  const missing = [...due.keys()].map((id) => ({ path: '/stats', message: `has no row of ${id}` }))
  return [...found, ...missing]
}

/** A run is complete when every sample was taken and measured, or could not have shown anything. */
function completenessProblems(result: ResultHead, looked: LookedAt): Finding[] {
  const { stopReason, samplesPerFixture, shard, fixtureHashes, fixtureSamples = {}, until } = result
  const ids = Object.keys(fixtureHashes)
  const tally = (id: string): Tally => looked.get(id)?.tally ?? NO_SAMPLES
  const counts = ids.map((id) => tally(id).samples)
  const due = (id: string): number | undefined => ownOf(fixtureSamples, id)
  const spoiled = Array.from(looked).flatMap(([id, { unmeasured }]) =>
    unmeasured === null ? [] : [pointer('/raw', id, unmeasured)],
  )
  if (stopReason === null) {
    const path = '/stopReason'
    if (spoiled.length > 0) return [{ path, message: `${spoiled[0]} was not measured`, recorded: null }]
    if (shard !== null) return []
    const empty = ids.find((_, position) => counts[position] === 0)
    if (empty !== undefined) return [{ path, message: `no sample of ${empty} was taken`, recorded: null }]
    const short = ids.find((id, position) => (due(id) ?? counts[position]) !== counts[position])
    if (short !== undefined) {
      const where = pointer('/fixtureSamples', short)
      return [{ path: where, message: 'a complete run has as many samples', recorded: due(short) }]
    }
    const wide = ids.find((id) => until && !isNarrow(tally(id), result.class, until.halfWidth))
    if (wide !== undefined) {
      const message = `the interval of ${wide} is wider, and the run is told to be complete`
      return [{ path: '/until/halfWidth', message, recorded: until!.halfWidth }]
    }
    const most = Math.max(0, ...counts)
    if (most === samplesPerFixture) return []
    const message = 'a complete run has as many samples of a fixture'
    return [{ path: '/samplesPerFixture', message, recorded: samplesPerFixture, actual: most }]
  }
  // A shard that had no samples to take wrote no file, and is missed all the same.
  const isWhole =
    shard === null &&
    spoiled.length === 0 &&
    ids.every((id, position) => counts[position] === (due(id) ?? samplesPerFixture))
  if (!isWhole || stopReason === 'shards_missing' || ids.length === 0) return []
  return [{ path: '/stopReason', message: 'every sample was taken and measured', recorded: stopReason, actual: null }]
}

function shardProblems({ shard }: ResultHead): Finding[] {
  const isNone = shard !== null && parseShard(shard) === null
  return isNone ? [{ path: '/shard', message: 'is no part of a run', recorded: shard }] : []
}

function canaryProblems({ canary }: ResultHead): Finding[] {
  const isUnbounded = canary?.costUsd === null && canary.costUpperBoundUsd === undefined
  return isUnbounded ? [{ path: '/canary/costUsd', message: 'unknown cost has a bound in costUpperBoundUsd' }] : []
}
