import type { GoogleGenAI } from '@google/genai'
import type { CallRequest, ModelReply, Rung } from '../../model/call.ts'
import { accountLimitFrom } from '../limit-headers.ts'
import { prepareImages } from '../prepare-image.ts'
import { presentable } from '../presentable.ts'
import type { CallContext, Credentials, Provider } from '../provider.ts'
import { coachingOnly, createClimbDown } from '../rungs.ts'
import { newExchange, recordingFetch } from './exchange.ts'
import { faultFromGemini, isSchemaRejection } from './fault.ts'
import { replyFromGemini } from './reply.ts'
import { geminiRequest, IMAGE_LIMITS } from './request.ts'
import { geminiSettings, type GeminiSettings } from './settings.ts'

/** Not every field used here is known to be part of `v1`. */
const API_VERSION = 'v1beta'

/**
 * Google's Gemini models, through the official SDK.
 * @throws ProbeError `KEY_MISSING` without a key, `OPTION_INVALID` for a key or an address that cannot be used.
 */
export function createGeminiProvider(credentials: Credentials): Provider {
  const settings = geminiSettings(credentials)
  let client: Promise<GoogleGenAI> | null = null
  const climbDown = createClimbDown(isSchemaRejection)

  const send = async (
    request: CallRequest,
    { model, signal }: CallContext,
    rung: Rung | null,
    rungFallback: string | null,
  ): Promise<ModelReply> => {
    const exchange = newExchange()
    try {
      client ??= openClient(settings)
      const [sdk, images] = await Promise.all([client, prepareImages(request.images, IMAGE_LIMITS)])
      signal.throwIfAborted()
      const { config, ...content } = geminiRequest(request, model, rung, images)
      const httpOptions = { fetch: recordingFetch(exchange) }
      const ended: unknown = await sdk.models
        .generateContent({ ...content, config: { ...config, abortSignal: signal, httpOptions } })
        .catch((error: unknown) => error)
      // The SDK's reading of a reply drops fields and throws on others, so the reply is read from what arrived.
      if (exchange.status === null || exchange.status >= 300 || exchange.body === null) throw ended
      const sentImages = images.map(({ sent }) => sent)
      // It is sent no mark: it documents that it finds shared prefixes by itself.
      const cacheMarker = request.cacheKey === null ? null : 'automatic'
      const asked = { rung, rungFallback, cacheMarker, searchRequested: request.search, sentImages } as const
      const accountLimit = accountLimitFrom(exchange.headers)
      return { ...replyFromGemini(exchange.body, asked), ...(accountLimit !== null && { accountLimit }) }
    } catch (error) {
      throw presentable(faultFromGemini(error, exchange, signal), settings.apiKey, accountLimitFrom(exchange.headers))
    }
  }

  return {
    name: 'gemini',
    classes: ['schema', 'grounding', 'caching', 'image'],
    simulated: false,
    secrets: [settings.apiKey],
    nativeRung: 'enforced',
    priceSource: 'none',
    priceList: 'google',
    price: () => null,
    // The name becomes part of an address.
    rejectModel: (model) =>
      /^[\w-]+([./][\w-]+)*$/.test(model) ? null : 'the name holds characters that no Gemini model has',
    async call(request, context): Promise<ModelReply> {
      if (request.answerSchema === null) return send(request, context, null, null)
      if (!request.search) return climbDown(request, context.model, (...step) => send(request, context, ...step))
      const message = 'a search and the native rung cannot be asked for together'
      return send(request, context, ...coachingOnly(request.rung, 'unsupported_combination', message))
    },
  }
}

/** The SDK is loaded when first needed; everything it could take from the environment is passed. Its retries are off. */
async function openClient({ baseUrl, apiKey }: GeminiSettings): Promise<GoogleGenAI> {
  const { GoogleGenAI: Client } = await import('@google/genai')
  const { warn } = console
  // It warns that it takes GOOGLE_API_KEY where both keys are set, which it does not when it is given one.
  console.warn = () => {}
  try {
    return new Client({ apiKey, apiVersion: API_VERSION, enterprise: false, httpOptions: { baseUrl } })
  } finally {
    console.warn = warn
  }
}
