import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { ProbeClass } from '../model/fixture.ts'
import { ownOf } from '../model/own.ts'
import type { Mismatch, Sample } from '../model/sample.ts'
import type { Probed } from '../registry/format.ts'
import { measuredOf } from '../results/against.ts'
import { shapeProblemsOfSamples } from '../results/format.ts'
import { isOldResult, verifyOldResult } from '../results/modelrig.ts'
import { apart } from '../results/open.ts'
import { DECIDING_RATES, RATES } from '../stats/rate-table.ts'
import type { ShownSample } from './format.ts'
import { fourDigits, rounded } from './rounded.ts'

/** What bounds the raw samples of a page: the result files have all of them. */
export interface SampleBounds {
  /** Most of a model and class. */
  readonly perClass: number
  /** Most characters of an output. */
  readonly outputCharacters: number
  /** Most bytes of all samples together, as JSON. */
  readonly budgetBytes: number
}

export const SAMPLE_BOUNDS: SampleBounds = { perClass: 3, outputCharacters: 1200, budgetBytes: 600_000 }

/** Samples of a model in a class, to choose among. */
export interface SampleCell {
  readonly probeClass: ProbeClass
  readonly probed: Probed
  /** Path of a file of the registry. */
  readonly pathOf: (file: string) => string
  readonly fixtureIndex: (id: string) => number
  readonly fileIndex: (file: string) => number
  /** Takes a sample that is shown. */
  readonly show: (sample: ShownSample) => void
  /** Cells with a discrepancy come first. */
  readonly first: boolean
}

/** What came of choosing. */
export interface Shown {
  readonly shown: number
  /** Files of which no samples are shown, and why. */
  readonly left: readonly string[]
}

/**
 * Chooses raw samples to show: one of each cell before the second of any, those that failed first, until the budget is
 * spent. A file that is not as it was when the registry was built shows nothing.
 */
export function showSamples(cells: readonly SampleCell[], bounds: SampleBounds): Shown {
  const ordered = [...cells.filter(({ first }) => first), ...cells.filter(({ first }) => !first)]
  const candidates = new Map<SampleCell, readonly ShownSample[]>()
  const left = new Set<string>()
  let [bytes, shown] = [0, 0]
  for (let round = 0; round < bounds.perClass; round += 1) {
    for (const cell of ordered) {
      if (bytes + LEAST_BYTES > bounds.budgetBytes) return { shown, left: [...left] }
      const own = candidates.get(cell) ?? candidatesOf(cell, bounds, left)
      candidates.set(cell, own)
      const sample = own[round]
      const size = sample === undefined ? 0 : Buffer.byteLength(JSON.stringify(sample)) + 1
      if (sample === undefined || bytes + size > bounds.budgetBytes) continue
      cell.show(sample)
      bytes += size
      shown += 1
    }
  }
  return { shown, left: [...left] }
}

const RUNGS = ['native', 'json_mode'] as const
/** No sample takes less. */
const LEAST_BYTES = 200
const MOST_LISTED = 5
const MOST_CHARACTERS = 200

function candidatesOf(cell: SampleCell, bounds: SampleBounds, left: Set<string>): ShownSample[] {
  const raws = new Map<number, Readonly<Record<string, readonly Sample[]>> | null>()
  const rawAt = (position: number) => {
    const known = raws.get(position)
    if (known !== undefined) return known
    const { file, sha256 } = cell.probed.files[position]!
    const read = readRaw(cell.pathOf(file), sha256)
    if (read === null) left.add(file)
    raws.set(position, read)
    return read
  }
  const all = Object.entries(cell.probed.fixtures).flatMap(([id, { file }]) => {
    const turns = [0, 0, 0, 0]
    return (ownOf(rawAt(file) ?? {}, id) ?? []).map((sample, index) => {
      const rank = rankOf(cell.probeClass, sample)
      turns[rank]! += 1
      return { id, file, sample, index, rank, turn: turns[rank]! }
    })
  })
  // Of each fixture one before the second of any.
  const ranked = all.toSorted((a, b) => a.rank - b.rank || a.turn - b.turn || a.index - b.index)
  return ranked.slice(0, bounds.perClass).map(({ id, file, sample, index, rank }) => ({
    class: cell.probeClass,
    fixture: cell.fixtureIndex(id),
    file: cell.fileIndex(cell.probed.files[file]!.file),
    index,
    passed: rank === PASSED,
    ...told(sample, bounds),
  }))
}

