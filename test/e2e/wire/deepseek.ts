import { MOST_TOKENS, repeated, structured, type ProviderCase } from './case.ts'
import { chat, chatPrompt } from './openai.ts'

/** Its own names for the cached part of the prompt and the rest. */
const counted = (hit: number, miss: number, completion_tokens: number, reasoning_tokens: number) => ({
  prompt_tokens: hit + miss,
  completion_tokens,
  total_tokens: hit + miss + completion_tokens,
  prompt_cache_hit_tokens: hit,
  prompt_cache_miss_tokens: miss,
  completion_tokens_details: { reasoning_tokens },
})
const ANSWER = chat('deepseek-v4-0801', '{"total": 7.0}', counted(64, 346, 19, 8))
const PRIME = chat('deepseek-v4-0802', 'Erste.', counted(0, 900, 7, 1))
const REPEAT = chat('deepseek-v4-0803', 'Zweite.', counted(832, 68, 11, 3))

/** What is said to a model whose host enforces no schema: keys in order, no space. */
const COACHING =
  '{"additionalProperties":false,"properties":{"total":{"type":"number"}},"required":["total"],"type":"object"}'

/** US dollars per million tokens at the dearest hour: input 0.27, hit 0.07, output 1.10. */
export const DEEPSEEK: ProviderCase = {
  model: 'deepseek/deepseek-chat',
  variable: 'DEEPSEEK',
  base: '',
  keyIn: (headers) => headers.authorization,
  reply: (asked, again) => (asked === 'caching' ? (again ? REPEAT : PRIME) : ANSWER),
  echo: (text) => chat(text, text, counted(0, 1, 1, 0), text),
  samples: () => ({
    schema: structured({
      rung: 'json_mode',
      rungFallback: 'unsupported',
      tokensIn: 410,
      tokensOut: 19,
      cachedTokens: 64,
      // A miss is no write.
      cacheWriteTokens: null,
      reasoningTokens: 8,
      // 346 x 0.27 + 64 x 0.07 + 19 x 1.10
      costUsd: 0.0001188,
      output: '{"total": 7.0}',
      rawFinishReason: 'stop',
      servedModel: 'deepseek-v4-0801',
    }),
    caching: repeated({
      cacheMarker: 'automatic',
      primeCachedTokens: 0,
      cachedShare: 832 / 900,
      tokensIn: 900,
      tokensOut: 11,
      cachedTokens: 832,
      cacheWriteTokens: null,
      reasoningTokens: 3,
      // 900 x 0.27 + 7 x 1.10, then 68 x 0.27 + 832 x 0.07 + 11 x 1.10
      costUsd: 0.0003394,
      output: 'Zweite.',
      rawFinishReason: 'stop',
      servedModel: 'deepseek-v4-0803',
    }),
  }),
  request(asked, prompt) {
    const content = asked === 'schema' ? expectCoached(prompt) : prompt
    const format = asked === 'schema' ? { response_format: { type: 'json_object' } } : {}
    const messages = [{ role: 'user', content }]
    return { path: '/chat/completions', body: { model: 'deepseek-chat', messages, max_tokens: MOST_TOKENS, ...format } }
  },
  promptOf: (body) => chatPrompt(body),
}

/** Its JSON mode wants the word in the prompt. */
function expectCoached(prompt: string): string {
  return `${prompt}\n\nAnswer with one JSON object and nothing else. It must be valid against this JSON Schema:\n${COACHING}`
}
