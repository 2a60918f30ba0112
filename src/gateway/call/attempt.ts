import { messageOf } from '../../model/errors.ts'
import type { AccountLimit, CallRequest, ModelReply } from '../../model/call.ts'
import { ProviderFault, type Provider, type Rehearsal } from '../../providers/provider.ts'
import { checkedBilling, checkedLimit, checkedReply } from './check-reply.ts'
import type { Clock } from '../clock.ts'
import { cutContext } from './cut-context.ts'
import { toNano, type NanoUsd } from '../money/money.ts'
import { actualCost } from '../money/price.ts'
import type { Pricing } from '../money/pricing.ts'

export interface AttemptOptions {
  readonly provider: Provider
  readonly model: string
  readonly pricing: Pricing
  /** Deadline in milliseconds, body included. */
  readonly timeoutMs: number
  readonly clock: Clock
}

/** What one request to a provider came to. */
export type Attempt = {
  readonly latencyMs: number
  /** Null: nobody knows what it cost. */
  readonly cost: NanoUsd | null
  readonly limit: AccountLimit | null
} & ({ readonly reply: ModelReply; readonly fault: null } | { readonly reply: null; readonly fault: ProviderFault })

/** Sends one request and waits for its whole reply, or until the deadline. Never rejects, whatever the provider does. */
export async function attemptCall(
  options: AttemptOptions,
  request: CallRequest,
  rehearsal: Rehearsal,
): Promise<Attempt> {
  const { provider, model, pricing, timeoutMs, clock } = options
  const abort = new AbortController()
  const begun = clock.now()
  const cancelDeadline = clock.after(timeoutMs, () => abort.abort())
  const latencyMs = (): number => Math.max(clock.now() - begun, 0)
  try {
    const call = Promise.resolve(
      provider.call(request, { model, signal: abort.signal, ...(provider.answersFromKey && { rehearsal }) }),
    )
    const said = await Promise.race([call, aborted(abort.signal)])
    const reply = checkedReply(said)
    const cost =
      reply.reportedCostUsd === null ? actualCost(pricing, reply.usage, request.search) : toNano(reply.reportedCostUsd)
    const about = { cost, limit: checkedLimit(said.accountLimit), latencyMs: latencyMs() }
    const cut = cutContext(request, reply.usage)
    return cut === null ? { reply, fault: null, ...about } : { reply: null, fault: cut, ...about }
  } catch (error) {
    const fault = asFault(error, abort.signal.aborted, timeoutMs)
    const cost = costOfFault(fault, pricing, request.search)
    return { reply: null, fault, cost, limit: checkedLimit(fault.accountLimit), latencyMs: latencyMs() }
  } finally {
    cancelDeadline()
  }
}

/** Rejects when the signal aborts: the deadline holds even for a provider that does not listen to it. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
  })
}

/** Anything an adapter throws that is not a classified fault counts as a reply nobody could read, paid or not. */
function asFault(error: unknown, timedOut: boolean, timeoutMs: number): ProviderFault {
  const billing = { kind: 'unknown' } as const
  if (timedOut) return new ProviderFault('timeout', `no whole reply within ${timeoutMs} ms`, { billing, cause: error })
  if (error instanceof ProviderFault) return error
  return new ProviderFault('bad_response', messageOf(error), { billing, cause: error })
}

function costOfFault(fault: ProviderFault, pricing: Pricing, searched: boolean): NanoUsd | null {
  const billing = checkedBilling(fault.billing)
  // What costs nothing has cost nothing, whatever became of it.
  if (billing.kind === 'none' || !pricing.paid) return 0
  return billing.kind === 'usage' ? actualCost(pricing, billing.usage, searched) : null
}
