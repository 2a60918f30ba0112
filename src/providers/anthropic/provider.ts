import type { Anthropic } from '@anthropic-ai/sdk'
import type { AccountLimit, CallRequest, ModelReply, Rung } from '../../model/call.ts'
import { addressOf, requiredKey } from '../endpoint.ts'
import { accountLimitFrom } from '../limit-headers.ts'
import { prepareImages, type ImageLimits } from '../prepare-image.ts'
import { presentable } from '../presentable.ts'
import { ProviderFault, type CallContext, type Credentials, type Provider } from '../provider.ts'
import { createClimbDown } from '../rungs.ts'
import { openClient, postMessage } from './client.ts'
import { faultFromMessages, isFiltered, isSchemaRejection } from './fault.ts'
import { filteredReply, replyFromMessage } from './reply.ts'
import { messagesBody } from './request.ts'

const NAME = 'anthropic'
const DEFAULT_ADDRESS = 'https://api.anthropic.com'
/** The API scales down what is larger, and refuses files above 5 MB in base64. */
const IMAGE_LIMITS: ImageLimits = { longSide: 1568, bytes: 3_500_000 }

/**
 * Anthropic's models, through the official SDK.
 * @throws ProbeError `KEY_MISSING`, or `OPTION_INVALID` for a key or an address that cannot be used.
 */
export function createAnthropicProvider(credentials: Credentials): Provider {
  const apiKey = requiredKey(NAME, credentials)
  const address = addressOf(credentials.baseUrl(NAME) ?? DEFAULT_ADDRESS, { field: 'ANTHROPIC_BASE_URL' })
  let client: Promise<Anthropic> | null = null
  const climbDown = createClimbDown(isSchemaRejection)

  const send = async (
    request: CallRequest,
    { model, signal }: CallContext,
    rung: Rung | null,
    rungFallback: string | null,
  ): Promise<ModelReply> => {
    let limit: AccountLimit | null = null
    const hear = (headers: Headers): void => void (limit = accountLimitFrom(headers))
    try {
      client ??= openClient({ apiKey, address })
      const sdk = await client
      const images = await prepareImages(request.images, IMAGE_LIMITS)
      if (signal.aborted)
        throw new ProviderFault('timeout', 'the call was ended before it was sent', { billing: { kind: 'none' } })
      const sentImages = images.map(({ sent }) => sent)
      const cacheMarker = request.cacheKey === null ? null : 'breakpoint'
      const asked = { rung, rungFallback, cacheMarker, searchRequested: request.search, sentImages } as const
      try {
        const body = messagesBody(request, images, model, rung)
        const reply = replyFromMessage(await postMessage(sdk, body, signal, hear), asked)
        return { ...reply, ...(limit !== null && { accountLimit: limit }) }
      } catch (error) {
        if (isFiltered((error as { readonly error?: unknown }).error)) return filteredReply(asked)
        throw error
      }
    } catch (error) {
      throw presentable(faultFromMessages(error, signal), apiKey, limit)
    }
  }

  return {
    name: NAME,
    classes: ['schema', 'grounding', 'caching', 'image'],
    simulated: false,
    secrets: [apiKey],
    nativeRung: 'enforced',
    price: () => null,
    priceList: 'anthropic',
    priceSource: 'none',
    async call(request, context): Promise<ModelReply> {
      if (request.answerSchema === null) return send(request, context, null, null)
      return climbDown(request, context.model, (...step) => send(request, context, ...step))
    },
  }
}
