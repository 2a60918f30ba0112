import type { Static } from 'typebox'
import { isRecord } from '../model/record.ts'
import { Z95 } from '../stats/wilson.ts'
import { differences, isClose, pointer, type Finding, type Verified } from './finding.ts'
import schema from './modelrig.schema.json' with { type: 'json' }
import type { OldResultSchema, OldSampleSchema } from './modelrig-shape.ts'
import { Shape } from './shape.ts'

/** A sample of a file without `formatVersion`. */
export type OldSample = Static<typeof OldSampleSchema>

/** A result file as ModelRig publishes them: without `formatVersion`, and without what it does not know. */
export type OldResult = Static<typeof OldResultSchema>

const SHAPE = new Shape(schema)

/** Of these ModelRig knows none: a file of ours that lost its version is not read by rules that ask for less. */
const OURS = ['formatVersion', 'samplesPerFixture', 'envelopeUsd', 'overall', 'checksums']

/** Whether a value is to be read by ModelRig's own rules. */
export function isOldResult(value: unknown): value is OldResult {
  const isLikeOld = isRecord(value) && 'raw' in value && 'stats' in value && 'fixtureHashes' in value
  return isLikeOld && !OURS.some((name) => Object.hasOwn(value, name))
}

/**
 * What a file of ModelRig's says that does not follow from its samples by ModelRig's rules: all samples count, also those
 * that a fault spoiled; `valueAccuracyMean` is over the samples that have one; the interval is Wilson's,
 * with the rounding errors of the formula at its ends. Its numbers were made by the arithmetic of doubles, so they are
 * compared to the last digit.
 */
export function verifyOldResult(value: unknown): Verified<OldResult> {
  const misshapen = SHAPE.problems(value, '')
  if (misshapen.length > 0) return { result: null, findings: misshapen }
  const result = value as OldResult
  const findings = [tagProblems, rowProblems, totalProblems, contradictions].flatMap((check) => check(result))
  return { result, findings }
}

function tagProblems(result: OldResult): Finding[] {
  const known = result.fixtureHashes
  const fields = ['raw', 'fixtureFamilies', 'fixtureDifficulties', 'fixtureSubtypes'] as const
  const strangers = fields.flatMap((field) =>
    Object.keys(result[field] ?? {})
      .filter((id) => !Object.hasOwn(known, id))
      .map((id) => ({ path: pointer('', field, id), message: 'is a fixture without a hash in fixtureHashes' })),
  )
  const unmeasured = Object.keys(known)
    .filter((id) => !Object.hasOwn(result.raw, id))
    .map((id) => ({ path: pointer('', 'fixtureHashes', id), message: 'is a fixture without samples in raw' }))
  return [...strangers, ...unmeasured]
}

function rowProblems({ stats, raw, class: probeClass }: OldResult): Finding[] {
  const seen = new Set<string>()
  const found = stats.flatMap((row, position) => {
    const path = pointer('/stats', position)
    const samples = Object.hasOwn(raw, row.fixtureId) ? raw[row.fixtureId]! : []
    if (samples.length === 0)
      return [{ path, message: 'is a row of a fixture without samples', recorded: row.fixtureId }]
    if (seen.has(row.fixtureId)) return [{ path, message: 'is a second row of its fixture', recorded: row.fixtureId }]
    seen.add(row.fixtureId)
    return differences(row, { ...row, ...oldRow(samples, probeClass === 'schema') }, path, 0)
  })
  const missing = Object.keys(raw).filter((id) => !seen.has(id))
  return [...found, ...missing.map((id) => ({ path: '/stats', message: `has no row of ${id}` }))]
}

function oldRow(samples: readonly OldSample[], hasSchema: boolean): Omit<OldResult['stats'][number], 'fixtureId'> {
  const n = samples.length
  const conformant = samples.filter(({ schemaConform }) => schemaConform === true).length
  const accuracies = samples.flatMap(({ valueAccuracy }) => valueAccuracy ?? [])
  return {
    samples: n,
    parseRate: samples.filter(({ parseOk }) => parseOk).length / n,
    conformRate: hasSchema ? conformant / n : null,
    valueAccuracyMean: accuracies.length === 0 ? null : sum(accuracies) / accuracies.length,
    conformCi95: hasSchema ? oldInterval(conformant, n) : null,
    meanCostUsd: sum(samples.map(({ costUsd }) => costUsd ?? 0)) / n,
  }
}

