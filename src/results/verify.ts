import { hasAnswerSchema } from '../model/fixture.ts'
import { ownOf } from '../model/own.ts'
import { isIneligible, type Sample } from '../model/sample.ts'
import { isOfShard, parseShard } from '../model/shard.ts'
import { checksOf } from '../stats/rate-table.ts'
import { isNarrow } from '../stats/until.ts'
import { buildResult } from './build.ts'
import { casesOf } from './cases.ts'
import { checksumProblems } from './checksums.ts'
import { differences, pointer, type Finding, type Verified } from './finding.ts'
import { readProblems, type ResultFile } from './format.ts'
import { sampleProblems } from './sample-problems.ts'

/**
 * What a result file says that does not follow from its samples, or that its samples cannot say: its shape, then every
 * number counted again, then the samples themselves. No finding: it holds together.
 * @param value a result file as read from JSON.
 */
export function verifyResult(value: unknown): Verified<ResultFile> {
  const shaped = shapeOf(value)
  return shaped.result === null ? shaped : { result: shaped.result, findings: [...contentSteps(shaped.result)].flat() }
}

/** The same of its shape alone. */
export function shapeOf(value: unknown): Verified<ResultFile> {
  const misshapen = readProblems(value, '').map(({ field = '', message }) => ({ path: field, message }))
  return misshapen.length > 0 ? { result: null, findings: misshapen } : { result: value as ResultFile, findings: [] }
}

/**
 * The same of what stands in a file of the right shape, in steps of a moment each: of a large file, whoever has something
 * else to do can do it in between.
 */
export function* contentSteps(result: ResultFile): Generator<Finding[]> {
  const tagging = taggingProblems(result)
  const counted = [...tagging, ...(tagging.length === 0 ? recomputed(result) : [])]
  yield counted
  const told = [...indexProblems(result), ...completenessProblems(result), ...contradictions(result)]
  yield told
  yield checksumProblems(
    result,
    [...counted, ...told].map(({ path }) => path),
  )
}

const TAGS = ['fixtureFamilies', 'fixtureDifficulties', 'fixtureDomains'] as const

/** Every fixture of the file has a hash and all tags, and there is no other. */
function taggingProblems(result: ResultFile): Finding[] {
  const known = result.fixtureHashes
  const strangers = (field: 'raw' | 'fixtureSubtypes' | (typeof TAGS)[number]): Finding[] =>
    Object.keys(result[field] ?? {})
      .filter((id) => !Object.hasOwn(known, id))
      .map((id) => ({ path: pointer('', field, id), message: 'is a fixture without a hash in fixtureHashes' }))
  const untagged = TAGS.flatMap((field) =>
    Object.keys(known)
      .filter((id) => !Object.hasOwn(result[field], id))
      .map((id) => ({ path: pointer('', field, id), message: 'is missing' })),
  )
  return [...strangers('raw'), ...TAGS.flatMap(strangers), ...strangers('fixtureSubtypes'), ...untagged]
}

/** Files that were written before there were these do not have them. */
const LATER_FIELDS = ['fixtureSamples', 'by_subtype'] as const

/** Every number that follows from the samples, counted again as a run counts. */
function recomputed(result: ResultFile): Finding[] {
  const cases = casesOf([result], new Map(Object.entries(result.raw)), result.shard)
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
  if (Number.isNaN(run.startedAt.getTime()))
    return [{ path: '/date', message: 'is no point in time', recorded: result.date }]
  const built = buildResult(
    run,
    cases.map((one) => ({ ...one, hasSchema })),
  )
  const { raw: _raw, checksums: _checksums, stats, ...recorded } = result
  const { raw: _samples, stats: rows, ...actual } = { ...built, harnessVersion: result.harnessVersion }
  const unknown = LATER_FIELDS.filter((name) => recorded[name] === undefined)
  const due = Object.fromEntries(Object.entries(actual).filter(([name]) => !(unknown as string[]).includes(name)))
  return [...differences(recorded, due, ''), ...rowDifferences(stats, rows)]
}

