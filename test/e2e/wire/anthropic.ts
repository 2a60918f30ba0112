import { grounded, imageSent, MOST_TOKENS, repeated, SCHEMA, structured, type ProviderCase } from './case.ts'

/** The tiers of the input stand side by side. */
function message(model: string, content: object[], counts: readonly number[], more: object = {}): object {
  const [input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens] = counts
  const usage = { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens, ...more }
  return { id: 'm', type: 'message', role: 'assistant', model, content, stop_reason: 'end_turn', usage }
}
const text = (value: string, citations: object[] | null = null) => ({ type: 'text', text: value, citations })

const THOUGHT = '<think>{"total": 1}?</think>{"total": 7}'
const FOUND = 'The rate is 4 %.'
const RATES = { url: 'https://bank.test/rates', title: 'Rates' }

const REPLIES = {
  schema: message('haiku-text', [{ type: 'thinking', thinking: 'Hm.' }, text('{"total": 7}')], [310, 40, 60, 25], {
    output_tokens_details: { thinking_tokens: 13 },
  }),
  image: message('haiku-eye', [text(THOUGHT)], [1520, 0, 0, 18]),
  grounding: message(
    'haiku-search',
    [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'rate' } },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [{ type: 'web_search_result', ...RATES }] },
      text(FOUND, [{ type: 'web_search_result_location', ...RATES, cited_text: '4 %' }]),
    ],
    [2050, 0, 0, 140],
    { server_tool_use: { web_search_requests: 3 } },
  ),
}
const PRIME = message('haiku-first', [text('Ichi.')], [11, 5400, 0, 9])
const REPEAT = message('haiku-second', [text('Ni.')], [11, 0, 5400, 15])

/** US dollars per million tokens: input 1, cache read 0.10, cache write 1.25, output 5; a thousand searches 10. */
export const ANTHROPIC: ProviderCase = {
  model: 'anthropic/claude-haiku-4-5',
  variable: 'ANTHROPIC',
  base: '',
  keyIn: (headers) => headers['x-api-key'],
  reply: (asked, again) => (asked === 'caching' ? (again ? REPEAT : PRIME) : REPLIES[asked]),
  echo: (said) => ({ ...message(said, [text(said)], [1, 0, 0, 1]), stop_reason: said }),
  samples: (imageSha256) => ({
    schema: structured({
      tokensIn: 410,
      tokensOut: 25,
      cachedTokens: 60,
      cacheWriteTokens: 40,
      reasoningTokens: 13,
      // 310 x 1 + 40 x 1.25 + 60 x 0.10 + 25 x 5
      costUsd: 0.000491,
      output: '{"total": 7}',
      rawFinishReason: 'end_turn',
      servedModel: 'haiku-text',
    }),
    image: structured({
      wrapping: 'reasoning',
      tokensIn: 1520,
      tokensOut: 18,
      cachedTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: null,
      // 1,520 x 1 + 18 x 5
      costUsd: 0.00161,
      output: THOUGHT,
      rawFinishReason: 'end_turn',
      servedModel: 'haiku-eye',
      sentImages: imageSent(imageSha256),
    }),
    grounding: grounded({
      citations: [{ url: 'https://bank.test/rates', kind: 'native' }],
      tokensIn: 2050,
      tokensOut: 140,
      cachedTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: null,
      // 2,050 x 1 + 140 x 5, and three searches
      costUsd: 0.03275,
      output: FOUND,
      rawFinishReason: 'end_turn',
      servedModel: 'haiku-search',
    }),
    caching: repeated({
      cacheMarker: 'breakpoint',
      primeCachedTokens: 0,
      cachedShare: 5400 / 5411,
      tokensIn: 5411,
      tokensOut: 15,
      cachedTokens: 5400,
      cacheWriteTokens: 0,
      reasoningTokens: null,
      // 11 x 1 + 5,400 x 1.25 + 9 x 5, then 11 x 1 + 5,400 x 0.10 + 15 x 5
      costUsd: 0.007432,
      output: 'Ni.',
      rawFinishReason: 'end_turn',
      servedModel: 'haiku-second',
    }),
  }),
  request(asked, prompt, image) {
    const source = { type: 'base64', media_type: 'image/png', data: image }
    const shown = asked === 'image' ? [{ type: 'image', source }] : []
    const marked = asked === 'caching' ? { cache_control: { type: 'ephemeral' } } : {}
    const structure =
      asked === 'schema' || asked === 'image'
        ? { output_config: { format: { type: 'json_schema', schema: SCHEMA } } }
        : {}
    const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }]
    return {
      path: '/v1/messages',
      body: {
        model: 'claude-haiku-4-5',
        max_tokens: MOST_TOKENS,
        messages: [{ role: 'user', content: [...shown, { type: 'text', text: prompt, ...marked }] }],
        ...structure,
        ...(asked === 'grounding' && { tools }),
      },
    }
  },
  promptOf: (body) => (body['messages'] as [{ content: { text?: string }[] }])[0].content.at(-1)!.text!,
}
