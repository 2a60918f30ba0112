import type { Usage } from '../model/call.ts'
import { ProviderFault, type Billing } from './provider.ts'

/** What a body bills, by the usage it tells. */
export function billingOf(usage: Usage): Billing {
  return usage.tokensIn === null ? { kind: 'unknown' } : { kind: 'usage', usage }
}

/** The fault of a body that is no object: a page, a text, nothing. */
export function notJson(body: unknown): ProviderFault {
  const shown = typeof body === 'string' && body !== '' ? `: ${body}` : ''
  return new ProviderFault('bad_response', `the reply is not JSON${shown}`, { billing: { kind: 'unknown' } })
}
