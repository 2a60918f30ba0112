import { messageOf, ProbeError } from '../model/errors.ts'
import type { LoadedFixture, ProbeClass } from '../model/fixture.ts'
import { against, comparable, oldComparable, type Against, type Comparable } from './against.ts'
import type { Finding, Verified } from './finding.ts'
import type { ResultFile, ResultHead } from './format.ts'
import { LookThreads } from './look-threads.ts'
import { lookThrough, type Look } from './look.ts'
import { offPrice, verifyOldResult, type OldResult } from './modelrig.ts'
import { openResult, type FixtureSamples, type OpenResult } from './open.ts'
import { readValue } from './read.ts'
import type { LeftReason } from './regrade.ts'
import { unitedRegrade, type Regrade } from './united-regrade.ts'
import { judge, ordersOf, ProblemBudget, shapeOf, UNLOOKED, verifyResult, type LookedThrough } from './verify-value.ts'

/** What a file is checked for beyond that its numbers follow from its samples. */
export interface CheckOptions {
  /** The fixtures at hand, to grade stored outputs again; absent: that is not asked for. */
  readonly fixturesOf?: (probeClass: ProbeClass) => readonly LoadedFixture[]
  /** A published file to hold it against. */
  readonly published?: Comparable
  /** Threads to look through samples in; else those of its own, for this file. */
  readonly threads?: LookThreads
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
  const threads = options.threads ?? new LookThreads()
  try {
    return await openResult(file, (opened) => checked(nothing, opened, { ...options, threads }), threads)
  } catch (error) {
    return { ...nothing, error: asProbeError(error, file) }
  } finally {
    if (threads !== options.threads) await threads.close()
  }
}

async function checked(
  nothing: FileReport,
  opened: OpenResult,
  options: CheckOptions & { readonly threads: LookThreads },
): Promise<FileReport> {
  const { file } = nothing
  const { format } = opened
  if (format === 'modelrig') {
    const { result, findings } = verifyOldResult(opened.value)
    const report = { ...nothing, format, findings }
    if (result === null) return report
    const whole = {
      ...report,
      ...headOf(result),
      samples: Object.values(result.raw).flat().length,
      remarks: offPrice(result),
    }
    return judged(whole, oldComparable(file, result), options)
  }
  const { findings, sound, regrade } = await lookedThrough(opened, options)
  if (sound === null) return { ...nothing, format, findings }
  const { head, looked } = sound
  const samples = Array.from(looked.values()).reduce((total, { tally }) => total + tally.samples, 0)
  const report = { ...nothing, format, ...headOf(head), samples, findings, remarks: unsigned(head), regrade }
  return judged(report, comparable(file, sound), options)
}

/** Whoever leaves them out leaves no trace of what was changed with them. */
function unsigned({ checksums }: ResultHead): Finding[] {
  if (checksums !== undefined) return []
  const message = 'are missing: a change of tokens, latency or dates would leave no trace'
  return [{ path: '/checksums', message }]
}

/** The samples of every fixture, each by itself: where that takes long, in threads. */
async function lookedThrough(
  { head, raw }: Extract<OpenResult, { format: 'modelrig-probes' }>,
  { fixturesOf, threads }: CheckOptions & { readonly threads: LookThreads },
): Promise<LookedThrough & { readonly regrade: Regrade | null }> {
  const shape = shapeOf(head)
  const fixtures = shape.result === null ? [] : (fixturesOf?.(shape.result.class) ?? [])
  const orders = ordersOf(
    shape.result,
    raw.map(({ id }) => id),
    fixtures,
  )
  const budget = new ProblemBudget()
  const looks: Look[] = []
  const look = async (at: number): Promise<Look> => {
    const [order, { samples }] = [orders[at]!, raw[at]!]
    if (budget.isSpent) return UNLOOKED
    const isQuick = 'value' in samples && (order.within?.gradedBy ?? null) === null
    return budget.counted(isQuick ? lookThrough(samples.value, order) : await threads.look(order, samples))
  }
  // The largest first, so that at the end no thread has to wait long for another.
  const turns = [...raw.keys()].toSorted((one, other) => bytesOf(raw[other]!) - bytesOf(raw[one]!))
  await Promise.all(turns.map(async (at) => void (looks[at] = await look(at))))
  const through = judge(shape, orders, looks)
  const { sound } = through
  const isGraded = sound !== null && fixturesOf !== undefined
  return { ...through, regrade: isGraded ? unitedRegrade(sound.head, sound.looked, fixtures) : null }
}

