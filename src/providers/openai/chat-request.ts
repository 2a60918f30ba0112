import type { CallRequest, Rung } from '../../model/call.ts'
import type { JsonSchema } from '../../model/fixture.ts'
import { coaching } from '../coaching.ts'
import type { PreparedImage } from '../prepare-image.ts'
import type { ChatDialect } from './dialect.ts'
import { wireSchema } from '../wire-schema.ts'

/** Body of a Chat Completions request, as far as it is used here. */
export interface ChatBody {
  readonly model: string
  readonly messages: readonly { readonly role: 'user'; readonly content: string | readonly ContentPart[] }[]
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly response_format?:
    | { readonly type: 'json_object' }
    | { readonly type: 'json_schema'; readonly json_schema: { name: string; strict: true; schema: JsonSchema } }
  readonly plugins?: readonly { readonly id: 'web' }[]
}

/** What a request holds beside the request in common terms. */
export interface ChatParts {
  readonly model: string
  /** Null when no structure is asked for. */
  readonly rung: Rung | null
  readonly images: readonly PreparedImage[]
  /** Switches OpenRouter's `web` plugin on. */
  readonly webPlugin: boolean
  /** Marks the end of the prompt as the end of what is to be cached. */
  readonly breakpoint: boolean
  readonly dialect: ChatDialect
}

type ContentPart =
  | { readonly type: 'text'; readonly text: string; readonly cache_control?: { readonly type: 'ephemeral' } }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string; readonly detail: 'high' } }

/** A request in Chat Completions form. */
export function chatBody(request: CallRequest, parts: ChatParts): ChatBody {
  const { model, rung, images, webPlugin, breakpoint, dialect } = parts
  const schema = request.answerSchema
  const coached = rung === 'json_mode' && schema !== null
  const text = coached ? `${request.prompt}\n\n${coaching(schema)}` : request.prompt
  const marked = { type: 'text' as const, text, ...(breakpoint && { cache_control: { type: 'ephemeral' as const } }) }
  const content = images.length === 0 && !breakpoint ? text : [...images.map(imagePart), marked]
  const body = {
    model,
    messages: [{ role: 'user' as const, content }],
    // The old name is refused by OpenAI's reasoning models, the new one is unknown to several other hosts.
    [dialect.limitField ?? 'max_tokens']: request.maxOutputTokens,
    ...(webPlugin && { plugins: [{ id: 'web' as const }] }),
  }
  if (rung === 'json_mode' && dialect.jsonObject !== false) return { ...body, response_format: { type: 'json_object' } }
  if (rung === 'native' && schema !== null) {
    const json_schema = { name: 'answer', strict: true as const, schema: wireSchema(schema) }
    return { ...body, response_format: { type: 'json_schema', json_schema } }
  }
  return body
}

function imagePart(image: PreparedImage): ContentPart {
  return { type: 'image_url', image_url: { url: dataUrl(image), detail: 'high' } }
}

/** An image as the address of its own content. */
export function dataUrl({ sent, base64 }: PreparedImage): string {
  return `data:${sent.mediaType};base64,${base64}`
}
