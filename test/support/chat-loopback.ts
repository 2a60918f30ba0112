import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { enforcedSchema, instanceOf } from './schema-instance.ts'

type Body = Readonly<Record<string, unknown>>

/** One request as it arrived. */
export interface ChatCall {
  readonly prompt: string
  /** `json_schema`, `json_object`, or null for neither. */
  readonly format: unknown
  /** Its body is not the one of a sample: what it asks for is a signal, not a total. */
  readonly canary: boolean
  /** When it arrived, in milliseconds. */
  readonly at: number
}

/**
 * A Chat Completions server on loopback that keeps to every schema, and to a total of 7 elsewhere. It counts what it is
 * asked, and how much of it at once.
 * @param delayMs between a request and its answer.
 */
export async function chatLoopback(delayMs = 0) {
  const calls: ChatCall[] = []
  const most = { open: 0 }
  let open = 0
  const server = createServer((request, response) => {
    most.open = Math.max(most.open, (open += 1))
    response.on('close', () => (open -= 1))
    const at = performance.now()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body
      const schema = enforcedSchema(body)
      const canary = schema !== null && JSON.stringify(schema).includes('"signal"')
      const [{ content: prompt }] = body['messages'] as [{ content: string }]
      const format = (body['response_format'] as { type?: unknown } | undefined)?.type ?? null
      calls.push({ prompt, format, canary, at })
      const content = JSON.stringify(canary ? instanceOf(schema) : { total: 7 })
      const reply = JSON.stringify({
        object: 'chat.completion',
        model: 'm',
        choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
        usage: { prompt_tokens: 5000, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 0 } },
      })
      setTimeout(() => response.setHeader('content-type', 'application/json').end(reply), delayMs)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { calls, most, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}
