import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import type { Provider } from '../../src/providers/provider.ts'
import { callTo, factsOf, faultOf } from '../support/wire-server.ts'

/** An adapter as these tests see it. */
export interface Wired {
  /** The provider with its key, at a server of this origin. */
  readonly providerAt: (origin: string) => Provider
  /** Where it posts a request for the model `tiny-vision`. */
  readonly path: string
  readonly keyHeader: (headers: IncomingHttpHeaders) => unknown
  /** What that header holds. */
  readonly key: string
  /** A reply whose text is `read`. */
  readonly reply: object
}

/** What holds for every adapter when connections break, stall, or lead elsewhere. */
export function testTransport({ providerAt, path, keyHeader, key, reply }: Wired): void {
  const cleanups: (() => Promise<unknown> | void)[] = []
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
  })

  async function listen(server: Server): Promise<string> {
    const sockets = new Set<Socket>()
    server.on('connection', (socket: Socket) => sockets.add(socket))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    cleanups.push(async () => {
      for (const socket of sockets) socket.destroy()
      if (server.listening) await once(server.close(), 'close')
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const httpServer = (listener: RequestListener) => listen(createServer(listener))

  /** Resolves when the client has the headers of a reply: from then on it waits for the body. */
  function headersArrived(): Promise<void> {
    return new Promise((resolve) => {
      const heard = () => resolve()
      subscribe('undici:request:headers', heard)
      cleanups.push(() => void unsubscribe('undici:request:headers', heard))
    })
  }

  /** Makes every `fetch` fail like this. */
  function failingFetch(error: Error) {
    const fetching = vi.spyOn(globalThis, 'fetch').mockRejectedValue(error)
    cleanups.push(() => fetching.mockRestore())
    return fetching
  }

  test('a real round trip', async () => {
    const seen: unknown[] = []
    const address = await httpServer((request, response) => {
      seen.push(request.method, request.url, keyHeader(request.headers))
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reply))
    })
    expect(await callTo(providerAt(address))).toMatchObject({ text: 'read' })
    expect(seen).toEqual(['POST', path, key])
  })

  test('a redirect is not followed: it would take the key and the prompt along', async () => {
    let followed = 0
    const elsewhere = await httpServer((_, response) => {
      followed += 1
      response.end('{}')
    })
    const address = await httpServer((_, response) => response.writeHead(307, { location: elsewhere }).end())
    const fault = await faultOf(callTo(providerAt(address)))
    expect(factsOf(fault)).toEqual({ ...facts('bad_response', 'none'), retryable: false })
    expect(fault.message).toMatch(/^307\b/)
    expect(followed).toBe(0)
  })

  test('connection refused: nothing was sent, nothing can cost', async () => {
    const server = createServer()
    const address = await listen(server)
    await once(server.close(), 'close')
    const fault = await faultOf(callTo(providerAt(address)))
    expect(factsOf(fault)).toEqual(facts('network', 'none'))
    expect(fault.message).toContain('ECONNREFUSED')
  })

  test('reset before headers: what was sent may have been paid for', async () => {
    const address = await listen(createSocketServer((socket) => socket.once('data', () => socket.resetAndDestroy())))
    const fault = await faultOf(callTo(providerAt(address)))
    expect(factsOf(fault)).toEqual(facts('network', 'unknown'))
    expect(fault.message).toMatch(/\((ECONNRESET|UND_ERR_SOCKET)\)/)
  })

  test('reset in mid-body', async () => {
    const arrived = headersArrived()
    const address = await httpServer(async (request, response) => {
      halfReply(response, 200)
      await arrived
      request.socket.resetAndDestroy()
    })
    const fault = await faultOf(callTo(providerAt(address)))
    expect(factsOf(fault)).toEqual(facts('network', 'unknown'))
    expect(fault.message).toMatch(/^terminated \(.+\)$/)
  })

  test('the body of an error breaks: its status still classifies it', async () => {
    const arrived = headersArrived()
    const address = await httpServer(async (request, response) => {
      halfReply(response, 401)
      await arrived
      request.socket.resetAndDestroy()
    })
    expect(factsOf(await faultOf(callTo(providerAt(address))))).toEqual({ ...facts('auth', 'none'), retryable: false })
  })

  test('a body that stalls is ended by the signal', async () => {
    const arrived = headersArrived()
    const address = await httpServer((_, response) => halfReply(response, 200))
    const abort = new AbortController()
    const call = faultOf(callTo(providerAt(address), undefined, abort.signal))
    await arrived
    abort.abort()
    expect(factsOf(await call)).toEqual(facts('timeout', 'unknown'))
  })

  test('a body without end is not read to its end', async () => {
    const line = Buffer.alloc(1024 * 1024, 32)
    let sent = 0
    const address = await httpServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const pour = (): void => {
        while (!response.destroyed && sent < 1024 && response.write(line)) sent += 1
      }
      response.on('drain', pour)
      pour()
    })
    const fault = await faultOf(callTo(providerAt(address)))
    expect(factsOf(fault)).toEqual({ ...facts('bad_response', 'unknown'), retryable: false })
    expect(fault.message).toContain('longer than 67108864 bytes')
    // Not far beyond what is read: what lies in the buffers of both ends.
    expect(sent).toBeLessThan(128)
  })

  test('a server that says nothing is left by the signal', async () => {
    const abort = new AbortController()
    const address = await httpServer(() => abort.abort())
    const fault = await faultOf(callTo(providerAt(address), undefined, abort.signal))
    expect(factsOf(fault)).toEqual(facts('timeout', 'unknown'))
  })

  test.for([undefined, new Error('too late')])('a call that is over before it begins is never sent', async (reason) => {
    let connections = 0
    const server = createServer((_, response) => void response.end())
    server.on('connection', () => (connections += 1))
    const fault = await faultOf(callTo(providerAt(await listen(server)), undefined, AbortSignal.abort(reason)))
    expect(factsOf(fault)).toEqual(facts('timeout', 'none'))
    expect(connections).toBe(0)
  })

  test('an abort that is not ours is no timeout', async () => {
    failingFetch(new DOMException('aborted', 'AbortError'))
    expect(factsOf(await faultOf(callTo(providerAt('http://models.test'))))).toEqual(facts('network', 'unknown'))
  })

  test.for([
    ['ENOTFOUND', 'network', 'none'],
    ['EAI_AGAIN', 'network', 'none'],
    ['EHOSTUNREACH', 'network', 'none'],
    ['ENETUNREACH', 'network', 'none'],
    ['UND_ERR_CONNECT_TIMEOUT', 'network', 'none'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout', 'unknown'],
    ['UND_ERR_BODY_TIMEOUT', 'timeout', 'unknown'],
    ['ETIMEDOUT', 'timeout', 'unknown'],
    ['EPIPE', 'network', 'unknown'],
    ['CERT_HAS_EXPIRED', 'network', 'none'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'network', 'none'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'network', 'none'],
  ] as const)('%s, which no loopback server can bring about in time', async ([code, failureClass, billing]) => {
    const cause = Object.assign(new Error(code.includes('CONNECT') ? 'Connect Timeout Error' : code), { code })
    const fetching = failingFetch(new TypeError('fetch failed', { cause }))
    const fault = await faultOf(callTo(providerAt('http://models.test')))
    expect(factsOf(fault)).toEqual(facts(failureClass, billing))
    expect(fault.message).toContain(`(${code})`)
    expect(fetching).toHaveBeenCalledOnce()
  })
}

/** Answers with headers that promise more than is sent. */
function halfReply(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': '900' })
  response.write('{"half":[')
}

const facts = (failureClass: string, billing: 'none' | 'unknown') => ({
  failureClass,
  billing: { kind: billing },
  retryable: true,
  retryAfterMs: null,
})
