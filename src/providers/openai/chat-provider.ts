import type OpenAI from 'openai'
import type { CallRequest, ModelReply, Rung } from '../../model/call.ts'
import { canonicalJson } from '../../model/canonical-json.ts'
import type { CallContext, Price, Provider } from '../provider.ts'
import { faultFromChat, isSchemaRejection } from './chat-fault.ts'
import { replyFromChat } from './chat-reply.ts'
import { chatBody } from './chat-request.ts'

export interface ChatProviderOptions {
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: string | null
  /** Null: not known. */
  readonly price: Price | null
  readonly priceSource: string
}

/** A provider that speaks OpenAI Chat Completions, through the official SDK. */
export function createChatProvider(options: ChatProviderOptions): Provider {
  let client: Promise<OpenAI> | null = null
  /** Model and schema pairs whose native rung the server has refused. */
  const rejected = new Set<string>()

  const send = async (request: CallRequest, context: CallContext, rung: Rung | null): Promise<unknown> => {
    client ??= openClient(options)
    const sdk = await client
    // The body is the wire format of many servers, some of it not in the SDK's own types.
    const body = chatBody(request, context.model, rung) as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming
    return sdk.chat.completions.create(body, { signal: context.signal })
  }

  return {
    name: options.name,
    classes: ['image'],
    simulated: false,
    priceSource: options.priceSource,
    price: () => options.price,
    async call(request, context): Promise<ModelReply> {
      const structured = request.answerSchema !== null
      const native = structured && request.rung !== 'json_mode'
      try {
        if (native && !(rejected.size > 0 && rejected.has(schemaKey(request, context)))) {
          try {
            return replyFromChat(await send(request, context, 'native'), 'native', null)
          } catch (error) {
            if (request.rung === 'native' || !isSchemaRejection(error)) throw error
            rejected.add(schemaKey(request, context))
          }
        }
        const rung = structured ? 'json_mode' : null
        return replyFromChat(await send(request, context, rung), rung, native ? 'schema_rejected' : null)
      } catch (error) {
        throw faultFromChat(error)
      }
    },
  }
}

function schemaKey(request: CallRequest, context: CallContext): string {
  return `${context.model} ${canonicalJson(request.answerSchema)}`
}

/** The SDK is loaded when first needed; everything it could take from the environment is passed. */
async function openClient(options: ChatProviderOptions): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai')
  return new Client({
    baseURL: options.baseUrl,
    apiKey: options.apiKey ?? 'none',
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
  })
}
