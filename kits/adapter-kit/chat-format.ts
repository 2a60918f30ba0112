import type { FinishReason, Usage } from '../../src/model/call.ts'
import type { Body, WireFormat } from './wire-format.ts'

/** What stands at a path of a body; undefined where there is nothing. A path goes on from the end with -1. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, step) => {
    if (step === -1) return (inner as readonly unknown[] | undefined)?.at(-1)
    return (inner as Body | undefined)?.[step]
  }, value)
}

/** What the replies of `chatFormat` count, in common terms, each number its own; 1,009 in and 167 out are 1,176. */
export const COUNTED: Usage = {
  tokensIn: 1009,
  tokensOut: 167,
  cachedTokens: 512,
  cacheWriteTokens: 128,
  reasoningTokens: 41,
}

const DATA_URL = /^data:(image\/\w+);base64,(.+)$/

/**
 * The wire format of OpenAI's Chat Completions, with Responses where a request goes there.
 * @param usage how a host counts `COUNTED`.
 */
export function chatFormat(
  usage: object = {
    prompt_tokens: 1009,
    completion_tokens: 167,
    total_tokens: 1176,
    prompt_tokens_details: { cached_tokens: 512, cache_write_tokens: 128 },
    completion_tokens_details: { reasoning_tokens: 41 },
  },
): Required<WireFormat> {
  const ends = new Map<FinishReason, string>([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    // A refusal has a field of its own.
    ['refusal', 'stop'],
    ['other', 'tool_calls'],
  ])
  return {
    ends,
    reply({ text, end, model }, { path }) {
      if (path.endsWith('/responses')) {
        const content = [{ type: 'output_text', text, annotations: [] }]
        return { object: 'response', status: 'completed', model, output: [{ type: 'message', content }] }
      }
      const said = end === 'refusal' ? { content: null, refusal: text } : { content: text }
      const choice = { index: 0, finish_reason: ends.get(end), message: { role: 'assistant', ...said } }
      return { object: 'chat.completion', model, choices: [choice], usage }
    },
    error: (_, message) => ({ error: { message, type: null, param: null, code: null } }),
    keyOf: ({ headers }) => headers.authorization?.replace(/^Bearer /, ''),
    modelOf: ({ body }) => body['model'],
    limitOf: (body) => body['max_completion_tokens'] ?? body['max_tokens'] ?? body['max_output_tokens'],
    promptOf(body) {
      const content = at(body['messages'] ?? body['input'], 0, 'content')
      return String(typeof content === 'string' ? content : at(content, -1, 'text'))
    },
    imageOf(body) {
      const url = at(body, 'messages', 0, 'content', 0, 'image_url', 'url')
      const [, mediaType = '', base64 = ''] = DATA_URL.exec(String(url)) ?? []
      return { mediaType, base64 }
    },
    schemaOf: (body) => at(body, 'response_format', 'json_schema', 'schema'),
  }
}
