import type OpenAI from 'openai'
import type { CallRequest, ModelReply, Rung } from '../../model/call.ts'
import { canonicalJson } from '../../model/canonical-json.ts'
import { ProviderFault, type CallContext, type Price, type Provider } from '../provider.ts'
import { faultFromChat, isSchemaRejection } from './chat-fault.ts'
import { chatFetch } from './chat-fetch.ts'
import { replyFromChat } from './chat-reply.ts'
import { chatBody, type ChatDialect } from './chat-request.ts'

export interface ChatProviderOptions {
  readonly name: string
  readonly baseUrl: string
  /** Null: none is sent. */
  readonly apiKey: string | null
  /** Null: not known. */
  readonly price: Price | null
  readonly priceSource: string
  readonly dialect: ChatDialect
}

/** The gateway's signal is the only deadline; the SDK takes no more than a timer does. */
const NO_DEADLINE_MS = 2 ** 31 - 1
/** Error pages can be long, and what a fault says lands in result files. */
const MESSAGE_LIMIT = 500

/** A provider that speaks OpenAI Chat Completions, through the official SDK. */
export function createChatProvider(options: ChatProviderOptions): Provider {
  let client: Promise<OpenAI> | null = null
  /** Model and schema pairs whose native rung the server has refused. */
  const rejected = new Set<string>()

  const send = async (
    request: CallRequest,
    { model, signal }: CallContext,
    rung: Rung | null,
    rungFallback: string | null,
  ): Promise<ModelReply> => {
    try {
      client ??= openClient(options)
      const sdk = await client
      if (signal.aborted)
        throw new ProviderFault('timeout', 'the call was ended before it was sent', { billing: { kind: 'none' } })
      // The body is the wire format of many servers, some of it not in the SDK's own types.
      const body = chatBody(
        request,
        model,
        rung,
        options.dialect,
      ) as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming
      return replyFromChat(await sdk.chat.completions.create(body, { signal }), rung, rungFallback)
    } catch (error) {
      const fault = faultFromChat(error, signal)
      fault.message = presentable(fault.message, options.apiKey)
      throw fault
    }
  }

  return {
    name: options.name,
    classes: ['image'],
    simulated: false,
    priceSource: options.priceSource,
    price: () => options.price,
    async call(request, context): Promise<ModelReply> {
      if (request.answerSchema === null) return send(request, context, null, null)
      if (request.rung !== 'auto') return send(request, context, request.rung, null)
      const key = `${context.model} ${canonicalJson(request.answerSchema)}`
      if (!rejected.has(key)) {
        try {
          return await send(request, context, 'native', null)
        } catch (error) {
          if (!isSchemaRejection(error as ProviderFault)) throw error
          rejected.add(key)
        }
      }
      return send(request, context, 'json_mode', 'schema_rejected')
    },
  }
}

/** Some servers repeat the key they refuse. */
function presentable(message: string, apiKey: string | null): string {
  const safe = apiKey !== null && apiKey.length >= 8 ? message.replaceAll(apiKey, '***') : message
  return safe.length > MESSAGE_LIMIT ? `${safe.slice(0, MESSAGE_LIMIT)}…` : safe
}

/** The SDK is loaded when first needed; everything it could take from the environment is passed. */
async function openClient({ baseUrl, apiKey }: ChatProviderOptions): Promise<OpenAI> {
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
    fetch: chatFetch(apiKey),
  })
}