/** Rows are told apart by their fixture, so that one that is dropped does not make all others wrong. */
function rowDifferences(recorded: ResultFile['stats'], actual: ResultFile['stats']): Finding[] {
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

/** Indexes occur once, within the run; a complete run has all of them, a shard its own. */
function indexProblems({ raw, complete, samplesPerFixture, shard, fixtureHashes }: ResultFile): Finding[] {
  const own = shard === null ? null : parseShard(shard)
  if (shard !== null && own === null) return [{ path: '/shard', message: 'is no part of a run', recorded: shard }]
  const positions = new Map(
    Object.keys(fixtureHashes)
      .toSorted()
      .map((id, position) => [id, position]),
  )
  return Object.entries(raw).flatMap(([id, samples]) => {
    const at = (position: number): string => pointer('/raw', id, position, 'index')
    const seen = new Set<number>()
    const problems: Finding[] = []
    for (const [position, { index }] of samples.entries()) {
      const isForeign = own !== null && !isOfShard(own, positions.get(id) ?? 0, index)
      if (seen.has(index)) problems.push({ path: at(position), message: `sample ${index} stands twice` })
      else if (index >= samplesPerFixture)
        problems.push({ path: at(position), message: `the run takes ${samplesPerFixture} samples`, recorded: index })
      else if (isForeign) problems.push({ path: at(position), message: `is not of shard ${shard}`, recorded: index })
      seen.add(index)
    }
    if (samples.length === 0) problems.push({ path: pointer('/raw', id), message: 'holds no sample' })
    if (!complete) return problems
    const due =
      own === null
        ? all(Math.max(-1, ...seen) + 1)
        : all(Math.max(-1, ...seen) + 1).filter((index) => isOfShard(own, positions.get(id) ?? 0, index))
    const gaps = due.filter((index) => !seen.has(index))
    if (gaps.length > 0)
      problems.push({ path: pointer('/raw', id), message: `lacks sample ${gaps.join(', ')} of a complete run` })
    return problems
  })
}

function all(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

/** A run is complete when every sample was taken and measured, or could not have shown anything. */
function completenessProblems(result: ResultFile): Finding[] {
  const { raw, stopReason, samplesPerFixture, shard, fixtureHashes, fixtureSamples = {}, until } = result
  const isMeasured = (sample: Sample): boolean => sample.scored || isIneligible(sample)
  const ids = Object.keys(fixtureHashes)
  const counts = ids.map((id) => ownOf(raw, id)?.length ?? 0)
  const due = (id: string): number | undefined => ownOf(fixtureSamples, id)
  const spoiled = Object.entries(raw).flatMap(([id, samples]) =>
    samples.flatMap((sample, position) => (isMeasured(sample) ? [] : [pointer('/raw', id, position)])),
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
    const wide = ids.find((id) => until && !isNarrow(ownOf(raw, id) ?? [], result.class, until.halfWidth))
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

function contradictions(result: ResultFile): Finding[] {
  const { canary, raw, class: probeClass } = result
  const found: Finding[] = []
  if (canary?.costUsd === null && canary.costUpperBoundUsd === undefined)
    found.push({ path: '/canary/costUsd', message: 'unknown cost has a bound in costUpperBoundUsd' })
  for (const [id, samples] of Object.entries(raw)) {
    const checked = checksOf(samples)
    for (const [position, sample] of samples.entries()) {
      const lacking = checked.filter((name) => !Object.hasOwn(sample.checks ?? {}, name))
      if (lacking.length > 0)
        found.push({
          path: pointer('/raw', id, position, 'checks'),
          message: `lacks ${lacking.join(', ')}, which other samples have`,
        })
      for (const { field, message } of sampleProblems(sample, probeClass))
        found.push({ path: pointer('/raw', id, position, field), message, recorded: sample[field] })
    }
  }
  return found
}
