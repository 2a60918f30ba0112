import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** One request as it arrived. */
export interface Seen {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
}

/**
 * A loopback server that answers JSON by what arrives, and whether the same body has come before; it goes away with the
 * test.
 */
export async function providerServer(
  answer: (seen: Seen, repeated: boolean) => unknown,
): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>
      const one = { path: request.url ?? '', headers: request.headers, body }
      const repeated = seen.some((before) => JSON.stringify(before.body) === JSON.stringify(body))
      seen.push(one)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer(one, repeated)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}
