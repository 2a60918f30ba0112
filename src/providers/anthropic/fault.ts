import { CLASS_BY_STATUS, HEALS, type FaultClass } from '../fault-class.ts'
import { parseRetryAfter } from '../retry-after.ts'
import { faultFromTransport } from '../transport-fault.ts'
import { ProviderFault, type Billing } from '../provider.ts'
import { errorFields, wire, type Wire } from '../wire.ts'

/** An answer with an error status, as the SDK throws it. */
interface StatusError {
  readonly status: number
  readonly headers?: { get(name: string): string | null }
  readonly message: string
  /** The whole body. */
  readonly error?: unknown
}

const CLASS_BY_TYPE: ReadonlyMap<unknown, FaultClass> = new Map([
  ['authentication_error', 'auth'],
  ['permission_error', 'auth'],
  ['billing_error', 'quota_exhausted'],
  ['not_found_error', 'model_not_found'],
  ['rate_limit_error', 'rate_limited'],
  ['overloaded_error', 'overloaded'],
  ['timeout_error', 'timeout'],
  ['request_too_large', 'bad_response'],
])

/** What comes as a refused request, or as a rate limit, and yet concerns the account. */
const CLASS_BY_CODE: ReadonlyMap<unknown, FaultClass> = new Map([
  ['contract_spend_limit_reached', 'quota_exhausted'],
  ['enforced_spend_limit_reached', 'quota_exhausted'],
  ['organization_on_hold', 'auth'],
  ['claude_code_key_creator_not_member', 'auth'],
])
const OUT_OF_CREDIT = /credit balance is too low|reached your specified api usage limits/i

/** Types of errors that can come up once a model is at work. */
const MID_WORK: ReadonlySet<unknown> = new Set(['overloaded_error', 'api_error', 'timeout_error'])

/** An answer that is taken away comes as a refused request. */
const FILTERED = /blocked by content filtering policy/i

/** Words of the API when it will not compile a schema, or when a model knows no output format. */
const ABOUT_SCHEMA = /output_?(config|format)|output format|schema|structured.?output|grammar|additionalProperties/i

/**
 * Anything thrown by a Messages call, classified.
 * @param signal the one that can have ended the call.
 */
export function faultFromMessages(error: unknown, signal: AbortSignal): ProviderFault {
  // Connections fail alike through any SDK.
  if (error instanceof ProviderFault) return error
  if (!isStatusError(error)) return faultFromTransport(error, signal)
  const { status, headers, message, error: body } = error
  const told = errorOf(body)
  const failureClass = classOf(status, told)
  const header = (name: string): string | null => headers?.get(name) ?? null
  return new ProviderFault(
    failureClass,
    typeof told['message'] === 'string' ? `${status} ${told['message']}` : message,
    {
      // Who answers with an error sends no bill; who gave up waiting does not know what the model went on to do.
      billing: { kind: failureClass === 'timeout' ? 'unknown' : 'none' },
      retryAfterMs: parseRetryAfter(header('retry-after-ms'), header('retry-after')),
      retryable: HEALS.has(failureClass) && header('x-should-retry') !== 'false',
      cause: error,
    },
  )
}

/** An error that stands in a 200, as proxies pass on what happened once a stream had begun. */
export function faultFromBody(body: unknown, counted: Billing): ProviderFault {
  const error = errorOf(body)
  const { type, message } = error
  const failureClass = classOf(null, error)
  const known = CLASS_BY_TYPE.has(type) || type === 'invalid_request_error' || type === 'api_error'
  const refused = known && !MID_WORK.has(type)
  const told = typeof message === 'string' ? message : `the reply is an error: ${JSON.stringify(body)}`
  return new ProviderFault(failureClass, told, {
    billing: counted.kind === 'unknown' && refused ? { kind: 'none' } : counted,
    // What no known word explains may pass.
    retryable: HEALS.has(failureClass) || !known,
    cause: { error: body },
  })
}

/** Whether the body of an error says that a filter took the answer away: the model's doing, and no fault. */
export function isFiltered(body: unknown): boolean {
  const { type, message } = errorOf(body)
  return type === 'invalid_request_error' && typeof message === 'string' && FILTERED.test(message)
}

/** Whether the API will not take this schema, or any from this model. It sends no bill for saying so. */
export function isSchemaRejection({ cause }: ProviderFault): boolean {
  if (!isStatusError(cause) || cause.status !== 400) return false
  const { type, message } = errorOf(cause.error)
  return type === 'invalid_request_error' && typeof message === 'string' && ABOUT_SCHEMA.test(message)
}

/** By what concerns the account, then by the type of the error, then by status. */
function classOf(status: number | null, { type, message, details }: Wire): FaultClass {
  const broke = typeof message === 'string' && OUT_OF_CREDIT.test(message)
  if (broke && (status === 400 || type === 'invalid_request_error')) return 'quota_exhausted'
  const named = CLASS_BY_CODE.get(wire(details)['error_code']) ?? CLASS_BY_TYPE.get(type)
  if (named !== undefined) return named
  if (status === null) return type === 'api_error' ? 'server_error' : 'bad_response'
  return CLASS_BY_STATUS.get(status) ?? (status >= 500 ? 'server_error' : 'bad_response')
}

function isStatusError(error: unknown): error is StatusError {
  return typeof (error as Partial<StatusError> | null | undefined)?.status === 'number'
}

/** The error object of a body: `{ type: 'error', error: { type, message, details } }`. */
function errorOf(body: unknown): Wire {
  return errorFields(wire(body)['error'])
}
