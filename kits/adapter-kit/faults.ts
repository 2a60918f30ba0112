import { expect } from 'vitest'
import type { ModelReply } from '../../src/model/call.ts'
import { ProviderFault } from '../../src/providers/provider.ts'

/** The fault a call ends with; a reply, or any other error, fails the test. */
export async function faultOf(call: Promise<ModelReply>): Promise<ProviderFault> {
  const end = await call.catch((error: unknown) => error)
  expect(end).toBeInstanceOf(ProviderFault)
  return end as ProviderFault
}

/** What a test asserts of a fault. */
export function factsOf({ failureClass, billing, retryAfterMs, retryable }: ProviderFault): FaultFacts {
  return { failureClass, billing, retryAfterMs, retryable }
}

/** All of a fault but its words. */
export type FaultFacts = Pick<ProviderFault, 'failureClass' | 'billing' | 'retryAfterMs' | 'retryable'>
