import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { callTo, candidate, factsOf, faultOf, KEY, providerAt } from './gemini-server.ts'

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

/** Resolves when the client has the headers of a reply: from then on it waits for the body. */
function headersArrived(): Promise<void> {
  return new Promise((resolve) => {
    const heard = () => resolve()
    subscribe('undici:request:headers', heard)
    cleanups.push(() => void unsubscribe('undici:request:headers', heard))
  })
}

/** Answers with headers that promise more than is sent. */
function halfReply(response: ServerResponse, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': '900' })
  response.write('{"candidates":[')
}

const httpServer = (listener: RequestListener) => listen(createServer(listener))
const facts = (failureClass: string, billing: 'none' | 'unknown') => ({
  failureClass,
  billing: { kind: billing },
  retryable: true,
  retryAfterMs: null,
})

test('a real round trip', async () => {
  const seen: unknown[] = []
  const address = await httpServer((request, response) => {
    seen.push(request.method, request.url, request.headers['x-goog-api-key'])
    response.setHeader('content-type', 'application/json').end(JSON.stringify(candidate([{ text: 'read' }])))
  })
  expect(await callTo(providerAt(address))).toMatchObject({ text: 'read' })
  expect(seen).toEqual(['POST', '/v1beta/models/tiny-vision:generateContent', KEY])
})

test('a redirect is not followed: it would take the key along', async () => {
  let followed = 0
  const elsewhere = await httpServer((_, response) => {
    followed += 1
    response.end('{}')
  })
  const address = await httpServer((_, response) => response.writeHead(307, { location: elsewhere }).end())
  const fault = await faultOf(callTo(providerAt(address)))
  expect(factsOf(fault)).toEqual({ ...facts('bad_response', 'none'), retryable: false })
  expect(fault.message).toBe('307')
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
    halfReply(response)
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
  const address = await httpServer((_, response) => halfReply(response))
  const abort = new AbortController()
  const call = faultOf(callTo(providerAt(address), undefined, abort.signal))
  await arrived
  abort.abort()
  expect(factsOf(await call)).toEqual(facts('timeout', 'unknown'))
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
  const fetching = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new DOMException('aborted', 'AbortError'))
  cleanups.push(() => fetching.mockRestore())
  expect(factsOf(await faultOf(callTo(providerAt())))).toEqual(facts('network', 'unknown'))
})

test('what the SDK will not send is a fault that costs nothing', async () => {
  const signal = new AbortController().signal
  const fault = await faultOf(
    providerAt().call(
      { prompt: 'p', images: [], answerSchema: null, rung: 'auto', maxOutputTokens: 9, search: false, cacheKey: null },
      { model: 'a?b', signal },
    ),
  )
  expect(factsOf(fault)).toEqual({ ...facts('bad_response', 'none'), retryable: false })
  expect(fault.message).toBe('invalid model parameter')
})

test.for([
  ['ENOTFOUND', 'network', 'none'],
  ['UND_ERR_CONNECT_TIMEOUT', 'network', 'none'],
  ['CERT_HAS_EXPIRED', 'network', 'none'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout', 'unknown'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout', 'unknown'],
  ['EPIPE', 'network', 'unknown'],
] as const)('%s, which no loopback server can bring about in time', async ([code, failureClass, billing]) => {
  const cause = Object.assign(new Error(code), { code })
  const fetching = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed', { cause }))
  cleanups.push(() => fetching.mockRestore())
  const fault = await faultOf(callTo(providerAt()))
  expect(factsOf(fault)).toEqual(facts(failureClass, billing))
  expect(fault.message).toContain(`(${code})`)
  expect(fetching).toHaveBeenCalledOnce()
})