function readRaw(path: string, sha256: string): Readonly<Record<string, readonly Sample[]>> | null {
  try {
    // A pipe would never come to an end.
    if (!statSync(path).isFile()) return null
    const bytes = readFileSync(path)
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) return null
    return rawOf(JSON.parse(bytes.toString('utf8')))
  } catch {
    return null
  }
}

/** Null: a registry can name whatever file it likes, and what stands there has not the shape of samples. */
function rawOf(value: unknown): Readonly<Record<string, readonly Sample[]>> | null {
  if (isOldResult(value)) {
    const { result } = verifyOldResult(value)
    // Files of ModelRig count what faults spoiled as failures of the model.
    return result && measuredOf(result)
  }
  const own = apart(value).raw.map(({ id, samples }) => [id, samples.value] as const)
  if (own.some(([id, samples]) => shapeProblemsOfSamples(samples, id).length > 0)) return null
  return Object.fromEntries(own) as Readonly<Record<string, readonly Sample[]>>
}

const [FAILED, WRONG, UNSCORED, PASSED] = [0, 1, 2, 3]

function rankOf(probeClass: ProbeClass, sample: Sample): number {
  const { counts, succeeds } = RATES[DECIDING_RATES[probeClass][0]]
  if (!sample.scored) return UNSCORED
  if (!counts(sample) || !succeeds(sample)) return FAILED
  return (sample.valueAccuracy ?? 1) < 1 || failedChecks(sample).length > 0 ? WRONG : PASSED
}

function failedChecks({ checks = {} }: Sample): string[] {
  return Object.keys(checks).filter((name) => checks[name] === false)
}

function told(
  sample: Sample,
  { outputCharacters }: SampleBounds,
): Omit<ShownSample, 'class' | 'fixture' | 'file' | 'index' | 'passed'> {
  const { output = null, violations = [], mismatches = [], citations = [], outputBytes } = sample
  const isLong = output !== null && output.length > outputCharacters
  const list = <T>(name: string, all: readonly T[], text: (one: T) => string) =>
    all.length === 0 ? {} : { [name]: all.slice(0, MOST_LISTED).map((one) => short(text(one))) }
  return {
    scored: sample.scored,
    failureClass: sample.failureClass,
    rung: RUNGS.find((rung) => rung === sample.rung) ?? null,
    schemaConform: sample.schemaConform,
    valueAccuracy: sample.valueAccuracy === null ? null : rounded(sample.valueAccuracy),
    grounded: sample.grounded,
    cachedTokens: sample.cachedTokens,
    tokensIn: sample.tokensIn,
    tokensOut: sample.tokensOut,
    costUsd: sample.costUsd === null ? null : fourDigits(sample.costUsd),
    latencyMs: sample.latencyMs === null ? null : fourDigits(sample.latencyMs),
    output: output === null ? null : isLong ? output.slice(0, outputCharacters).toWellFormed() : output,
    ...((isLong || outputBytes !== undefined) && { cut: true as const }),
    ...list('violations', violations, ({ path, message }) => `${path || '/'}: ${message}`),
    ...list('mismatches', mismatches, mismatchText),
    ...list('citations', citations, ({ url, kind }) => `${kind}: ${url}`),
    ...list('failedChecks', failedChecks(sample), (name) => name),
  }
}

function mismatchText({ path, expected, ...rest }: Mismatch): string {
  const actual = 'actual' in rest ? JSON.stringify(rest.actual) : 'nothing'
  return `${path}: expected ${JSON.stringify(expected)}, was ${actual}`
}

function short(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1).toWellFormed()}…` : text
}
