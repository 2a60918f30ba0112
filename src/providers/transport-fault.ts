import { ProviderFault, type Billing } from './provider.ts'

/** What undici's errors carry, by structure: connections and bodies that break are no errors of any SDK. */
interface ErrorLike {
  readonly name?: string
  readonly code?: unknown
  readonly message?: string
  readonly cause?: unknown
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
/** Codes of a certificate that is not trusted: the connection is given up before anything is sent. */
const UNTRUSTED = /^(CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS_CERT)_/
const WAITED_TOO_LONG = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])

/**
 * What kept a reply from arriving whole, where no HTTP status says it.
 * @param signal the one that can have ended the call.
 */
export function faultFromTransport(error: unknown, signal?: AbortSignal): ProviderFault {
  const { name, message = 'unknown error' } = error as ErrorLike
  const billing: Billing = { kind: 'unknown' }
  if (signal?.aborted)
    return new ProviderFault('timeout', 'the call was ended before its reply was whole', { billing, cause: error })
  if (name === 'SyntaxError')
    return new ProviderFault('bad_response', 'the reply is not JSON', { billing, cause: error })
  const endless = causes(error).find((one) => one.name === 'EndlessBodyError')
  if (endless !== undefined)
    return new ProviderFault('bad_response', `${endless.message}`, { billing, retryable: false, cause: error })
  const barred = causes(error).some((one) => one.message === 'bad port')
  if (barred) {
    const options = { billing: { kind: 'none' }, retryable: false, cause: error } as const
    return new ProviderFault('network', `${message}: fetch takes no address with this port`, options)
  }
  const code = networkCode(error)
  const told = code === null ? message : `${message} (${code})`
  if (code !== null && WAITED_TOO_LONG.has(code)) return new ProviderFault('timeout', told, { billing, cause: error })
  const unsent = code !== null && (NEVER_SENT.has(code) || UNTRUSTED.test(code))
  return new ProviderFault('network', told, { billing: unsent ? { kind: 'none' } : billing, cause: error })
}

/** First error code down the chain of causes. */
function networkCode(error: unknown): string | null {
  const coded = causes(error).find(({ code }) => typeof code === 'string')
  return (coded?.code as string | undefined) ?? null
}

/** An error and what caused it, as far down as anybody looks. */
function causes(error: unknown): ErrorLike[] {
  const chain: ErrorLike[] = []
  for (
    let current = error as ErrorLike | undefined;
    current && chain.length < 6;
    current = current.cause as ErrorLike
  ) {
    chain.push(current)
  }
  return chain
}
