import { grounded, imageSent, MOST_TOKENS, repeated, SCHEMA, structured, type ProviderCase } from './case.ts'

function generated(modelVersion: string, parts: object[], usageMetadata: object, more: object = {}): object {
  const candidate = { index: 0, content: { role: 'model', parts }, finishReason: 'STOP', ...more }
  return { candidates: [candidate], usageMetadata, modelVersion }
}

const FENCED = '```json\n{"total": 7}\n```'
const FOUND = 'It rained: https://diary.test/rain'

const REPLIES = {
  schema: generated('flash-text', [{ text: 'Seven?', thought: true }, { text: '{"total":' }, { text: ' 7}' }], {
    promptTokenCount: 640,
    cachedContentTokenCount: 200,
    candidatesTokenCount: 14,
    thoughtsTokenCount: 77,
    totalTokenCount: 731,
  }),
  image: generated('flash-eye', [{ text: FENCED }], {
    promptTokenCount: 1310,
    candidatesTokenCount: 9,
    totalTokenCount: 1319,
  }),
  grounding: generated(
    'flash-search',
    [{ text: FOUND }],
    {
      promptTokenCount: 55,
      toolUsePromptTokenCount: 1445,
      candidatesTokenCount: 120,
      thoughtsTokenCount: 30,
      totalTokenCount: 1650,
    },
    {
      groundingMetadata: {
        webSearchQueries: ['rain'],
        groundingChunks: [{ web: { uri: 'https://redirect.test/a', title: 'weather.test' } }],
      },
    },
  ),
}
const PRIME = generated('flash-first', [{ text: 'Uno.' }], {
  promptTokenCount: 6100,
  candidatesTokenCount: 21,
  totalTokenCount: 6121,
})
const REPEAT = generated('flash-second', [{ text: 'Due.' }], {
  promptTokenCount: 6100,
  cachedContentTokenCount: 4070,
  candidatesTokenCount: 25,
  thoughtsTokenCount: 6,
  totalTokenCount: 6131,
})

/** US dollars per million tokens: input 0.30, cached 0.03, output and thoughts 2.50. */
export const GEMINI: ProviderCase = {
  model: 'gemini/gemini-2.5-flash',
  variable: 'GEMINI',
  base: '',
  keyIn: (headers) => headers['x-goog-api-key'],
  reply: (asked, again) => (asked === 'caching' ? (again ? REPEAT : PRIME) : REPLIES[asked]),
  echo: (text) => generated(text, [{ text }], { promptTokenCount: 1, candidatesTokenCount: 1 }, { finishReason: text }),
  samples: (imageSha256) => ({
    schema: structured({
      tokensIn: 640,
      tokensOut: 91,
      cachedTokens: 200,
      cacheWriteTokens: null,
      reasoningTokens: 77,
      // 440 x 0.30 + 200 x 0.03 + (14 + 77) x 2.50
      costUsd: 0.0003655,
      output: '{"total": 7}',
      rawFinishReason: 'STOP',
      servedModel: 'flash-text',
    }),
    image: structured({
      wrapping: 'fence',
      tokensIn: 1310,
      tokensOut: 9,
      cachedTokens: null,
      cacheWriteTokens: null,
      reasoningTokens: null,
      // 1,310 x 0.30 + 9 x 2.50
      costUsd: 0.0004155,
      output: FENCED,
      rawFinishReason: 'STOP',
      servedModel: 'flash-eye',
      sentImages: imageSent(imageSha256),
    }),
    grounding: grounded({
      citations: [
        { url: 'https://redirect.test/a', kind: 'native' },
        { url: 'https://diary.test/rain', kind: 'text' },
      ],
      tokensIn: 1500,
      tokensOut: 150,
      cachedTokens: null,
      cacheWriteTokens: null,
      reasoningTokens: 30,
      // (55 + 1,445) x 0.30 + (120 + 30) x 2.50, and a grounded prompt at 35 a thousand
      costUsd: 0.035825,
      output: FOUND,
      rawFinishReason: 'STOP',
      servedModel: 'flash-search',
    }),
    caching: repeated({
      cacheMarker: 'automatic',
      primeCachedTokens: 0,
      cachedShare: 4070 / 6100,
      tokensIn: 6100,
      tokensOut: 31,
      cachedTokens: 4070,
      cacheWriteTokens: null,
      reasoningTokens: 6,
      // 6,100 x 0.30 + 21 x 2.50, then 2,030 x 0.30 + 4,070 x 0.03 + (25 + 6) x 2.50
      costUsd: 0.0026911,
      output: 'Due.',
      rawFinishReason: 'STOP',
      servedModel: 'flash-second',
    }),
  }),
  request(asked, prompt, image) {
    const shown = asked === 'image' ? [{ inlineData: { mimeType: 'image/png', data: image } }] : []
    const structure =
      asked === 'schema' || asked === 'image'
        ? { responseMimeType: 'application/json', responseJsonSchema: SCHEMA }
        : {}
    const resolution = asked === 'image' ? { mediaResolution: 'MEDIA_RESOLUTION_HIGH' } : {}
    return {
      path: '/v1beta/models/gemini-2.5-flash:generateContent',
      body: {
        contents: [{ role: 'user', parts: [...shown, { text: prompt }] }],
        generationConfig: { maxOutputTokens: MOST_TOKENS, ...structure, ...resolution },
        ...(asked === 'grounding' && { tools: [{ googleSearch: {} }] }),
      },
    }
  },
  promptOf: (body) => (body['contents'] as [{ parts: { text?: string }[] }])[0].parts.at(-1)!.text!,
}
