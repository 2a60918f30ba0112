import { requestOf as plainRequest } from '../../support/gateway.ts'
import { createHash } from 'node:crypto'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { CallRequest, ModelReply } from '../../../src/model/call.ts'
import type { JsonSchema } from '../../../src/model/fixture.ts'
import { FAMILY } from '../../../src/providers/openai/family.ts'
import { createProviderSet } from '../../../src/providers/provider-set.ts'
import { ProviderFault, type Provider } from '../../../src/providers/provider.ts'

export const ADDRESS = 'http://models.test:8123/v1'
export const CHAT_URL = `${ADDRESS}/chat/completions`
export const RESPONSES_URL = `${ADDRESS}/responses`
/** Own addresses of the hosts of the family. */
export const HOST_ADDRESSES = {
  openai: 'https://api.openai.com/v1',
  deepseek: 'https://api.deepseek.com',
  xai: 'https://api.x.ai/v1',
  openrouter: 'https://openrouter.ai/api/v1',
  deepinfra: 'https://api.deepinfra.com/v1/openai',
  fireworks: 'https://api.fireworks.ai/inference/v1',
  groq: 'https://api.groq.com/openai/v1',
  together: 'https://api.together.xyz/v1',
  mistral: 'https://api.mistral.ai/v1',
} as const
export type HostName = keyof typeof HOST_ADDRESSES
export const HOST_NAMES = Object.keys(HOST_ADDRESSES) as HostName[]

export const SCHEMA: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://forms.test/receipt',
  type: 'object',
  properties: { total: { type: 'number' }, $id: { type: 'string' } },
  required: ['total'],
  additionalProperties: false,
}

/** A provider of an own provider set, as a run would get it. */
export function providerAt(
  baseUrl: string | null,
  { name = 'compatible', apiKey = null as string | null } = {},
): Provider {
  const only = (value: string | null) => (provider: string) => (provider === name ? value : null)
  return createProviderSet({ environment: { apiKey: only(apiKey), baseUrl: only(baseUrl) } }).get(name)
}

/** A hosted provider, moved to the address of the tests unless told otherwise. */
export function hostAt(
  name: string,
  { baseUrl = ADDRESS as string | null, apiKey = 'key-of-vera' as string | null } = {},
): Provider {
  const only = (value: string | null) => (provider: string) => (provider === name ? value : null)
  return FAMILY[name]!({ apiKey: only(apiKey), baseUrl: only(baseUrl) })
}

/** A white PNG, as a fixture holds it. */
export async function pngOf(width: number, height: number) {
  const plain = { create: { width, height, channels: 3 as const, background: '#ffffff' } }
  const bytes = new Uint8Array(await sharp(plain).png().toBuffer())
  return { bytes, mediaType: 'image/png' as const, sha256: createHash('sha256').update(bytes).digest('hex') }
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

/** The fault a call ends with; a reply, or any other error, fails the test. */
export async function faultOf(call: Promise<ModelReply>): Promise<ProviderFault> {
  const end = await call.catch((error: unknown) => error)
  expect(end).toBeInstanceOf(ProviderFault)
  return end as ProviderFault
}

/** What a test asserts of a fault. */
export const factsOf = ({ failureClass, billing, retryAfterMs, retryable }: ProviderFault) => ({
  failureClass,
  billing,
  retryAfterMs,
  retryable,
})

/** A reply body with one choice. */
export function chat(message: object, more: object = {}) {
  return { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message } }], ...more }
}

/** One request as it arrived. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

export interface ChatServer {
  /** Requests of the running test, in order. */
  readonly received: Received[]
  /** Answers at `url` with these responses, one after the other, then with the last again. */
  answer(responses: readonly (() => Response)[], url?: string): void
}

/** An msw server for the tests of a file; whatever no test answers is an error. */
export function useChatServer(): ChatServer {
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
    answer(responses, url = CHAT_URL) {
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
