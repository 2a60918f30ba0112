import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What a server does with one request. */
export type WireReply =
  | {
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      /** Sent as it is. */
      readonly body: string
    }
  /** Connection cut before or within the reply, a reply that never begins or never ends. */
  | 'cut'
  | 'cut inside'
  | 'silent'
  | 'stalled'

/** A reply with a JSON body. */
export function answered(body: unknown, status = 200, headers: Record<string, string> = {}): WireReply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

/** A reply with this very text. */
export function said(body: string, type = 'application/json', status = 200): WireReply {
  return { status, headers: { 'content-type': type }, body }
}

/** One request as it arrived. */
export interface Seen {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The body byte for byte, and read. */
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * A loopback server that does with every request what `reply` says; it goes away with the test.
 * @param reply is told whether the same body has come before.
 */
export async function rawServer(
  reply: (seen: Seen, repeated: boolean) => WireReply,
): Promise<{ url: string; seen: Seen[]; close(): void }> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const one = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) as Seen['body'] }
      const repeated = seen.some((before) => before.text === text)
      seen.push(one)
      send(response, reply(one, repeated))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, close }
}

function send(response: ServerResponse, reply: WireReply): void {
  if (typeof reply === 'object') {
    response.writeHead(reply.status, reply.headers)
    response.end(reply.body)
    return
  }
  if (reply === 'cut') response.destroy()
  if (reply === 'cut' || reply === 'silent') return
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"id": "half a', () => {
    if (reply === 'cut inside') response.destroy()
  })
}
