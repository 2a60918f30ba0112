import type OpenAI from 'openai'
import { NO_DEADLINE_MS } from '../no-deadline.ts'
import { chatFetch } from './chat-fetch.ts'

/** Where a call goes, and as whom. */
export interface Endpoint {
  readonly baseUrl: string
  /** Null: none is sent. */
  readonly apiKey: string | null
}

/**
 * A client for one call: it holds no connection, and its headers are the call's. The SDK is loaded when first needed;
 * everything it could take from the environment is passed.
 * @param hear is told the headers of every answer.
 */
export async function openClient(
  { baseUrl, apiKey }: Endpoint,
  headers: Readonly<Record<string, string>>,
  hear: (headers: Headers) => void,
): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai')
  return new Client({
    baseURL: baseUrl,
    // The SDK does not start without one; what is sent is up to `chatFetch`.
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_DEADLINE_MS,
    logLevel: 'off',
    fetch: chatFetch(apiKey, headers, hear),
  })
}
