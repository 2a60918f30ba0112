import type { ProviderFault } from './provider.ts'

/** What a call that brought no answer is charged to. */
export type FaultClass = ProviderFault['failureClass']

/** What an error status means at any provider. Any other is a `server_error` from 500 on, and a `bad_response` below. */
export const CLASS_BY_STATUS: ReadonlyMap<number, FaultClass> = new Map([
  [401, 'auth'],
  [402, 'quota_exhausted'],
  [403, 'auth'],
  [404, 'model_not_found'],
  [408, 'timeout'],
  [429, 'rate_limited'],
  [503, 'overloaded'],
  [504, 'timeout'],
  [524, 'timeout'],
  [529, 'overloaded'],
])

/** What time can heal; the same request would meet any other class again. */
export const HEALS: ReadonlySet<FaultClass> = new Set(['rate_limited', 'overloaded', 'server_error', 'timeout'])
