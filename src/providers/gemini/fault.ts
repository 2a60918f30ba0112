import { messageOf } from '../../model/errors.ts'
import { CLASS_BY_STATUS, HEALS, type FaultClass } from '../fault-class.ts'
import { parseRetryAfter } from '../retry-after.ts'
import { faultFromTransport } from '../transport-fault.ts'
import { ProviderFault, type Billing } from '../provider.ts'
import type { Exchange } from './exchange.ts'
import { parsed, textOrNull, wire, wires, type Wire } from '../wire.ts'

/** Google's own names for what went wrong. */
const CLASS_BY_NAME: ReadonlyMap<unknown, FaultClass> = new Map([
  ['UNAUTHENTICATED', 'auth'],
  ['PERMISSION_DENIED', 'auth'],
  ['NOT_FOUND', 'model_not_found'],
  ['RESOURCE_EXHAUSTED', 'rate_limited'],
  ['DEADLINE_EXCEEDED', 'timeout'],
  ['CANCELLED', 'timeout'],
  ['UNAVAILABLE', 'overloaded'],
  ['INTERNAL', 'server_error'],
  ['UNKNOWN', 'server_error'],
])

/** Google says `CANCELLED` with a status of its own. */
const CLASS_BY_GOOGLE_STATUS: ReadonlyMap<number, FaultClass> = new Map([...CLASS_BY_STATUS, [499, 'timeout']])

/** Stands in every 429 about a quota, one that fills up again within a minute included. */
const BOILERPLATE = /check your plan and billing details/i
/** Words of a bill that stands in the way; a `limit: 0` is a quota the account does not have. */
const ABOUT_MONEY = /billing|credits?\b|prepa(y|id)|spend(ing)? (cap|limit)|\blimit: 0(?![.\d])/i
const ABOUT_SCHEMA = /schema|too many states|nesting depth/i
/** All that is said of some schemas whose bounds are too many, and of other defects too. */
const SAYS_NOTHING = /^(\d{3} )?Request contains an invalid argument\.?$/

/** What ended a call without a reply, classified. */
export function faultFromGemini(error: unknown, exchange: Exchange, signal: AbortSignal): ProviderFault {
  if (error instanceof ProviderFault) return error
  const { status, body, headers } = exchange
  // An error that breaks off is an error still; a success that does is none.
  if (status !== null && (body !== null || status >= 300)) {
    const value = parsed(body ?? '')
    const found = wire(Array.isArray(value) ? value[0] : value)['error']
    const inPlace = found ?? (body ? { message: body } : {})
    return faultFromError(status, inPlace, { retryAfter: headers.get('retry-after'), cause: error })
  }
  // Aborts, and whatever undici throws, look the same under any SDK.
  if (exchange.sent) return faultFromTransport(error, signal)
  const message = messageOf(error)
  return signal.aborted
    ? new ProviderFault('timeout', 'the call was ended before it was sent', { billing: { kind: 'none' }, cause: error })
    : new ProviderFault('bad_response', message, { billing: { kind: 'none' }, retryable: false, cause: error })
}

/**
 * An error object of a body, classified by what it names first, then by status.
 * @param httpStatus null when it stands inside a 200.
 */
export function faultFromError(
  httpStatus: number | null,
  value: unknown,
  { counted, retryAfter = null, cause }: { counted?: Billing; retryAfter?: string | null; cause?: unknown } = {},
): ProviderFault {
  const error = typeof value === 'string' ? { message: value } : wire(value)
  const code = Number(error['code'])
  const status = httpStatus ?? (code >= 400 && code <= 599 ? code : null)
  const failureClass = classOf(status, error)
  const said = textOrNull(error['message']) || (Object.keys(error).length > 0 ? told(error) : '')
  const message = [httpStatus, said].filter(Boolean).join(' ') || 'the reply carries an error'
  const waits = [parseRetryAfter(null, retryAfter), retryDelay(error)].filter((wait) => wait !== null)
  return new ProviderFault(failureClass, message, {
    billing: billingOf(failureClass, httpStatus, status, counted),
    retryAfterMs: waits.length === 0 ? null : Math.max(...waits),
    // What no status and no known word explains may pass.
    retryable: HEALS.has(failureClass) || (status === null && failureClass === 'bad_response'),
    cause: { status, error, cause },
  })
}

/** Whether a fault may mean that Gemini will not take this schema: it says so, or it does not say what else is wrong. */
export function isSchemaRejection({ failureClass, billing, cause, message }: ProviderFault): boolean {
  const { status, error } = wire(cause)
  if (failureClass !== 'bad_response' || billing.kind !== 'none' || status !== 400) return false
  return ABOUT_SCHEMA.test(told(error)) || SAYS_NOTHING.test(message)
}

function classOf(status: number | null, error: Wire): FaultClass {
  const reasons = detailsOf(error, 'ErrorInfo').map(({ reason }) => textOrNull(reason) ?? '')
  if (reasons.includes('BILLING_DISABLED')) return 'quota_exhausted'
  if (reasons.some((reason) => reason.startsWith('API_KEY_'))) return 'auth'
  const named = CLASS_BY_NAME.get(error['status'])
  const failureClass = named ?? (status === null ? undefined : CLASS_BY_GOOGLE_STATUS.get(status))
  if (failureClass === 'rate_limited') return isSpent(error) ? 'quota_exhausted' : 'rate_limited'
  // Where the free tier is not offered, and where a project's bill is not settled.
  if (error['status'] === 'FAILED_PRECONDITION' && ABOUT_MONEY.test(told(error['message']))) return 'quota_exhausted'
  if (failureClass !== undefined) return failureClass
  return status !== null && status >= 500 ? 'server_error' : 'bad_response'
}

/** Whether a quota will not fill up again while a run waits: there is none, the day's is used up, or money is due. */
function isSpent(error: Wire): boolean {
  const violations = detailsOf(error, 'QuotaFailure').flatMap(({ violations }) => wires(violations))
  if (violations.some(({ quotaValue, quotaId }) => `${quotaValue}` === '0' || /PerDay/.test(`${quotaId}`))) return true
  const message = textOrNull(error['message']) ?? ''
  if (ABOUT_MONEY.test(message.replace(BOILERPLATE, ''))) return true
  return BOILERPLATE.test(message) && violations.length === 0 && retryDelay(error) === null
}

/** Who answers with an error sends no bill; who gave up waiting does not know what the model went on to do. */
function billingOf(
  failureClass: FaultClass,
  httpStatus: number | null,
  status: number | null,
  counted: Billing = { kind: 'unknown' },
): Billing {
  if (counted.kind !== 'unknown' || failureClass === 'timeout') return counted
  const refused = httpStatus !== null || (status !== null && status < 500)
  return refused ? { kind: 'none' } : counted
}

/** The pause of a `RetryInfo`, as text (`1.5s`) or as seconds and nanoseconds; in milliseconds. */
function retryDelay(error: Wire): number | null {
  for (const { retryDelay } of detailsOf(error, 'RetryInfo')) {
    const { seconds, nanos = 0 } = wire(retryDelay)
    const text = typeof retryDelay === 'string' ? /^(\d{1,12}(\.\d+)?)s$/.exec(retryDelay.trim())?.[1] : seconds
    const wait = text === undefined ? Number.NaN : Number(text) * 1000 + Number(nanos) / 1e6
    if (Number.isFinite(wait) && wait >= 0) return Math.ceil(wait)
  }
  return null
}

function detailsOf(error: Wire, type: string): Wire[] {
  return wires(error['details']).filter((detail) => detail['@type'] === `type.googleapis.com/google.rpc.${type}`)
}

function told(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
