import type OpenAI from 'openai'
import type { AccountLimit, CallRequest, ModelReply, Rung } from '../../model/call.ts'
import type { ProbeClass } from '../../model/fixture.ts'
import { accountLimitFrom } from '../limit-headers.ts'
import { prepareImages, type PreparedImage } from '../prepare-image.ts'
import { presentable } from '../presentable.ts'
import { ProviderFault, type CallContext, type OwnServer, type Price, type Provider } from '../provider.ts'
import { coachingOnly, createClimbDown } from '../rungs.ts'
import { faultFromChat, isIncludeRejection, isSchemaRejection } from './chat-fault.ts'
import { replyFromChat, replyFromRejection } from './chat-reply.ts'
import { chatBody } from './chat-request.ts'
import { openClient, type Endpoint } from './client.ts'
import { cacheMarks, IMAGE_LIMITS, nativeRungOf, type CacheMarks, type ChatDialect } from './dialect.ts'
import { replyFromResponses } from './responses-reply.ts'
import { responsesBody } from './responses-request.ts'

/** A provider of the family, as its makers describe it. */
export interface ChatProviderOptions extends Endpoint {
  readonly name: string
  readonly classes: readonly ProbeClass[]
  /** Null: not known. */
  readonly price: (model: string) => Price | null
  readonly priceSource: string
  /** Name in the bundled price list, which is asked where the price is not known. */
  readonly priceList?: string | undefined
  readonly dialect: ChatDialect
  readonly server?: OwnServer
}

/** A provider that speaks OpenAI Chat Completions, and Responses where its searches need it, through the official SDK. */
export function createChatProvider(options: ChatProviderOptions): Provider {
  const { name, dialect } = options
  const climbDown = createClimbDown(isSchemaRejection)
  const nativeRung = nativeRungOf(dialect)
  let listSources = true

  /** Makes one request, with whatever goes wrong turned into a fault. */
  const send = async (
    request: CallRequest,
    { model, signal }: CallContext,
    exchange: (sdk: OpenAI, images: readonly PreparedImage[], cache: CacheMarks) => Promise<ModelReply>,
  ): Promise<ModelReply> => {
    let limit: AccountLimit | null = null
    const hear = (headers: Headers): void => void (limit = accountLimitFrom(headers))
    try {
      const cache = cacheMarks(request.cacheKey, model, dialect)
      const sdk = await openClient(options, cache.headers, hear)
      const images = await prepareImages(request.images, dialect.imageLimits ?? IMAGE_LIMITS)
      if (signal.aborted)
        throw new ProviderFault('timeout', 'the call was ended before it was sent', { billing: { kind: 'none' } })
      const reply = await exchange(sdk, images, cache)
      const sentImages = images.map((image) => image.sent)
      return { ...reply, cacheMarker: cache.marker, sentImages, ...(limit !== null && { accountLimit: limit }) }
    } catch (error) {
      throw presentable(faultFromChat(error, signal), options.apiKey, limit)
    }
  }

  const chat = (
    request: CallRequest,
    context: CallContext,
    rung: Rung | null,
    rungFallback: string | null = null,
  ): Promise<ModelReply> =>
    send(request, context, async (sdk, images, cache) => {
      const webPlugin = request.search && dialect.search === 'web_plugin'
      const parts = { model: context.model, rung, images, webPlugin, breakpoint: cache.breakpoint, dialect }
      const asked = { rung, rungFallback, usageRule: dialect.usage }
      // The body is the wire format of many servers, some of it not in the SDK's own types.
      const body = {
        ...cache.body,
        ...chatBody(request, parts),
      } as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming
      try {
        const reply = replyFromChat(await sdk.chat.completions.create(body, { signal: context.signal }), asked)
        return { ...reply, searchRequested: webPlugin }
      } catch (error) {
        const rejected = replyFromRejection(error)
        if (rejected === null) throw error
        return { ...rejected, rung, rungFallback, searchRequested: webPlugin }
      }
    })

  const respond = (request: CallRequest, context: CallContext): Promise<ModelReply> =>
    send(request, context, async (sdk, images, cache) => {
      const takes = { listSources, toolCallsBound: dialect.toolCallsBound ?? false }
      const body = { ...cache.body, ...responsesBody(request, context.model, images, takes) }
      // `responses.create` reads the output of every reply and throws on one that has none.
      try {
        return replyFromResponses(await sdk.post('/responses', { body, signal: context.signal }), dialect.usage)
      } catch (error) {
        const rejected = replyFromRejection(error)
        if (rejected === null) throw error
        return { ...rejected, searchRequested: true }
      }
    })

  const search = async (request: CallRequest, context: CallContext): Promise<ModelReply> => {
    if (listSources) {
      try {
        return await respond(request, context)
      } catch (error) {
        if (!isIncludeRejection(error as ProviderFault)) throw error
        listSources = false
      }
    }
    return respond(request, context)
  }

  const structured = async (request: CallRequest, context: CallContext): Promise<ModelReply> => {
    if (nativeRung !== 'none') return climbDown(request, context.model, (...step) => chat(request, context, ...step))
    const message = `${name} takes no JSON Schema to enforce; the rung can only be json_mode`
    return chat(request, context, ...coachingOnly(request.rung, 'unsupported', message))
  }

  return {
    name,
    ...(options.apiKey !== null && { secrets: [options.apiKey] }),
    classes: options.classes,
    simulated: false,
    nativeRung,
    priceSource: options.priceSource,
    ...(options.priceList !== undefined && { priceList: options.priceList }),
    price: options.price,
    ...(options.server !== undefined && { server: options.server }),
    async call(request, context): Promise<ModelReply> {
      if (request.search && dialect.search === 'responses') return search(request, context)
      // A search is asked for in plain text: with a schema, citations get lost or end up inside the answer.
      const plain = request.answerSchema === null || (request.search && dialect.search !== undefined)
      return plain ? chat(request, context, null) : structured(request, context)
    },
  }
}
