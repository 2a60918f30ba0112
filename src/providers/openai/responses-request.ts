import type { CallRequest } from '../../model/call.ts'
import type { PreparedImage } from '../prepare-image.ts'
import { dataUrl } from './chat-request.ts'

/** Body of a Responses request that searches, as far as it is used here. */
export interface ResponsesBody {
  readonly model: string
  readonly input: readonly { readonly role: 'user'; readonly content: string | readonly InputPart[] }[]
  readonly max_output_tokens: number
  readonly tools: readonly { readonly type: 'web_search' }[]
  readonly include?: readonly string[]
}

type InputPart =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly image_url: string; readonly detail: 'high' }

/**
 * A request for plain text, with a search, in Responses form. Whether to search is left to the model: that it does is
 * part of what is measured.
 * @param listSources false where a server does not take `include`; then only the sources it cites are known.
 */
export function responsesBody(
  request: CallRequest,
  model: string,
  images: readonly PreparedImage[],
  listSources: boolean,
): ResponsesBody {
  const content =
    images.length === 0
      ? request.prompt
      : [...images.map(imagePart), { type: 'input_text' as const, text: request.prompt }]
  return {
    model,
    input: [{ role: 'user', content }],
    max_output_tokens: request.maxOutputTokens,
    tools: [{ type: 'web_search' }],
    ...(listSources && { include: ['web_search_call.action.sources'] }),
  }
}

function imagePart(image: PreparedImage): InputPart {
  return { type: 'input_image', image_url: dataUrl(image), detail: 'high' }
}
