import type { InfrastructureFailure, SetupFailure } from '../../model/sample.ts'
import { ProviderFault, type Billing } from '../provider.ts'

/** What the SDK's errors and undici's carry, by structure: bodies that break are no errors of the SDK. */
interface ErrorLike {
  readonly name?: string
  readonly status?: number
  readonly code?: unknown
  readonly headers?: { get(name: string): string | null }
  readonly message?: string
  readonly cause?: unknown
  readonly error?: unknown
}

/** The connection was never made, so nothing was sent and nothing can cost. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])
const QUOTA_CODES = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'insufficient_balance'])

/** Class of an HTTP error by status, then by its code. */
export function faultClassOf(
  status: number | null,
  error: { readonly code?: unknown },
): InfrastructureFailure | SetupFailure {
  if (typeof error.code === 'string' && QUOTA_CODES.has(error.code)) return 'quota_exhausted'
  if (status === 401 || status === 403) return 'auth'
  if (status === 402) return 'quota_exhausted'
  if (status === 404) return 'model_not_found'
  if (status === 408) return 'timeout'
  if (status === 429) return 'rate_limited'
  if (status === 503 || status === 529) return 'overloaded'
  if (status !== null && status >= 500) return 'server_error'
  return 'bad_response'
}

/** Whether a 400 says that the server will not take this schema or this way of asking for structure. */
export function isSchemaRejection(error: unknown): boolean {
  const { status, message = '', error: body } = error as ErrorLike
  if (status !== 400 && status !== 422) return false
  return /response_format|json_schema|schema|structured output/i.test(`${message} ${JSON.stringify(body ?? '')}`)
}

/** Anything thrown by a Chat Completions call, classified; the body of an HTTP error is never billed. */
export function faultFromChat(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error
  const { name, status, headers, message = 'unknown error' } = error as ErrorLike
  if (typeof status === 'number') {
    const failureClass = faultClassOf(status, error as ErrorLike)
    const retryAfterMs = parseRetryAfter(headers?.get('retry-after-ms') ?? null, headers?.get('retry-after') ?? null)
    const retryable = failureClass !== 'bad_response'
    return new ProviderFault(failureClass, message, {
      billing: { kind: 'none' },
      retryAfterMs,
      retryable,
      cause: error,
    })
  }
  if (name === 'SyntaxError') {
    return new ProviderFault('bad_response', 'the reply is not JSON', { billing: { kind: 'unknown' }, cause: error })
  }
  const code = networkCode(error)
  const billing: Billing = code !== null && NEVER_SENT.has(code) ? { kind: 'none' } : { kind: 'unknown' }
  return new ProviderFault('network', code === null ? message : `${message} (${code})`, { billing, cause: error })
}

/**
 * Pause a server asks for, in milliseconds: milliseconds, seconds, or an HTTP date.
 * @param now milliseconds since the epoch.
 */
export function parseRetryAfter(ms: string | null, value: string | null, now: number = Date.now()): number | null {
  if (ms !== null && /^\d+(\.\d+)?$/.test(ms.trim())) return Number(ms)
  if (value === null) return null
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isFinite(date) ? Math.max(date - now, 0) : null
}

/** First error code down the chain of causes. */
function networkCode(error: unknown): string | null {
  for (let current = error as ErrorLike | undefined, depth = 0; current && depth < 6; depth += 1) {
    if (typeof current.code === 'string') return current.code
    current = current.cause as ErrorLike | undefined
  }
  return null
}
