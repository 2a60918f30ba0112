import type { ProviderFault } from '../providers/provider.ts'
import type { PaceSignal } from './pacer.ts'

/** What an attempt tells about its account; null: it was answered. */
export function paceSignal(fault: ProviderFault | null): PaceSignal {
  if (fault === null) return { kind: 'clean' }
  if (fault.failureClass === 'rate_limited') return { kind: 'rate_limited', retryAfterMs: fault.retryAfterMs }
  const strained = ['overloaded', 'server_error', 'timeout', 'network'].includes(fault.failureClass)
  return { kind: strained ? 'strained' : 'neutral' }
}
