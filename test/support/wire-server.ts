import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { CallRequest, ModelReply } from '../../src/model/call.ts'
import type { JsonSchema } from '../../src/model/fixture.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { requestOf as plainRequest } from './gateway.ts'

export { factsOf, faultOf } from '../../kits/adapter-kit/faults.ts'

/** A schema with the keywords that only name a document, and with a field called like one of them. */
export const SCHEMA: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://forms.test/receipt',
  type: 'object',
  properties: { total: { type: 'number' }, $id: { type: 'string' } },
  required: ['total'],
  additionalProperties: false,
}

export function requestOf(more: Partial<CallRequest> = {}): CallRequest {
  return plainRequest({ prompt: 'Read the receipt.', maxOutputTokens: 321, ...more })
}

/** Calls a model named `tiny-vision`. */
export function callTo(
  provider: Provider,
  request: CallRequest = requestOf(),
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelReply> {
  return provider.call(request, { model: 'tiny-vision', signal })
}

/** One request as it arrived. */
interface Received {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

interface WireServer {
  /** Requests of the running test, in order. */
  readonly received: Received[]
  /** Answers at `url` with these responses, one after the other, then with the last again. */
  answer(responses: readonly (() => Response)[], url?: string): void
}

/**
 * An msw server for the tests of a file; whatever no test answers is an error.
 * @param usualUrl where it answers unless a test says otherwise.
 */
export function useWireServer(usualUrl: string): WireServer {
  const server = setupServer()
  const received: Received[] = []
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
  afterEach(() => {
    server.resetHandlers()
    received.length = 0
  })
  afterAll(() => server.close())
  return {
    received,
    answer(responses, url = usualUrl) {
      let next = 0
      server.use(
        http.post(url, async ({ request }) => {
          const body = (await request.clone().json()) as Record<string, unknown>
          received.push({ method: request.method, url: request.url, headers: request.headers, body })
          return responses[Math.min(next++, responses.length - 1)]!()
        }),
      )
    },
  }
}

/** A JSON response. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): () => Response {
  return () => HttpResponse.json(body as object, { status, headers })
}

/** A response with this very text as its body. */
export function text(body: string, status = 200, type = 'application/json'): () => Response {
  return () => new HttpResponse(body, { status, headers: { 'content-type': type } })
}
