import type { CallRequest, Rung } from '../../model/call.ts'
import { canonicalJson } from '../../model/canonical-json.ts'
import type { JsonSchema } from '../../model/fixture.ts'

/** Body of a Chat Completions request, as far as it is used here. */
export interface ChatBody {
  readonly model: string
  readonly messages: readonly { readonly role: 'user'; readonly content: string | readonly ContentPart[] }[]
  readonly max_tokens: number
  readonly response_format?:
    | { readonly type: 'json_object' }
    | { readonly type: 'json_schema'; readonly json_schema: { name: string; strict: true; schema: JsonSchema } }
}

/** What a server takes of the format. */
export interface ChatDialect {
  /** False: it refuses `json_object`, so JSON mode is coaching alone. */
  readonly jsonObject: boolean
}

type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string; readonly detail: 'high' } }

/** A request in Chat Completions form. @param rung null when no structure is asked for. */
export function chatBody(request: CallRequest, model: string, rung: Rung | null, dialect: ChatDialect): ChatBody {
  const schema = request.answerSchema
  const coached = rung === 'json_mode' && schema !== null
  const text = coached ? `${request.prompt}\n\n${coaching(schema)}` : request.prompt
  const content =
    request.images.length === 0 ? text : [...request.images.map(imagePart), { type: 'text' as const, text }]
  const body = { model, messages: [{ role: 'user' as const, content }], max_tokens: request.maxOutputTokens }
  if (rung === 'json_mode' && dialect.jsonObject) return { ...body, response_format: { type: 'json_object' } }
  if (rung === 'native' && schema !== null) {
    const json_schema = { name: 'answer', strict: true as const, schema: wireSchema(schema) }
    return { ...body, response_format: { type: 'json_schema', json_schema } }
  }
  return body
}

/** JSON mode of several providers wants the word "JSON" in the prompt. */
function coaching(schema: JsonSchema): string {
  return `Answer with one JSON object and nothing else. It must be valid against this JSON Schema:\n${canonicalJson(schema)}`
}

function imagePart(image: CallRequest['images'][number]): ContentPart {
  const data = Buffer.from(image.bytes).toString('base64')
  return { type: 'image_url', image_url: { url: `data:${image.mediaType};base64,${data}`, detail: 'high' } }
}

/** Some servers refuse the keywords that only name the document. */
function wireSchema(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, $id: _id, ...rest } = schema
  return rest
}
