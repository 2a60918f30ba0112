import type { AccountLimit } from '../../model/call.ts'
import type { ProviderFault } from '../../providers/provider.ts'
import type { PaceSignal } from './pacer.ts'

const STRAINS: ReadonlySet<string> = new Set(['overloaded', 'server_error', 'timeout', 'network'])

/**
 * What an attempt tells about its account.
 * @param fault null: it was answered.
 * @param limit what its reply said of the account's limits, whatever else it was.
 */
export function paceSignal(fault: ProviderFault | null, limit: AccountLimit | null): PaceSignal {
  const exhaustedMs = limit?.remaining === 0 ? limit.resetMs : null
  if (fault === null) return { kind: 'clean', exhaustedMs }
  if (fault.failureClass === 'rate_limited')
    return { kind: 'rate_limited', retryAfterMs: fault.retryAfterMs, exhaustedMs }
  return { kind: STRAINS.has(fault.failureClass) ? 'strained' : 'neutral', exhaustedMs }
}
