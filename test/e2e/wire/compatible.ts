import { imageSent, MOST_TOKENS, repeated, structured, type ProviderCase } from './case.ts'
import { chat, chatPrompt, STRICT, withImage } from './openai.ts'

/** A server that counts no more than it must. */
const REPLIES = {
  schema: chat('qwen-text', '{"total": "7"}', { prompt_tokens: 77, completion_tokens: 5 }),
  image: chat('qwen-eye', '{"total": 7}', { prompt_tokens: 1500, completion_tokens: 6 }),
}
const PRIME = chat('qwen-first', 'Une.', {
  prompt_tokens: 2000,
  completion_tokens: 3,
  prompt_tokens_details: { cached_tokens: 0 },
})
const REPEAT = chat('qwen-second', 'Deux.', {
  prompt_tokens: 2000,
  completion_tokens: 4,
  prompt_tokens_details: { cached_tokens: 1936 },
})

/** A model server on this machine sends no bill. */
export const COMPATIBLE: ProviderCase = {
  model: 'compatible/qwen',
  variable: 'COMPATIBLE',
  base: '/v1',
  keyIn: (headers) => headers.authorization,
  reply: (asked, again) =>
    asked === 'caching' ? (again ? REPEAT : PRIME) : REPLIES[asked === 'image' ? 'image' : 'schema'],
  echo: (text) => chat(text, text, { prompt_tokens: 1, completion_tokens: 1 }, text),
  samples: (imageSha256) => ({
    schema: structured({
      schemaConform: false,
      valueAccuracy: null,
      violations: [{ path: '/total', message: 'must be number', keyword: 'type' }],
      tokensIn: 77,
      tokensOut: 5,
      cachedTokens: null,
      cacheWriteTokens: null,
      reasoningTokens: null,
      costUsd: 0,
      output: '{"total": "7"}',
      rawFinishReason: 'stop',
      servedModel: 'qwen-text',
    }),
    image: structured({
      tokensIn: 1500,
      tokensOut: 6,
      cachedTokens: null,
      cacheWriteTokens: null,
      reasoningTokens: null,
      costUsd: 0,
      output: '{"total": 7}',
      rawFinishReason: 'stop',
      servedModel: 'qwen-eye',
      sentImages: imageSent(imageSha256),
    }),
    caching: repeated({
      cacheMarker: null,
      primeCachedTokens: 0,
      cachedShare: 1936 / 2000,
      tokensIn: 2000,
      tokensOut: 4,
      cachedTokens: 1936,
      cacheWriteTokens: null,
      reasoningTokens: null,
      costUsd: 0,
      output: 'Deux.',
      rawFinishReason: 'stop',
      servedModel: 'qwen-second',
    }),
  }),
  request(asked, prompt, image) {
    const content = asked === 'image' ? withImage(prompt, image) : prompt
    const messages = [{ role: 'user', content }]
    const body = { model: 'qwen', messages, max_tokens: MOST_TOKENS, ...(asked !== 'caching' && STRICT) }
    return { path: '/v1/chat/completions', body }
  },
  promptOf: (body) => chatPrompt(body),
}
