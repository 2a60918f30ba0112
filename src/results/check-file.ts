import { setImmediate as nextTurn } from 'node:timers/promises'
import { messageOf, ProbeError } from '../model/errors.ts'
import type { LoadedFixture, ProbeClass } from '../model/fixture.ts'
import { against, comparable, oldComparable, type Against, type Comparable } from './against.ts'
import type { Finding, Verified } from './finding.ts'
import type { ResultFile } from './format.ts'
import { offPrice, verifyOldResult, type OldResult } from './modelrig.ts'
import { readValue } from './read.ts'
import { regrade, type LeftReason, type Regrade } from './regrade.ts'
import { contentSteps, shapeOf, verifyResult } from './verify.ts'

/** What a file is checked for beyond that its numbers follow from its samples. */
export interface CheckOptions {
  /** The fixtures at hand, to grade stored outputs again; absent: that is not asked for. */
  readonly fixturesOf?: (probeClass: ProbeClass) => readonly LoadedFixture[]
  /** A published file to hold it against. */
  readonly published?: Comparable
}

/** What came of checking one file. */
export interface FileReport {
  readonly file: string
  /** Nothing was found against it. */
  readonly ok: boolean
  readonly format: 'modelrig-probes' | 'modelrig' | null
  readonly modelKey: string | null
  readonly class: ProbeClass | null
  readonly fixtures: number
  readonly samples: number
  /** What keeps it from being read, or from being held against the published file. */
  readonly error: ProbeError | null
  readonly findings: readonly Finding[]
  /** What is odd, and proves nothing. */
  readonly remarks: readonly Finding[]
  /** Null: not asked for, or there is no output to grade. */
  readonly regrade: Regrade | null
  readonly against: Against | null
}

/** Checks one file; whatever is wrong with it is in the report, and keeps no other file from being checked. */
export async function checkFile(file: string, options: CheckOptions = {}): Promise<FileReport> {
  const blank = { file, ok: false, format: null, modelKey: null, class: null, fixtures: 0, samples: 0 }
  const nothing = { ...blank, error: null, findings: [], remarks: [], regrade: null, against: null }
  try {
    return await checked(nothing, options)
  } catch (error) {
    return { ...nothing, error: asProbeError(error) }
  }
}

async function checked(nothing: FileReport, options: CheckOptions): Promise<FileReport> {
  const { file } = nothing
  const { format, value, remarks } = await readValue(file)
  if (format === 'modelrig') {
    const { result, findings } = verifyOldResult(value)
    const report = { ...nothing, format, findings }
    if (result === null) return report
    const whole = { ...report, ...headOf(result), remarks: [...remarks, ...offPrice(result)] }
    return judged(whole, oldComparable(file, result), options)
  }
  const { result, findings: misshapen } = shapeOf(value)
  if (result === null) return { ...nothing, format, findings: misshapen }
  const grading = options.fixturesOf === undefined ? null : regrade(result, options.fixturesOf(result.class))
  const findings: Finding[] = []
  for (const found of contentSteps(result)) {
    findings.push(...found)
    // What was graded meanwhile is taken, and more of it handed over.
    await nextTurn()
  }
  const report = { ...nothing, format, ...headOf(result), findings, remarks, regrade: await grading }
  return judged(report, comparable(file, result), options)
}

/**
 * Reads the published file that others are held against.
 * @throws ProbeError as for reading it; `RESULT_INVALID` when its own numbers do not follow from its samples.
 */
export async function readPublished(file: string): Promise<Comparable> {
  const sound = await readSound(file)
  return sound.format === 'modelrig' ? oldComparable(file, sound.result) : comparable(file, sound.result)
}

/** A result file whose numbers follow from its samples, each by the rules of its format. */
export type SoundFile =
  | { readonly format: 'modelrig-probes'; readonly result: ResultFile }
  | { readonly format: 'modelrig'; readonly result: OldResult }

/**
 * Reads a result file that can be built upon.
 * @throws ProbeError as for reading it; `RESULT_INVALID` when its own numbers do not follow from its samples.
 */
export async function readSound(file: string): Promise<SoundFile> {
  const { format, value } = await readValue(file)
  return format === 'modelrig'
    ? { format, result: soundOf(file, verifyOldResult(value)) }
    : { format, result: soundOf(file, verifyResult(value)) }
}

function soundOf<T>(file: string, { result, findings }: Verified<T>): T {
  const [finding, ...others] = findings
  if (result !== null && finding === undefined) return result
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  const fix = `see modelrig-probes verify ${file}`
  throw new ProbeError('RESULT_INVALID', `${finding?.message}${more}`, { file, field: finding?.path ?? '', fix })
}

function headOf({ modelKey, class: probeClass, fixtureHashes, raw }: ResultFile | OldResult) {
  const samples = Object.values(raw).reduce((total, own) => total + own.length, 0)
  return { modelKey, class: probeClass, fixtures: Object.keys(fixtureHashes).length, samples }
}

function judged(report: FileReport, fresh: Comparable, { published }: CheckOptions): FileReport {
  try {
    const held = published === undefined ? null : against(fresh, published)
    const ok = report.findings.length === 0 && isRegraded(report.regrade) && (held?.evidence.length ?? 0) === 0
    return { ...report, against: held, ok }
  } catch (error) {
    return { ...report, error: asProbeError(error) }
  }
}

const IDLE: readonly LeftReason[] = ['no_fixture', 'output_cut', 'no_grade_in_time']

/** Whether grading again found nothing, and was not kept from it by other fixtures or by none. */
function isRegraded(again: Regrade | null): boolean {
  if (again === null) return true
  // Calls without a reply leave nothing to grade; all else that was left was to be graded, and nothing was.
  const isIdle = again.regraded === 0 && IDLE.some((reason) => again.left[reason] !== undefined)
  return again.differing.length === 0 && again.otherFixtures.length === 0 && !isIdle
}

function asProbeError(error: unknown): ProbeError {
  if (error instanceof ProbeError) return error
  return new ProbeError('RESULT_INVALID', `cannot be checked: ${messageOf(error)}`, { cause: error })
}
