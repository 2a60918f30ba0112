import type { CallRequest } from '../../model/call.ts'
import type { PreparedImage } from '../prepare-image.ts'
import { MOST_SEARCHES } from '../provider.ts'
import { dataUrl } from './chat-request.ts'

/** Body of a Responses request that searches, as far as it is used here. */
export interface ResponsesBody {
  readonly model: string
  readonly input: readonly { readonly role: 'user'; readonly content: string | readonly InputPart[] }[]
  readonly max_output_tokens: number
  readonly tools: readonly { readonly type: 'web_search' }[]
  readonly max_tool_calls?: number
  readonly include?: readonly string[]
}

/** What a server takes beside the usual fields. */
interface Takes {
  /** `include`; without it only the sources that an answer cites are known. */
  readonly listSources: boolean
  /** `max_tool_calls`. */
  readonly toolCallsBound: boolean
}

type InputPart =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly image_url: string; readonly detail: 'high' }

/**
 * A request for plain text, with a search, in Responses form. Whether to search is left to the model: that it does is
 * part of what is measured.
 */
export function responsesBody(
  request: CallRequest,
  model: string,
  images: readonly PreparedImage[],
  { listSources, toolCallsBound }: Takes,
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
    // Pages that are opened count among them, so that there are never more searches.
    ...(toolCallsBound && { max_tool_calls: MOST_SEARCHES }),
    ...(listSources && { include: ['web_search_call.action.sources'] }),
  }
}

function imagePart(image: PreparedImage): InputPart {
  return { type: 'input_image', image_url: dataUrl(image), detail: 'high' }
}
