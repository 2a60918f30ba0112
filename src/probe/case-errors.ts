import type { Refusal } from '../model/call.ts'
import type { CaseMeta } from '../model/case-meta.ts'
import { describeProblem, EnvelopeExceededError, ProbeError } from '../model/errors.ts'
import { SETUP_FAILURES, type Sample } from '../model/sample.ts'
import type { Judged } from '../stats/threshold.ts'
import { thresholdLine } from '../stats/threshold-line.ts'

const SETUP: ReadonlySet<string | null> = new Set(SETUP_FAILURES)

/** Of a case some of whose samples a fault spoiled. */
export function unscoredError({ modelKey, fixtureId, samplesDue }: CaseMeta, unscored: readonly Sample[]): ProbeError {
  const classes = [...new Set(unscored.map((sample) => sample.failureClass))]
  const detail = unscored.find((sample) => sample.failureDetail)?.failureDetail
  const what = `${unscored.length} of ${samplesDue} samples could not be measured`
  const message = `${modelKey} > ${fixtureId}: ${what} (${classes.join(', ')})${detail ? `: ${detail}` : ''}`
  if (classes.some((failureClass) => SETUP.has(failureClass))) {
    const fix = 'check the key, the model’s name and the account'
    return withoutStack(new ProbeError('SETUP_FAILED', message, { fix }))
  }
  const fix = 'run again; the model is not charged with them'
  return withoutStack(new ProbeError('UNSCORED_SAMPLES', message, { fix }))
}

/** Of a case whose samples were refused. */
export function refusalError(refusal: Refusal): ProbeError {
  const { code, message, spentUsd, envelopeUsd, fix, allowed } = refusal
  if (code === 'ENVELOPE_EXCEEDED' && spentUsd !== undefined && envelopeUsd !== undefined) {
    return withoutStack(new EnvelopeExceededError(message, { spentUsd, envelopeUsd, fix }))
  }
  return withoutStack(new ProbeError(code, message, { ...(fix && { fix }), ...(allowed && { allowed }) }))
}

/** Of a case one of whose custom checks gave no verdict: what it measured stands, the check is to be mended. */
export function brokenCheckError({ modelKey, fixtureId }: CaseMeta, broken: Iterable<string>): ProbeError {
  const message = `${modelKey} > ${fixtureId}: ${[...broken].join('; ')}`
  const fix =
    'let the check return true or false for every answer that is valid against the schema; --resume grades again what is paid for'
  return withoutStack(new ProbeError('CHECK_BROKEN', message, { field: 'checks', fix }))
}

/** Of a case that lies below a threshold, beyond doubt; the others are told with it. */
export function missedError({ modelKey, fixtureId }: CaseMeta, judged: readonly Judged[]): ProbeError {
  const missed = judged.filter(({ verdict }) => verdict === 'missed').map(({ name }) => name)
  const lines = judged.map((one) => `\n  ${thresholdLine(one)}`).join('')
  const message = `${modelKey} > ${fixtureId}: ${missed.join(', ')} below what is expected`
  return withoutStack(new ProbeError('THRESHOLD_MISSED', message, { field: 'expect' }), lines)
}

/**
 * An error as whoever reads the run needs it: with its code and what to do in the message, which is all that reporters show. The
 * reason is outside of any code: where it was thrown tells nothing.
 * @param lines what stands below it.
 */
export function withoutStack<T extends ProbeError>(error: T, lines = ''): T {
  if (!error.message.startsWith(`${error.code}  `)) error.message = `${describeProblem(error)}${lines}`
  error.stack = `${error.name}: ${error.message}`
  // What lies behind it stands in the message, and would be shown with a stack of its own.
  error.cause = undefined
  return error
}
