import type { Anthropic } from '@anthropic-ai/sdk'
import type { CallRequest, Rung } from '../../model/call.ts'
import { coaching } from '../coaching.ts'
import type { PreparedImage } from '../prepare-image.ts'
import { ANTHROPIC_MOST_SEARCHES } from '../search-prices.ts'
import { wireSchema } from '../wire-schema.ts'

/**
 * A request in Messages form.
 * @param images those of the request, as they are to be sent.
 * @param rung null when no structure is asked for. There is no JSON mode: on that rung the prompt alone asks for it.
 */
export function messagesBody(
  request: CallRequest,
  images: readonly PreparedImage[],
  model: string,
  rung: Rung | null,
): Anthropic.MessageCreateParamsNonStreaming {
  const schema = request.answerSchema
  const coached = rung === 'json_mode' && schema !== null
  const prompt: Anthropic.TextBlockParam = {
    type: 'text',
    text: coached ? `${request.prompt}\n\n${coaching(schema)}` : request.prompt,
    // What is cached is everything up to the marker, images included.
    ...(request.cacheKey !== null && { cache_control: { type: 'ephemeral' } }),
  }
  return {
    model,
    max_tokens: request.maxOutputTokens,
    messages: [{ role: 'user', content: [...images.map(imageBlock), prompt] }],
    ...(rung === 'native' &&
      schema !== null && { output_config: { format: { type: 'json_schema', schema: wireSchema(schema) } } }),
    ...(request.search && {
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: ANTHROPIC_MOST_SEARCHES }],
    }),
  }
}

function imageBlock({ sent, base64 }: PreparedImage): Anthropic.ImageBlockParam {
  const media_type = sent.mediaType as Anthropic.Base64ImageSource['media_type']
  return { type: 'image', source: { type: 'base64', media_type, data: base64 } }
}
