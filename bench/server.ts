import { createServer } from 'node:http'

/** Loopback Chat Completions server for benchmarks: answers every call after `DELAY_MS`, and tells its parent when. */
const DELAY_MS = Number(process.argv[2])
const BODY = JSON.stringify({
  id: 'bench',
  object: 'chat.completion',
  model: 'bench-model',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '{"total": 7}' } }],
  usage: { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 },
})

let calls = 0
let firstAt = 0

const server = createServer((request, response) => {
  if (calls++ === 0) firstAt = Date.now()
  request.resume()
  request.on('end', () => {
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(BODY)
    }, DELAY_MS)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port })
})
process.on('message', () => {
  process.send?.({ calls, firstAt })
  calls = 0
  firstAt = 0
})
process.on('disconnect', () => process.exit())
