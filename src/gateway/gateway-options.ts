import type { ProviderSet } from '../providers/provider-set.ts'
import type { Price } from '../providers/provider.ts'
import type { Clock } from './clock.ts'
import type { Journal } from './journal/journal.ts'
import type { Replay } from './journal/replay.ts'
import type { CallPlan } from './plan/call-plan.ts'
import type { Redact } from './redact.ts'
import type { SharedRun } from './shared-run.ts'

/** Whose money, journal and pace the calls of a run go through. */
export interface GatewayOptions {
  readonly providers: ProviderSet
  /** Prices by model key that go before the providers' own. */
  readonly prices?: Readonly<Record<string, Price>>
  /** Spend ceiling in US dollars, each model its own. */
  readonly envelopeUsd: number
  /** US dollars of a model's envelope that are spent already. Default: none. */
  readonly spentBefore?: (modelKey: string) => number
  /** Where the money of models that cost something is counted, and their accounts are paced; null: here. */
  readonly shared?: SharedRun | null
  /** Most calls open at once per provider account. */
  readonly concurrency: number
  /** Deadline of one attempt, body included, in milliseconds. */
  readonly timeoutMs: number
  readonly journal: Journal
  /** Answers asks from what was journaled before, where it can. Default: everything is bought. */
  readonly replay?: Replay | null
  /** Whether what replayed calls have cost counts toward the envelope. Default: true. */
  readonly countReplays?: boolean
  /** Takes every call that would be bought; none is sent. Default: calls are sent. */
  readonly plan?: CallPlan | null
  /** Models the user chose. Probe files may name others only if they cost nothing. Null: all may be called. */
  readonly models?: ReadonlySet<string> | null
  /** Takes keys out of what providers say. Default: nothing is taken out. */
  readonly redact?: Redact
  /** Default: the system's. */
  readonly clock?: Clock
}
