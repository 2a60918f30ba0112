import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'

/** One request as it arrived. */
export interface Arrived {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The body as it came. */
  readonly text: string
  readonly body: Record<string, unknown>
}

/** What the server sends back. */
export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
  /** Sent in place of a response, as it stands. */
  readonly raw?: string
}

export interface Loopback {
  readonly origin: string
  /** Requests of the running test, in order. */
  readonly arrived: readonly Arrived[]
  /** How it answers in the running test. */
  answer: (arrived: Arrived) => Answer | Promise<Answer>
  /** Holds the next calls back until `count` have come, and lets the last go first. */
  gather(count: number): void
}

/** A loopback server for the tests of a file, which answers as each test says. */
export function useLoopback(): Loopback {
  let server: Server | null = null
  let pass: (() => Promise<void>) | null = null
  const arrived: Arrived[] = []
  const unanswered = (): never => {
    throw new Error('no test says what to answer')
  }
  const contract: { -readonly [Field in keyof Loopback]: Loopback[Field] } = {
    origin: '',
    arrived,
    answer: unanswered,
    gather(count) {
      pass = turnstile(count)
    },
  }
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const text = Buffer.concat(chunks).toString('utf8')
      const body = JSON.parse(text) as Record<string, unknown>
      const one = { path: request.url ?? '', headers: request.headers, text, body }
      arrived.push(one)
      await pass?.()
      const { status = 200, headers, body: answer, raw } = await contract.answer(one)
      if (raw !== undefined) return void response.socket?.end(raw)
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(answer)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    contract.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    arrived.length = 0
    contract.answer = unanswered
    pass = null
  })
  afterAll(() => {
    server?.closeAllConnections()
    server?.close()
  })
  return contract
}

/** Lets callers pass once `count` have come, the last of them first. */
export function turnstile(count: number): () => Promise<void> {
  const waiting: (() => void)[] = []
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (waiting.length === count) for (const go of waiting.toReversed()) go()
    })
}
