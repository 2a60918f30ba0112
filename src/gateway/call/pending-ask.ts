import type { Ask, CallOutcome, CallRecord } from '../../model/call.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import type { Attempt } from './attempt.ts'
import { toUsd, type NanoUsd } from '../money/money.ts'

/** An ask on its way, with what its earlier attempts did. */
export interface PendingAsk {
  readonly ask: Ask
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal | null
  readonly requestHash: string
  /** Worst case of one attempt. */
  readonly bound: NanoUsd
  readonly resolve: (outcome: CallOutcome) => void
  /** Order of arrival, ties inside a round. */
  readonly arrival: number
  /** Held in the ledger for the next or the current attempt; null: nothing. */
  held: NanoUsd | null
  /** What the last attempt came to, when it is to be tried again. */
  lastFault: Extract<CallOutcome, { kind: 'fault' }> | null
  attempts: number
  startedAt: string | null
  /** Spent by finished attempts; unknown spend at its bound. */
  spent: NanoUsd
  costKnown: boolean
}

/** What was done for an ask so far. */
export function recordOf(pending: PendingAsk, latencyMs: number): CallRecord {
  const usd = toUsd(pending.spent)
  return {
    requestHash: pending.requestHash,
    startedAt: pending.startedAt!,
    attempts: pending.attempts,
    latencyMs,
    costUsd: pending.costKnown ? usd : null,
    costUpperBoundUsd: pending.costKnown ? null : usd,
    replayed: false,
  }
}

/** What an attempt came to, as the answer to its ask. */
export function outcomeOf(pending: PendingAsk, { reply, fault, latencyMs }: Attempt): JournalEntry['outcome'] {
  const record = recordOf(pending, latencyMs)
  if (reply !== null) return { kind: 'reply', reply, record }
  return { kind: 'fault', failureClass: fault.failureClass, detail: fault.message, record }
}

/** The journal's line for what came of an ask. */
export function entryOf({ ask }: PendingAsk, outcome: JournalEntry['outcome']): JournalEntry {
  const { runId, modelKey, probeClass, fixtureId, fixtureHash, sampleIndex, step } = ask
  return { v: 1, runId, modelKey, probeClass, fixtureId, fixtureHash, sampleIndex, step, outcome }
}

/** The line for a call that is in flight, as if it were never answered; null where it was not sent. */
export function entryOfOpen(pending: PendingAsk): JournalEntry | null {
  if (pending.held === null) return null
  const spent = { spent: pending.spent + pending.held, costKnown: false }
  const detail = 'the run was ended before the reply came'
  return entryOf(pending, {
    kind: 'fault',
    failureClass: 'network',
    detail,
    record: recordOf({ ...pending, ...spent }, 0),
  })
}
