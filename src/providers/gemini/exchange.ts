import { HARNESS_VERSION } from '../../model/version.ts'
import { bounded } from '../bounded-body.ts'

/**
 * What went over the wire for one call. The SDK keeps most of it to itself: errors come without headers, an error inside
 * a 200 is dropped, and a body that breaks takes the status with it.
 */
export interface Exchange {
  /** Whether a request was handed to the network. */
  sent: boolean
  /** Null until headers have arrived. */
  status: number | null
  headers: Headers
  /** Null until the body is whole. */
  body: string | null
}

/** An exchange that has not begun. */
export function newExchange(): Exchange {
  return { sent: false, status: null, headers: new Headers(), body: null }
}

/** A `fetch` for the SDK that notes the exchange and tells the server nothing about this machine. */
export function recordingFetch(exchange: Exchange): typeof fetch {
  return async (url, init) => {
    const headers = new Headers(init?.headers)
    headers.set('accept', 'application/json')
    headers.set('user-agent', `modelrig-probes/${HARNESS_VERSION}`)
    headers.delete('x-goog-api-client')
    exchange.sent = true
    // A redirect would take the key along to wherever it points.
    const response = bounded(await fetch(url, { ...init, headers, redirect: 'manual' }))
    exchange.status = response.status
    exchange.headers = response.headers
    exchange.body = await response.text()
    return new Response(exchange.body, { status: response.status, headers: response.headers })
  }
}
