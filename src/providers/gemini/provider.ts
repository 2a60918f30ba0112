import type { GoogleGenAI } from '@google/genai'
import type { CallRequest, ModelReply, Rung } from '../../model/call.ts'
import { canonicalJson } from '../../model/canonical-json.ts'
import { prepareImages } from '../prepare-image.ts'
import { presentable } from '../presentable.ts'
import { ProviderFault, type CallContext, type Credentials, type Provider } from '../provider.ts'
import { newExchange, recordingFetch } from './exchange.ts'
import { faultFromGemini, schemaRejection } from './fault.ts'
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
  /** Model and schema pairs whose native rung Gemini has refused. */
  const rejected = new Set<string>()

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
      return replyFromGemini(exchange.body, { rung, rungFallback, searchRequested: request.search, sentImages })
    } catch (error) {
      const fault = faultFromGemini(error, exchange, signal)
      fault.message = presentable(fault.message, settings.apiKey)
      throw fault
    }
  }

  return {
    name: 'gemini',
    classes: ['schema', 'grounding', 'caching', 'image'],
    simulated: false,
    priceSource: 'none',
    price: () => null,
    // The name becomes part of an address.
    rejectModel: (model) =>
      /^[\w-]+([./][\w-]+)*$/.test(model) ? null : 'the name holds characters that no Gemini model has',
    async call(request, context): Promise<ModelReply> {
      if (request.answerSchema === null) return send(request, context, null, null)
      if (request.search) return send(request, context, ...besideSearch(request.rung))
      if (request.rung !== 'auto') return send(request, context, request.rung, null)
      const key = `${context.model} ${canonicalJson(request.answerSchema)}`
      if (!rejected.has(key)) {
        try {
          return await send(request, context, 'native', null)
        } catch (error) {
          const rejection = schemaRejection(error as ProviderFault)
          if (rejection === null) throw error
          if (rejection === 'said') rejected.add(key)
        }
      }
      const reply = await send(request, context, 'json_mode', 'schema_rejected')
      // The same request without the schema is taken: so it was the schema.
      rejected.add(key)
      return reply
    },
  }
}

/** Structure beside a search is coaching alone. */
function besideSearch(rung: CallRequest['rung']): [Rung, string | null] {
  if (rung === 'json_mode') return [rung, null]
  if (rung === 'auto') return ['json_mode', 'unsupported_combination']
  const options = { billing: { kind: 'none' }, retryable: false } as const
  throw new ProviderFault('bad_response', 'a search and the native rung cannot be asked for together', options)
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
