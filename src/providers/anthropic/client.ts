import type { Anthropic } from '@anthropic-ai/sdk'
import { HARNESS_VERSION } from '../../model/version.ts'
import { bounded } from '../bounded-body.ts'
import { NO_DEADLINE_MS } from '../no-deadline.ts'

export interface ClientOptions {
  readonly apiKey: string
  readonly address: URL
}

/** The version whose format the SDK's types describe. */
const API_VERSION = '2026-10-21'

/** The SDK is loaded when first needed; everything it could take from the environment is passed. */
export async function openClient({ apiKey, address }: ClientOptions): Promise<Anthropic> {
  const { Anthropic: Client } = await import('@anthropic-ai/sdk')
  const client = new Client({
    // The SDK adds the version to the path itself; addresses of other providers end with it.
    baseURL: `${address.origin}${address.pathname.replace(/(\/v1)?\/*$/, '')}`,
    defaultQuery: Object.fromEntries(address.searchParams),
    apiKey,
    authToken: null,
    webhookKey: null,
    openTelemetry: false,
    maxRetries: 0,
    timeout: NO_DEADLINE_MS,
    logLevel: 'off',
    fetch: fetchWithOwnHeaders(apiKey),
  })
  forgetCustomHeaders(client)
  return client
}

/**
 * One request of the Messages API. The SDK's own method for it writes about models that grow old to the console and
 * refuses answers that could be long.
 * @param hear is told the headers of an answer, be it an error.
 */
export async function postMessage(
  sdk: Anthropic,
  body: Anthropic.MessageCreateParamsNonStreaming,
  signal: AbortSignal,
  hear: (headers: Headers) => void,
): Promise<unknown> {
  try {
    const { data, response } = await sdk.post('/v1/messages', { body, signal }).withResponse()
    hear(response.headers)
    return data
  } catch (error) {
    const { headers } = error as { readonly headers?: unknown }
    if (headers instanceof Headers) hear(headers)
    throw error
  }
}

/** `ANTHROPIC_CUSTOM_HEADERS` cannot be switched off, and a line of it that is no header would fail every call. */
function forgetCustomHeaders(client: Anthropic): void {
  const { _options: options } = client as unknown as { readonly _options?: { defaultHeaders?: unknown } }
  delete options?.defaultHeaders
}

/** What the SDK would send holds facts about this machine, and whatever else it finds. */
function fetchWithOwnHeaders(apiKey: string): typeof fetch {
  const headers = {
    accept: 'application/json',
    'anthropic-version': API_VERSION,
    'content-type': 'application/json',
    'user-agent': `modelrig-probes/${HARNESS_VERSION}`,
    'x-api-key': apiKey,
  }
  return async (url, init) => {
    try {
      // A redirect would take the key along to wherever it points.
      return bounded(await fetch(url, { ...init, headers, redirect: 'manual' }))
    } catch (cause) {
      // The SDK drops an error whose cause speaks of a timeout, and its code with it. It looks no deeper than that.
      throw new Error('no connection', { cause })
    }
  }
}
