import { grounded, imageSent, MOST_TOKENS, repeated, SCHEMA, structured, type ProviderCase } from './case.ts'

export interface ChatUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly [more: string]: unknown
}

/** A Chat Completions body. */
export function chat(model: string, content: string, usage: ChatUsage, finish_reason = 'stop'): object {
  const message = { role: 'assistant', content, refusal: null }
  return { id: 'c', object: 'chat.completion', model, choices: [{ index: 0, finish_reason, message }], usage }
}

/** Prompt of a Chat Completions body, with or without an image before it. */
export function chatPrompt(body: Readonly<Record<string, unknown>>): string {
  const [{ content }] = body['messages'] as [{ content: string | { text?: string }[] }]
  return typeof content === 'string' ? content : content.at(-1)!.text!
}

/** Content of a message with an image in base64. */
export function withImage(prompt: string, image: string): object[] {
  const url = `data:image/png;base64,${image}`
  return [
    { type: 'image_url', image_url: { url, detail: 'high' } },
    { type: 'text', text: prompt },
  ]
}

export const STRICT = {
  response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: SCHEMA } },
}

const cited = (url: string) => ({ type: 'url_citation', url, title: 'Tides', start_index: 0, end_index: 4 })
const search = (id: string, action: object) => ({ type: 'web_search_call', id, status: 'completed', action })
const FOUND = 'High water at 4, see https://harbour.test/plan.'

const REPLIES = {
  schema: chat('gpt-5.6-text', '{"total": 7}', {
    prompt_tokens: 1100,
    completion_tokens: 90,
    prompt_tokens_details: { cached_tokens: 128, cache_write_tokens: 300 },
    completion_tokens_details: { reasoning_tokens: 64 },
  }),
  image: chat('gpt-5.6-eye', '{"total": 9}', {
    prompt_tokens: 2222,
    completion_tokens: 33,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 11 },
  }),
  grounding: {
    id: 'r',
    object: 'response',
    status: 'completed',
    model: 'gpt-5.6-search',
    output: [
      search('w1', { type: 'search', query: 'tides', sources: [{ type: 'url', url: 'https://sea.test/' }] }),
      search('w2', { type: 'search', query: 'brest' }),
      // Opening a page is no search, and not billed as one.
      search('w3', { type: 'open_page', url: 'https://sea.test/' }),
      {
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'output_text', text: FOUND, annotations: [cited('https://tides.test/brest?utm_source=openai')] },
        ],
      },
    ],
    usage: {
      input_tokens: 3100,
      output_tokens: 210,
      total_tokens: 3310,
      input_tokens_details: { cached_tokens: 700, cache_write_tokens: 1000 },
      output_tokens_details: { reasoning_tokens: 150 },
    },
  },
}
const PRIME = chat('gpt-5.6-first', 'First.', {
  prompt_tokens: 2600,
  completion_tokens: 12,
  prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 2560 },
  completion_tokens_details: { reasoning_tokens: 2 },
})
const REPEAT = chat('gpt-5.6-second', 'Second.', {
  prompt_tokens: 2600,
  completion_tokens: 17,
  prompt_tokens_details: { cached_tokens: 2432, cache_write_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 5 },
})

/** US dollars per million tokens: input 4, cached 0.40, written 5, output 20; a thousand searches 10. */
export const OPENAI: ProviderCase = {
  model: 'openai/gpt-5.6',
  variable: 'OPENAI',
  base: '/v1',
  keyIn: (headers) => headers.authorization,
  reply: (asked, again) => (asked === 'caching' ? (again ? REPEAT : PRIME) : REPLIES[asked]),
  echo: (text) => chat(text, text, { prompt_tokens: 1, completion_tokens: 1 }, text),
  samples: (imageSha256) => ({
    schema: structured({
      tokensIn: 1100,
      tokensOut: 90,
      cachedTokens: 128,
      cacheWriteTokens: 300,
      reasoningTokens: 64,
      // 672 x 4 + 128 x 0.40 + 300 x 5 + 90 x 20
      costUsd: 0.0060392,
      output: '{"total": 7}',
      rawFinishReason: 'stop',
      servedModel: 'gpt-5.6-text',
    }),
    image: structured({
      valueAccuracy: 0,
      mismatches: [{ path: 'total', expected: 7, actual: 9 }],
      tokensIn: 2222,
      tokensOut: 33,
      cachedTokens: 0,
      cacheWriteTokens: null,
      reasoningTokens: 11,
      // 2,222 x 4 + 33 x 20
      costUsd: 0.009548,
      output: '{"total": 9}',
      rawFinishReason: 'stop',
      servedModel: 'gpt-5.6-eye',
      sentImages: imageSent(imageSha256),
    }),
    grounding: grounded({
      citations: [
        { url: 'https://tides.test/brest', kind: 'native' },
        { url: 'https://harbour.test/plan', kind: 'text' },
      ],
      tokensIn: 3100,
      tokensOut: 210,
      cachedTokens: 700,
      cacheWriteTokens: 1000,
      reasoningTokens: 150,
      // 1,400 x 4 + 700 x 0.40 + 1,000 x 5 + 210 x 20, and two searches
      costUsd: 0.03508,
      output: FOUND,
      rawFinishReason: 'completed',
      servedModel: 'gpt-5.6-search',
    }),
    caching: repeated({
      cacheMarker: 'key',
      primeCachedTokens: 0,
      cachedShare: 2432 / 2600,
      tokensIn: 2600,
      tokensOut: 17,
      cachedTokens: 2432,
      cacheWriteTokens: 0,
      reasoningTokens: 5,
      // 40 x 4 + 2,560 x 5 + 12 x 20, then 168 x 4 + 2,432 x 0.40 + 17 x 20
      costUsd: 0.0151848,
      output: 'Second.',
      rawFinishReason: 'stop',
      servedModel: 'gpt-5.6-second',
    }),
  }),
  request(asked, prompt, image, mark) {
    if (asked === 'grounding') {
      const include = ['web_search_call.action.sources']
      const input = [{ role: 'user', content: prompt }]
      const tools = [{ type: 'web_search' }]
      return {
        path: '/v1/responses',
        body: { model: 'gpt-5.6', input, max_output_tokens: MOST_TOKENS, max_tool_calls: 10, tools, include },
      }
    }
    const content = asked === 'image' ? withImage(prompt, image) : prompt
    const extra = asked === 'caching' ? { prompt_cache_key: mark } : STRICT
    const messages = [{ role: 'user', content }]
    return {
      path: '/v1/chat/completions',
      body: { model: 'gpt-5.6', messages, max_completion_tokens: MOST_TOKENS, ...extra },
    }
  },
  promptOf: (body) =>
    body['input'] === undefined ? chatPrompt(body) : (body['input'] as [{ content: string }])[0].content,
}
