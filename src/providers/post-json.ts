import type { AccountLimit } from '../model/call.ts'
import { HARNESS_VERSION } from '../model/version.ts'
import { notJson } from './body-fault.ts'
import { bounded } from './bounded-body.ts'
import { CLASS_BY_STATUS, HEALS } from './fault-class.ts'
import { accountLimitFrom } from './limit-headers.ts'
import { presentable } from './presentable.ts'
import { ProviderFault } from './provider.ts'
import { parseRetryAfter } from './retry-after.ts'
import { faultFromTransport } from './transport-fault.ts'
import { parsed } from './wire.ts'

/** One request of an adapter that speaks JSON over HTTP. */
export interface JsonPost {
  readonly url: string | URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
  /** The key among the headers, which no fault may show; null where there is none. */
  readonly apiKey: string | null
  /** That of the call: it is the only deadline. */
  readonly signal: AbortSignal
}

/** What came back, where that is an object. */
export interface JsonReply {
  readonly body: Readonly<Record<string, unknown>>
  /** What the headers say of the account's limits; null: nothing. */
  readonly accountLimit: AccountLimit | null
}

/**
 * Posts JSON once, for adapters without an SDK: follows no redirect, which would take the key along, and reads no body
 * without end.
 * @throws ProviderFault for everything but a 2xx with a JSON object: classified by what it means at any provider, with what
 * it may have cost, and without the key.
 */
export async function postJson(post: JsonPost): Promise<JsonReply> {
  let limit: AccountLimit | null = null
  try {
    if (post.signal.aborted)
      throw new ProviderFault('timeout', 'the call was ended before it was sent', { billing: { kind: 'none' } })
    const response = await send(post)
    limit = accountLimitFrom(response.headers)
    // An error whose body breaks off is an error still; a success that does is none.
    if (!response.ok) throw faultOfStatus(response, await response.text().catch(() => ''))
    const text = await response.text()
    const body = parsed(text)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw notJson(text)
    return { body: body as JsonReply['body'], accountLimit: limit }
  } catch (error) {
    const fault = error instanceof ProviderFault ? error : faultFromTransport(error, post.signal)
    throw presentable(fault, post.apiKey, limit)
  }
}

async function send({ url, headers, body, signal }: JsonPost): Promise<Response> {
  const own = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': `modelrig-probes/${HARNESS_VERSION}`,
  }
  const init = { method: 'POST', headers: { ...own, ...headers }, body: JSON.stringify(body), signal } as const
  return bounded(await fetch(url, { ...init, redirect: 'manual' }))
}

/** Who answers with an error sends no bill; who gave up waiting does not know what the model went on to do. */
function faultOfStatus({ status, headers }: Response, text: string): ProviderFault {
  const failureClass = CLASS_BY_STATUS.get(status) ?? (status >= 500 ? 'server_error' : 'bad_response')
  return new ProviderFault(failureClass, `${status} ${text}`.trim(), {
    billing: { kind: failureClass === 'timeout' ? 'unknown' : 'none' },
    retryAfterMs: parseRetryAfter(headers.get('retry-after-ms'), headers.get('retry-after')),
    retryable: HEALS.has(failureClass),
  })
}
