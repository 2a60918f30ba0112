import type { CallOutcome, Refusal } from '../../model/call.ts'
import { ProbeError } from '../../model/errors.ts'
import { SETUP_FAILURES } from '../../model/sample.ts'
import type { OwnServer } from '../../providers/provider.ts'
import { toUsd, type NanoUsd } from './money.ts'

/** What has become of a model's envelope. */
export interface EnvelopeState {
  readonly modelKey: string
  readonly envelopeUsd: number
  readonly spentUsd: number
}

/** Whoever asked has gone away. */
export const ABANDONED: Refusal = { code: 'INTERRUPTED', message: 'whoever asked for this call is gone' }

/** @param need the worst case of the next call, which no longer fits. */
export function envelopeReached(state: EnvelopeState, need: NanoUsd): Refusal {
  const spent = `$${state.spentUsd} spent, and the next call may cost up to $${toUsd(need)}`
  return envelopeRefusal(state, `the envelope of $${state.envelopeUsd} is reached: ${spent}`)
}

/** @param need the worst case of a call that no empty envelope of this size would hold. */
export function envelopeTooSmall(state: EnvelopeState, need: NanoUsd): Refusal {
  const envelope = `the whole envelope of $${state.envelopeUsd}`
  const refusal = envelopeRefusal(state, `one call may cost up to $${toUsd(need)}, more than ${envelope}`)
  return { ...refusal, fix: 'raise PROBE_ENVELOPE_USD, or lower PROBE_MAX_OUTPUT_TOKENS' }
}

/** What later calls are told after a fault that they would all meet again; null after any other. */
export function setupFailed(
  modelKey: string,
  { failureClass, detail }: Extract<CallOutcome, { kind: 'fault' }>,
): Refusal | null {
  if (!(SETUP_FAILURES as readonly string[]).includes(failureClass)) return null
  return {
    code: 'SETUP_FAILED',
    message: `${modelKey}: ${failureClass}: ${detail}`,
    fix: 'check the key, the model’s name and the account, then run again',
  }
}

/** What is told when no call of a run has reached the user's own server. */
export function serverNotReached(
  modelKey: string,
  { address, movedBy }: OwnServer,
  { detail }: Extract<CallOutcome, { kind: 'fault' }>,
): Refusal {
  return {
    code: 'SETUP_FAILED',
    message: `${modelKey}: no call reaches ${address}: ${detail}`,
    fix: `see that the server is running there, or name its address in ${movedBy}`,
  }
}

/** What later calls are told when a model has answered nothing for a long time. */
export function notAnswering(
  modelKey: string,
  { failureClass, detail }: Extract<CallOutcome, { kind: 'fault' }>,
): Refusal {
  return {
    code: 'NOT_ANSWERING',
    message: `${modelKey} has answered nothing for a long time; last: ${failureClass}: ${detail}`,
    fix: 'look at the account’s limits and the provider’s status, then go on with --resume',
  }
}

/** Nobody can tell what is left of the envelope. */
export function ledgerLost(modelKey: string): Refusal {
  return {
    code: 'LEDGER_UNREACHABLE',
    message: `${modelKey}: the shared ledger cannot be reached any more, so nothing more is bought`,
    fix: 'see to the Redis that PROBE_LEDGER names, then run again',
  }
}

function envelopeRefusal({ modelKey, envelopeUsd, spentUsd }: EnvelopeState, what: string): Refusal {
  return { code: 'ENVELOPE_EXCEEDED', message: `${modelKey}: ${what}`, spentUsd, envelopeUsd }
}

/** An error of the set-up, for whoever asked. */
export function asRefusal(error: unknown): Refusal {
  if (!(error instanceof ProbeError)) {
    return { code: 'SETUP_FAILED', message: error instanceof Error ? error.message : 'the provider cannot be used' }
  }
  const { code, message, fix, allowed } = error
  return { code, message, ...(fix === undefined ? {} : { fix }), ...(allowed === undefined ? {} : { allowed }) }
}
