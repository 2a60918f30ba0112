import type { ProviderFault } from '../providers/provider.ts'
import { INFRASTRUCTURE_FAILURES } from '../model/sample.ts'

const MAX_ATTEMPTS = 4
const BASE_MS = 500
const BACKOFF_CAP_MS = 30_000
/** A provider that asks for a longer pause than this is not waited for. */
const RETRY_AFTER_CAP_MS = 60_000

const RETRYABLE: ReadonlySet<string> = new Set(INFRASTRUCTURE_FAILURES)

/**
 * How long to wait before the next attempt, in milliseconds, or null when there is none: only what time can
 * heal is tried again, at most four times in all, with full-jitter exponential backoff.
 * @param random uniform in [0, 1).
 */
export function retryDelay(fault: ProviderFault, attempts: number, random: () => number): number | null {
  if (!fault.retryable || !RETRYABLE.has(fault.failureClass) || attempts >= MAX_ATTEMPTS) return null
  if (fault.retryAfterMs !== null) return fault.retryAfterMs <= RETRY_AFTER_CAP_MS ? fault.retryAfterMs : null
  return random() * Math.min(BASE_MS * 2 ** attempts, BACKOFF_CAP_MS)
}
