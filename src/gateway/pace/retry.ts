import type { ProviderFault } from '../../providers/provider.ts'
import { INFRASTRUCTURE_FAILURES } from '../../model/sample.ts'

/** Of ten thousand calls on a line where every ninth attempt fails, all are answered within so many. */
const MAX_ATTEMPTS = 8
/** A refusal that is not billed is bound to end, and may come more often. */
const MAX_REFUSALS = 16
/** What cannot be read may have been paid for, and if it is not the line that mangles it, more will not help. */
const MAX_UNREADABLE = 4
const BASE_MS = 500
const BACKOFF_CAP_MS = 30_000
/** A provider that asks for a longer pause than this is not waited for. */
const RETRY_AFTER_CAP_MS = 60_000
/** No attempt is begun later than this after the first one of its call. */
const DEADLINE_MS = 15 * 60_000

const RETRYABLE: ReadonlySet<string> = new Set(INFRASTRUCTURE_FAILURES)

/** What has been done for a call. */
export interface Tried {
  readonly attempts: number
  /** Since the first attempt was begun. */
  readonly elapsedMs: number
}

/**
 * How long to wait before the next attempt, in milliseconds, or null when there is none: only what time can heal is
 * tried again, a limited number of times and within a limited time, with full-jitter exponential backoff, and never
 * sooner than the provider asks.
 * @param random uniform in [0, 1).
 */
export function retryDelay(fault: ProviderFault, { attempts, elapsedMs }: Tried, random: () => number): number | null {
  const { failureClass, retryable, retryAfterMs } = fault
  if (!retryable || !RETRYABLE.has(failureClass) || attempts >= mostAttempts(fault)) return null
  if (retryAfterMs !== null && retryAfterMs > RETRY_AFTER_CAP_MS) return null
  const delayMs = Math.max(retryAfterMs ?? 0, random() * Math.min(BASE_MS * 2 ** attempts, BACKOFF_CAP_MS))
  return elapsedMs + delayMs <= DEADLINE_MS ? delayMs : null
}

function mostAttempts({ failureClass, billing }: ProviderFault): number {
  if (failureClass === 'rate_limited' && billing?.kind === 'none') return MAX_REFUSALS
  return failureClass === 'bad_response' ? MAX_UNREADABLE : MAX_ATTEMPTS
}
