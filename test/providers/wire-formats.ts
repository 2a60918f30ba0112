import type { FinishReason, Usage } from '../../src/model/call.ts'
import type { WireFormat as AnyWireFormat } from '../../kits/adapter-kit/wire-format.ts'

/** All that the tests of this repository ask of a format. */
export type WireFormat = Required<AnyWireFormat>

type Body = Readonly<Record<string, unknown>>

/** What stands at a path of a body; undefined where there is nothing. A path goes on from the end with -1. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, step) => {
    if (step === -1) return (inner as readonly unknown[] | undefined)?.at(-1)
    return (inner as Body | undefined)?.[step]
  }, value)
}

/** Numbers of every reply in common terms, each its own; 1,009 in and 167 out are 1,176. */
export const COUNTED: Usage = {
  tokensIn: 1009,
  tokensOut: 167,
  cachedTokens: 512,
  cacheWriteTokens: 128,
  reasoningTokens: 41,
}

const DATA_URL = /^data:(image\/\w+);base64,(.+)$/

/**
 * OpenAI's Chat Completions, with Responses where a request goes there.
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
): WireFormat {
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

/** Gemini's `generateContent`. */
export function geminiFormat(): WireFormat {
  const ends = new Map<FinishReason, string>([
    ['stop', 'STOP'],
    ['length', 'MAX_TOKENS'],
    ['content_filter', 'SAFETY'],
    ['other', 'LANGUAGE'],
  ])
  return {
    ends,
    reply: ({ text, end, model }) => ({
      candidates: [{ index: 0, finishReason: ends.get(end), content: { role: 'model', parts: [{ text }] } }],
      modelVersion: model,
      usageMetadata: {
        promptTokenCount: 1009,
        cachedContentTokenCount: 512,
        candidatesTokenCount: 126,
        thoughtsTokenCount: 41,
        totalTokenCount: 1176,
      },
    }),
    error: (code, message) => ({ error: { code, message } }),
    keyOf: ({ headers }) => headers['x-goog-api-key'],
    modelOf: ({ path }) => /models\/(.+):generateContent$/.exec(path)?.[1],
    limitOf: (body) => at(body, 'generationConfig', 'maxOutputTokens'),
    promptOf: (body) => String(at(body, 'contents', 0, 'parts', -1, 'text')),
    imageOf(body) {
      const inline = at(body, 'contents', 0, 'parts', 0, 'inlineData')
      return { mediaType: at(inline, 'mimeType'), base64: String(at(inline, 'data')) }
    },
    schemaOf: (body) => at(body, 'generationConfig', 'responseJsonSchema'),
  }
}

/** Anthropic's Messages. */
export function messagesFormat(): WireFormat {
  const ends = new Map<FinishReason, string>([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['refusal', 'refusal'],
    ['other', 'tool_use'],
  ])
  return {
    ends,
    reply: ({ text, end, model }) => ({
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text }],
      stop_reason: ends.get(end),
      // What the cache read and wrote stands beside the input: 369 + 512 + 128 = 1,009.
      usage: {
        input_tokens: 369,
        cache_read_input_tokens: 512,
        cache_creation_input_tokens: 128,
        output_tokens: 167,
        output_tokens_details: { thinking_tokens: 41 },
      },
    }),
    error: (_, message) => ({ type: 'error', error: { type: 'unheard_of_error', message } }),
    keyOf: ({ headers }) => headers['x-api-key'],
    modelOf: ({ body }) => body['model'],
    limitOf: (body) => body['max_tokens'],
    promptOf: (body) => String(at(body, 'messages', 0, 'content', -1, 'text')),
    imageOf(body) {
      const source = at(body, 'messages', 0, 'content', 0, 'source')
      return { mediaType: at(source, 'media_type'), base64: String(at(source, 'data')) }
    },
    schemaOf: (body) => at(body, 'output_config', 'format', 'schema'),
  }
}