/** Of samples that are still to be read; of others nothing has to be read. */
function bytesOf({ samples }: FixtureSamples): number {
  return 'piece' in samples ? samples.piece.length : 0
}

/**
 * Reads the published file that others are held against.
 * @throws ProbeError as for reading it; `RESULT_INVALID` when its own numbers do not follow from its samples.
 */
export async function readPublished(file: string): Promise<Comparable> {
  const threads = new LookThreads()
  try {
    return await openResult(
      file,
      async (opened) => {
        if (opened.format === 'modelrig') return oldComparable(file, soundOf(file, verifyOldResult(opened.value)))
        const { findings, sound } = await lookedThrough(opened, { threads })
        return comparable(file, soundOf(file, { result: sound, findings }))
      },
      threads,
    )
  } catch (error) {
    throw asProbeError(error, file)
  } finally {
    await threads.close()
  }
}

/** A result file whose numbers follow from its samples, each by the rules of its format. */
export type SoundFile = (
  | { readonly format: 'modelrig-probes'; readonly result: ResultFile }
  | { readonly format: 'modelrig'; readonly result: OldResult }
) & {
  /** Hex digest of the bytes that were read. */
  readonly sha256: string
}

/**
 * Reads a result file that can be built upon.
 * @throws ProbeError as for reading it; `RESULT_INVALID` when its own numbers do not follow from its samples.
 */
export async function readSound(file: string): Promise<SoundFile> {
  try {
    const { format, value, sha256 } = await readValue(file)
    return format === 'modelrig'
      ? { format, result: soundOf(file, verifyOldResult(value)), sha256 }
      : { format, result: soundOf(file, verifyResult(value)), sha256 }
  } catch (error) {
    throw asProbeError(error, file)
  }
}

function soundOf<T>(file: string, { result, findings }: Verified<T>): T {
  const [finding, ...others] = findings
  if (result !== null && finding === undefined) return result
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  const fix = `see modelrig-probes verify ${file}`
  throw new ProbeError('RESULT_INVALID', `${finding?.message}${more}`, { file, field: finding?.path ?? '', fix })
}

function headOf({ modelKey, class: probeClass, fixtureHashes }: ResultHead | OldResult) {
  return { modelKey, class: probeClass, fixtures: Object.keys(fixtureHashes).length }
}

function judged(report: FileReport, fresh: Comparable, { published }: CheckOptions): FileReport {
  try {
    const held = published === undefined ? null : against(fresh, published)
    const ok = report.findings.length === 0 && isRegraded(report.regrade) && (held?.evidence.length ?? 0) === 0
    const remarks = [...report.remarks, ...otherModel(fresh, published)]
    return { ...report, remarks, against: held, ok }
  } catch (error) {
    return { ...report, error: asProbeError(error, report.file) }
  }
}

/** The same weights may be served under two names; more often somebody took the wrong file. */
function otherModel(fresh: Comparable, published: Comparable | undefined): Finding[] {
  if (published === undefined || published.modelKey === fresh.modelKey) return []
  return [{ path: '/modelKey', message: `is ${fresh.modelKey}, and that of the published file ${published.modelKey}` }]
}

const IDLE: readonly LeftReason[] = ['no_fixture', 'output_cut', 'no_grade_in_time']

/** Whether grading again found nothing, and was not kept from it by other fixtures or by none. */
function isRegraded(again: Regrade | null): boolean {
  if (again === null) return true
  // Calls without a reply leave nothing to grade; all else that was left was to be graded, and nothing was.
  const isIdle = again.regraded === 0 && IDLE.some((reason) => again.left[reason] !== undefined)
  return again.differing.length === 0 && again.otherFixtures.length === 0 && !isIdle
}

/** What a file holds can be more than any check is made for, as values that are nested thousands of levels deep. */
function asProbeError(error: unknown, file: string): ProbeError {
  if (error instanceof ProbeError) return error
  return new ProbeError('RESULT_INVALID', `cannot be checked: ${messageOf(error)}`, { file, cause: error })
}
