import { printable } from './printable.ts'

/** Where a problem was found. Paths are shown as given, relative where the user gave them so. */
export interface ErrorPlace {
  readonly file?: string
  /** Field or option, e.g. `expectedValues.total` or `--samples`. */
  readonly field?: string
}

/** What an error tells beyond its message. */
export interface ErrorDetail extends ErrorPlace {
  /** What would have been accepted. */
  readonly allowed?: string
  /** What the user can do about it. */
  readonly fix?: string
  readonly cause?: unknown
}

/** Stable codes of everything this package throws or reports. */
export type ErrorCode =
  | 'MODEL_KEY_INVALID'
  | 'MODEL_UNKNOWN'
  | 'MODEL_NOT_CHOSEN'
  | 'PROVIDER_UNKNOWN'
  | 'KEY_MISSING'
  | 'PRICE_MISSING'
  | 'OPTION_INVALID'
  | 'FIXTURE_UNREADABLE'
  | 'FIXTURE_INVALID'
  | 'IMAGE_UNREADABLE'
  | 'FIXTURES_EMPTY'
  | 'FIXTURE_MISPLACED'
  | 'FIXTURE_ID_TAKEN'
  | 'FIXTURE_SOURCE_INVALID'
  | 'FIXTURE_SCHEMA_SENSELESS'
  | 'FIXTURE_PATTERN_SLOW'
  | 'FIXTURE_PATH_UNREACHABLE'
  | 'FIXTURE_ANSWER_IMPOSSIBLE'
  | 'FIXTURE_FORM_UNREADABLE'
  | 'FIXTURE_FORM_DIFFERS'
  | 'FIXTURE_PERSONAL_DATA'
  | 'SETUP_FAILED'
  | 'JOURNAL_UNWRITABLE'
  | 'JOURNAL_UNREADABLE'
  | 'NOT_JOURNALED'
  | 'RESULTS_UNWRITABLE'
  | 'RESULT_UNREADABLE'
  | 'RESULT_INVALID'
  | 'INIT_REFUSED'
  | 'MERGE_REFUSED'
  | 'AGAINST_REFUSED'
  | 'COMPARE_REFUSED'
  | 'ENVELOPE_EXCEEDED'
  | 'LEDGER_UNREACHABLE'
  | 'INTERRUPTED'
  | 'UNSCORED_SAMPLES'
  | 'NOT_ANSWERING'
  | 'THRESHOLD_MISSED'
  | 'CHECK_BROKEN'
  | 'WORKER_SILENT'
  | 'CLASS_UNSUPPORTED'
  | 'NOT_IN_PROBE_POOL'
  | 'DRY_RUN'
  | 'DECLARED_INVALID'
  | 'REGISTRY_INVALID'
  | 'REGISTRY_UNWRITABLE'
  | 'CAPABILITY_CONTRADICTED'
  | 'CAPABILITY_STALE'
  | 'CAPABILITY_UNKNOWN'

/** A problem with a stable `code`. `message` says what; `file`, `field`, `allowed` and `fix` say the rest. */
export class ProbeError extends Error {
  override readonly name: string = 'ProbeError'
  readonly code: ErrorCode
  readonly file?: string
  readonly field?: string
  readonly allowed?: string
  readonly fix?: string

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    const { cause, ...shown } = detail
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    Object.assign(this, shown)
  }
}

/** The envelope of a model is reached: the next call's worst case no longer fits. */
export class EnvelopeExceededError extends ProbeError {
  override readonly name = 'EnvelopeExceededError'
  /** US dollars spent so far, unknown spend counted at its bound. */
  readonly spentUsd: number
  readonly envelopeUsd: number

  /** @param told what to do about it, where raising the envelope and going on is not what helps. */
  constructor(message: string, told: { spentUsd: number; envelopeUsd: number; fix?: string | undefined }) {
    const { fix = 'raise PROBE_ENVELOPE_USD and go on with --resume, or ask for fewer samples or fixtures' } = told
    super('ENVELOPE_EXCEEDED', message, { fix })
    this.spentUsd = told.spentUsd
    this.envelopeUsd = told.envelopeUsd
  }
}

/** Everything wrong with a set-up, told at once. */
export class SetupError extends ProbeError {
  override readonly name = 'SetupError'
  readonly problems: readonly ProbeError[]
  /** Lines that say what is in order, for people. */
  readonly inOrder: readonly string[]

  constructor(problems: readonly ProbeError[], inOrder: readonly string[] = []) {
    super('SETUP_FAILED', problems.map(describeProblem).join('\n'))
    this.problems = problems
    this.inOrder = inOrder
    // Where it was thrown tells nothing: what is to be mended is elsewhere.
    this.stack = `${this.name}: ${this.message}`
  }

  /** How Node prints it: the problems and what is in order, without a stack. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    const count = this.problems.length === 1 ? 'a problem keeps' : `${this.problems.length} problems keep`
    const lines = [`${count} this run from starting:`, ...this.problems.map((one) => `  ${describeProblem(one)}`)]
    if (this.inOrder.length > 0) lines.push('in order:', ...this.inOrder.map((line) => `  ${line}`))
    return lines.join('\n')
  }
}

/** One line per problem: code, place, what, what was allowed, what to do. */
export function describeProblem(problem: ProbeError): string {
  const place = [problem.file, problem.field].filter(Boolean).join(': ')
  const parts = [`${problem.code}  ${place ? `${place}: ` : ''}${problem.message}`]
  if (problem.allowed) parts.push(`allowed: ${problem.allowed}`)
  if (problem.fix) parts.push(`fix: ${problem.fix}`)
  // Names and texts in it can come from files of others.
  return printable(parts.join('; '))
}

/** The text of whatever was thrown; even what cannot be turned into text has one. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown)
  } catch {
    return 'something without a text was thrown'
  }
}

/** Exit status of the command line and of `vitest run` on probe projects. */
export const EXIT_STATUS = Object.freeze({
  done: 0,
  checkFailed: 1,
  envelopeReached: 2,
  unscored: 3,
  setup: 4,
  /** What a shell reports for a program that Ctrl-C ended. */
  interrupted: 130,
})
