import { CLASS_BY_STATUS, HEALS, type FaultClass } from '../fault-class.ts'
import { ProviderFault, type Billing } from '../provider.ts'
import { parseRetryAfter } from '../retry-after.ts'
import { faultFromTransport } from '../transport-fault.ts'
import { errorFields, wire } from '../wire.ts'

/** What the SDK's errors carry, by structure. */
interface ErrorLike {
  readonly status?: number
  readonly headers?: { get(name: string): string | null }
  readonly message?: string
  /** The error object of the body. */
  readonly error?: unknown
}

const CLASS_BY_CODE: ReadonlyMap<unknown, FaultClass> = new Map([
  ['insufficient_quota', 'quota_exhausted'],
  ['insufficient_user_quota', 'quota_exhausted'],
  ['insufficient_balance', 'quota_exhausted'],
  ['billing_hard_limit_reached', 'quota_exhausted'],
  ['invalid_api_key', 'auth'],
  ['authentication_error', 'auth'],
  ['model_not_found', 'model_not_found'],
  ['rate_limit_exceeded', 'rate_limited'],
  ['rate_limit_error', 'rate_limited'],
  ['overloaded_error', 'overloaded'],
  ['server_error', 'server_error'],
  ['internal_server_error', 'server_error'],
])

/** Words of servers and of the constraint engines behind them when a schema, or asking for one, is too much. */
const ABOUT_SCHEMA =
  /response_?format|schema|structured.?output|guided.?(json|decoding)|grammar|additionalProperties|patternProperties|prefixItems|multipleOf|uniqueItems/i

/**
 * Anything thrown by a Chat Completions call, classified.
 * @param signal the one that can have ended the call.
 */
export function faultFromChat(error: unknown, signal?: AbortSignal): ProviderFault {
  if (error instanceof ProviderFault) return error
  const { status, headers, message = 'unknown error', error: body } = error as ErrorLike
  if (typeof status === 'number') {
    const failureClass = classOf(status, body)
    return new ProviderFault(failureClass, message + hiddenReason(body), {
      // Who answers with an error sends no bill; who gave up waiting does not know what the model went on to do.
      billing: { kind: failureClass === 'timeout' ? 'unknown' : 'none' },
      retryAfterMs: parseRetryAfter(headers?.get('retry-after-ms') ?? null, headers?.get('retry-after') ?? null),
      retryable: HEALS.has(failureClass),
      cause: error,
    })
  }
  return faultFromTransport(error, signal)
}

/** An error that stands inside a 200, where gateways put what happens once generation has begun. */
export function faultFromBody(error: unknown, counted: Billing): ProviderFault {
  const { code, message } = errorFields(error)
  const number = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code
  const status = typeof number === 'number' && number >= 400 && number <= 599 ? number : null
  const failureClass = classOf(status, error)
  const refused = status !== null && status < 500 && failureClass !== 'timeout'
  const told = typeof message === 'string' ? message : `the reply carries an error: ${JSON.stringify(error)}`
  return new ProviderFault(failureClass, told + hiddenReason(error), {
    billing: counted.kind === 'unknown' && refused ? { kind: 'none' } : counted,
    // What no status and no known word explains may pass.
    retryable: HEALS.has(failureClass) || (status === null && failureClass === 'bad_response'),
    cause: { status, error },
  })
}

/** Whether a server will not take this schema, or this way of asking for structure, and sends no bill for saying so. */
export function isSchemaRejection(fault: ProviderFault): boolean {
  return refusesWhat(fault, ABOUT_SCHEMA)
}

/** Whether a server takes no `include` (xAI was seen to say so in a 400), and sends no bill for saying so. */
export function isIncludeRejection(fault: ProviderFault): boolean {
  return refusesWhat(fault, /\binclude\b|action\.sources/)
}

/** Whether a request was refused, unbilled, in words that match. */
function refusesWhat({ billing, cause }: ProviderFault, words: RegExp): boolean {
  const { status, message = '', error } = (cause ?? {}) as ErrorLike
  if (billing.kind !== 'none' || (status !== 400 && status !== 422)) return false
  return words.test(`${message} ${JSON.stringify(error ?? '')}`)
}

/** By a code that says the account is empty, then by status, then by any other code. */
function classOf(status: number | null, error: unknown): FaultClass {
  const { code, type } = errorFields(error)
  const named = CLASS_BY_CODE.get(code) ?? CLASS_BY_CODE.get(type)
  if (named === 'quota_exhausted') return named
  if (status === null) return named ?? 'bad_response'
  return CLASS_BY_STATUS.get(status) ?? (status >= 500 ? 'server_error' : (named ?? 'bad_response'))
}

/** Gateways say "provider returned error" and keep what the provider said in `metadata.raw`. */
function hiddenReason(error: unknown): string {
  const { raw } = wire(errorFields(error)['metadata'])
  if (raw === undefined || raw === null) return ''
  return `: ${typeof raw === 'string' ? raw : JSON.stringify(raw)}`
}
