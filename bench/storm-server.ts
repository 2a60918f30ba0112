import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** What a storm server did. */
export interface StormReport {
  readonly calls: number
  readonly answered: number
  readonly refused: number
  readonly failed: number
  readonly cut: number
  readonly hung: number
  /** From the first call to the last answer, in milliseconds. */
  readonly spanMs: number
}

/** Loopback Chat Completions server in bad weather: of a hundred calls 5 are refused, 3 fail, 2 are cut, 1 hangs. */
const DELAY_MS = Number(process.argv[2])
const BODY = JSON.stringify({
  id: 'storm',
  object: 'chat.completion',
  model: 'bench-model',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '{"total": 7}' } }],
  usage: { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 },
})

const counts = { calls: 0, answered: 0, refused: 0, failed: 0, cut: 0, hung: 0 }
let firstAt = 0
let lastAt = 0
let seed = 20_261_130

/** Uniform in [0, 1), the same in every run. */
function chance(): number {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

function weather(request: IncomingMessage, response: ServerResponse): void {
  const fate = chance()
  lastAt = Date.now()
  if (fate < 0.05) {
    counts.refused += 1
    reply(response, 429, '{"error":{"message":"slow down"}}', {
      'retry-after-ms': String(Math.round(200 + chance() * 800)),
    })
  } else if (fate < 0.08) {
    counts.failed += 1
    reply(response, 500 + Math.floor(chance() * 4), '{"error":{"message":"oops"}}')
  } else if (fate < 0.1) {
    counts.cut += 1
    request.socket.resetAndDestroy()
  } else if (fate < 0.11) counts.hung += 1
  else {
    counts.answered += 1
    reply(response, 200, BODY)
  }
}

function reply(response: ServerResponse, status: number, body: string, more: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...more })
  response.end(body)
}

const server = createServer((request, response) => {
  firstAt ||= Date.now()
  counts.calls += 1
  request.resume()
  request.on('end', () => setTimeout(weather, DELAY_MS, request, response))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port })
})
process.on('message', () => process.send?.({ ...counts, spanMs: lastAt - firstAt } satisfies StormReport))
process.on('disconnect', () => process.exit())
