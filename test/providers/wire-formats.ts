import { at } from '../../kits/adapter-kit/chat-format.ts'
import type { WireFormat as AnyWireFormat } from '../../kits/adapter-kit/wire-format.ts'
import type { FinishReason } from '../../src/model/call.ts'

/** All that the tests of this repository ask of a format. */
export type WireFormat = Required<AnyWireFormat>

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