/** Wilson's interval as ModelRig computes it. */
function oldInterval(successes: number, n: number): [number, number] {
  const z = Z95
  const rate = successes / n
  const scale = 1 + (z * z) / n
  const centre = (rate + (z * z) / (2 * n)) / scale
  const half = (z * Math.sqrt((rate * (1 - rate)) / n + (z * z) / (4 * n * n))) / scale
  return [Math.max(0, centre - half), Math.min(1, centre + half)]
}

function totalProblems({ stats, raw, totalCostUsd }: OldResult): Finding[] {
  // In the order of its rows, as ModelRig adds them up.
  const ids = new Set([...stats.map(({ fixtureId }) => fixtureId), ...Object.keys(raw)])
  const samples = [...ids].flatMap((id) => (Object.hasOwn(raw, id) ? raw[id]! : []))
  const actual = sum(samples.map(({ costUsd }) => costUsd ?? 0))
  return differences(totalCostUsd, actual, '/totalCostUsd', 0)
}

function contradictions({ raw, class: probeClass }: OldResult): Finding[] {
  return Object.entries(raw).flatMap(([id, samples]) =>
    samples.flatMap((sample, position) =>
      problemsOf(sample, probeClass).map(([field, message]) => ({
        path: pointer('/raw', id, position, field),
        message,
        recorded: sample[field],
      })),
    ),
  )
}

function problemsOf(sample: OldSample, probeClass: string): [keyof OldSample, string][] {
  const { parseOk, schemaConform, valueAccuracy, grounded, citationCount, failureClass } = sample
  const problems: [keyof OldSample, string][] = []
  if (schemaConform === true && !parseOk) problems.push(['schemaConform', 'what does not parse does not conform'])
  if (probeClass === 'schema' && schemaConform === null) problems.push(['schemaConform', 'an answer conforms or not'])
  if (valueAccuracy !== null && !parseOk) problems.push(['valueAccuracy', 'what does not parse has no values'])
  if (grounded === true && citationCount === 0) problems.push(['grounded', 'there is no citation'])
  if (grounded === false && (citationCount ?? 0) > 0)
    problems.push(['grounded', `there are ${citationCount} citations`])
  if (failureClass !== null && parseOk)
    problems.push(['parseOk', `nothing is read of a call that failed (${failureClass})`])
  return problems
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

/**
 * Samples whose tokens and cost do not fit the price of the others, where the others leave no doubt about it: every other
 * sample of the file costs exactly one price per token of input and one per token of output. No proof of anything: an
 * input that was read from cache costs less.
 */
export function offPrice({ raw }: OldResult): Finding[] {
  const billed = Object.entries(raw).flatMap(([id, samples]) =>
    samples.flatMap(({ tokensIn, tokensOut, costUsd }, position) =>
      tokensIn && tokensOut && costUsd ? [{ path: pointer('/raw', id, position), tokensIn, tokensOut, costUsd }] : [],
    ),
  )
  for (const [one, other] of billed
    .slice(0, 3)
    .flatMap((a, i) => billed.slice(i + 1, i + 8).map((b) => [a, b] as const))) {
    const determinant = one.tokensIn * other.tokensOut - other.tokensIn * one.tokensOut
    if (determinant === 0) continue
    const perIn = (one.costUsd * other.tokensOut - other.costUsd * one.tokensOut) / determinant
    const perOut = (one.tokensIn * other.costUsd - other.tokensIn * one.costUsd) / determinant
    const off = billed.filter(
      ({ tokensIn, tokensOut, costUsd }) => !isClose(tokensIn * perIn + tokensOut * perOut, costUsd, 1e-7),
    )
    if (off.length > billed.length / 20) continue
    return off.map(({ path, costUsd, tokensIn, tokensOut }) => ({
      path,
      message: 'costs another price per token than every other sample: a cached input, or a changed figure',
      recorded: { tokensIn, tokensOut, costUsd },
    }))
  }
  return []
}
