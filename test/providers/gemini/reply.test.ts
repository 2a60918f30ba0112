import { afterEach, expect, test, vi } from 'vitest'
import { callTo, factsOf, faultOf, json, requestOf, text } from '../../support/wire-server.ts'
import { candidate, providerAt, useGeminiServer } from './gemini-server.ts'

const server = useGeminiServer()
afterEach(() => void vi.restoreAllMocks())

function replyTo(body: unknown, more: Parameters<typeof requestOf>[0] = {}) {
  server.answer([json(body)])
  return callTo(providerAt(), requestOf(more))
}

const UNKNOWN_USAGE = {
  tokensIn: null,
  tokensOut: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
}

test('every field of a reply', async () => {
  const warn = vi.spyOn(console, 'warn')
  const reply = await replyTo(
    candidate(
      [{ text: 'I add them up.', thought: true }, { text: '{"total"' }, { thoughtSignature: 'c2ln', text: ':4}' }],
      {
        groundingMetadata: {
          webSearchQueries: ['price of tea'],
          groundingChunks: [
            { web: { uri: 'https://redirect.test/1', title: 'tea.test' } },
            { web: { uri: 'https://redirect.test/2' } },
            { web: { uri: 'https://redirect.test/1', title: 'again.test' } },
            { web: { title: 'nowhere.test' } },
            { retrievedContext: { uri: 'https://files.test/3' } },
            null,
          ],
          groundingSupports: [{ groundingChunkIndices: [0, 1] }],
        },
      },
      {
        modelVersion: 'tiny-vision-002',
        responseId: 'r-1',
        usageMetadata: {
          promptTokenCount: 1009,
          cachedContentTokenCount: 512,
          toolUsePromptTokenCount: 31,
          candidatesTokenCount: 17,
          thoughtsTokenCount: 190,
          totalTokenCount: 1247,
        },
      },
    ),
    { search: true },
  )
  expect(reply).toEqual({
    text: '{"total":4}',
    finishReason: 'stop',
    rawFinishReason: 'STOP',
    servedModel: 'tiny-vision-002',
    rung: null,
    rungFallback: null,
    usage: {
      tokensIn: 1040,
      tokensOut: 207,
      cachedTokens: 512,
      cacheWriteTokens: null,
      reasoningTokens: 190,
      searches: 1,
    },
    reportedCostUsd: null,
    cacheMarker: null,
    searchRequested: true,
    searched: true,
    sources: [
      { url: 'https://redirect.test/1', title: 'tea.test', cited: true },
      { url: 'https://redirect.test/2', title: null, cited: true },
    ],
    sentImages: [],
  })
  expect(warn).not.toHaveBeenCalled()
})

test('what is not there is not known', async () => {
  expect(await replyTo(candidate([{ text: 'yes' }], { finishReason: undefined }))).toMatchObject({
    text: 'yes',
    finishReason: 'other',
    rawFinishReason: null,
    servedModel: null,
    usage: UNKNOWN_USAGE,
    searched: false,
    sources: [],
  })
})

test.for([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['BLOCKLIST', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['SPII', 'content_filter'],
  ['MODEL_ARMOR', 'content_filter'],
  ['IMAGE_SAFETY', 'content_filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content_filter'],
  ['IMAGE_RECITATION', 'content_filter'],
  ['IMAGE_OTHER', 'other'],
  ['LANGUAGE', 'other'],
  ['OTHER', 'other'],
  ['MALFORMED_FUNCTION_CALL', 'other'],
  ['UNEXPECTED_TOOL_CALL', 'other'],
  ['FINISH_REASON_UNSPECIFIED', 'other'],
  ['MOONLIGHT', 'other'],
] as const)('finish reason %s is %s, with content and without', async ([raw, finishReason]) => {
  const ended = { finishReason, rawFinishReason: raw }
  expect(await replyTo(candidate([{ text: 'cut' }], { finishReason: raw }))).toMatchObject({ text: 'cut', ...ended })
  expect(await replyTo({ candidates: [{ finishReason: raw, index: 0 }] })).toMatchObject({ text: '', ...ended })
})

test.for(['SAFETY', 'PROHIBITED_CONTENT', 'OTHER', 'MOONLIGHT'])(
  'a prompt that is blocked as %s is a reply, and told from an answer that was',
  async (blockReason) => {
    const counted = { promptFeedback: { blockReason }, usageMetadata: { promptTokenCount: 61, totalTokenCount: 61 } }
    const blocked = { text: '', finishReason: 'content_filter', rawFinishReason: `blockReason: ${blockReason}` }
    expect(await replyTo({ ...counted, modelVersion: 'm-2' })).toMatchObject({
      ...blocked,
      servedModel: 'm-2',
      usage: { ...UNKNOWN_USAGE, tokensIn: 61, tokensOut: 0 },
    })
    expect(await replyTo({ ...counted, candidates: [] })).toMatchObject(blocked)
  },
)

test('feedback beside a candidate blocks nothing', async () => {
  const feedback = { promptFeedback: { blockReason: 'SAFETY', safetyRatings: [] } }
  expect(await replyTo(candidate([{ text: 'yes' }], {}, feedback))).toMatchObject({ text: 'yes', finishReason: 'stop' })
})

test('only the first candidate answers, and an answer that goes on is not bought by the SDK', async () => {
  const going = { finishReason: 'CONTINUATION', continuationToken: 'dG9rZW4=' }
  const [first] = candidate([{ text: 'a' }], going).candidates
  const [second] = candidate([{ text: 'b' }]).candidates
  expect(await replyTo({ candidates: [first, second], continuationToken: 'dG9rZW4=' })).toMatchObject({
    text: 'a',
    finishReason: 'other',
    rawFinishReason: 'CONTINUATION',
  })
  expect(server.received).toHaveLength(1)
})

test.for([
  ['parts that are no text', [{ functionCall: { name: 'f' } }, { text: 7 }, null, { text: 'yes' }], 'yes'],
  ['thoughts alone', [{ text: 'hm', thought: true }], ''],
  ['no parts', [], ''],
] as const)('the answer of %s', async ([, parts, answer]) => {
  expect(await replyTo(candidate(parts as readonly object[]))).toMatchObject({ text: answer })
})

test.for([
  ['B81', { promptTokenCount: 100, candidatesTokenCount: 8, thoughtsTokenCount: 190 }, [100, 198, null, 190]],
  ['no thoughts', { promptTokenCount: 100, candidatesTokenCount: 8 }, [100, 8, null, null]],
  ['thoughts alone', { promptTokenCount: 100, thoughtsTokenCount: 190 }, [100, 190, null, 190]],
  ['no answer', { promptTokenCount: 171, totalTokenCount: 171 }, [171, 0, null, null]],
  ['a total alone', { promptTokenCount: 171, totalTokenCount: 180 }, [171, 9, null, null]],
  ['a total too small', { promptTokenCount: 171, totalTokenCount: 17 }, [171, null, null, null]],
  ['no total', { promptTokenCount: 171 }, [171, null, null, null]],
  ['no prompt', { toolUsePromptTokenCount: 5, totalTokenCount: 9 }, [null, null, null, null]],
  ['cached: 0', { promptTokenCount: 9, candidatesTokenCount: 0, cachedContentTokenCount: 0 }, [9, 0, 0, null]],
  ['cached within', { promptTokenCount: 9, candidatesTokenCount: 1, cachedContentTokenCount: 8 }, [9, 1, 8, null]],
  ['no counts', { promptTokenCount: '9', candidatesTokenCount: -1, thoughtsTokenCount: 1.5 }, [null, null, null, null]],
] as const)('usage: %s', async ([, usageMetadata, [tokensIn, tokensOut, cachedTokens, reasoningTokens]]) => {
  const { usage } = await replyTo(candidate([{ text: 'x' }], {}, { usageMetadata }))
  expect(usage).toEqual({ tokensIn, tokensOut, cachedTokens, reasoningTokens, cacheWriteTokens: null })
})

const CHUNK = { web: { uri: 'https://a.test', title: 'a' } }
test.for([
  [
    'queries without sources',
    { webSearchQueries: ['q'], groundingSupports: [{ groundingChunkIndices: [0] }] },
    true,
    0,
  ],
  ['sources without queries', { groundingChunks: [CHUNK] }, true, 1],
  ['nothing', {}, false, 0],
  ['empty lists', { webSearchQueries: [], groundingChunks: [] }, false, 0],
  ['no lists', { webSearchQueries: 'q', groundingChunks: CHUNK }, false, 0],
] as const)('a search that told %s', async ([, groundingMetadata, searched, count]) => {
  const reply = await replyTo(candidate([{ text: 'x' }], { groundingMetadata }))
  expect([reply.searched, reply.sources.length, reply.searchRequested]).toEqual([searched, count, false])
})

const QUERIES = { webSearchQueries: ['tea', '', 'price of tea', 'tea', ' '], groundingChunks: [CHUNK] }
test.for([
  ['each query once, the empty ones not', 'gemini-3-flash-preview', QUERIES, 2],
  ['each query', 'gemini-3.1-pro-preview', QUERIES, 2],
  ['each query', 'models/gemini-10-pro', QUERIES, 2],
  ['one grounded prompt', 'gemini-2.5-flash', QUERIES, 1],
  ['one grounded prompt', 'models/gemini-1.5-pro-002', QUERIES, 1],
  ['each query, where the generation is not told', 'flash-of-tests', QUERIES, 2],
  ['each query, where no model is told', undefined, QUERIES, 2],
  ['one, where the queries are not told', 'gemini-3-pro', { groundingChunks: [CHUNK] }, 1],
  ['none, where none was run', 'gemini-3-pro', { webSearchQueries: [''] }, 0],
  ['none, where none was run', 'gemini-2.5-pro', { searchEntryPoint: {} }, 0],
  ['none, where nothing is told of any', 'gemini-3-pro', undefined, 0],
] as const)('searches that are billed: %s (%s)', async ([, modelVersion, groundingMetadata, searches]) => {
  const body = candidate([{ text: 'x' }], { groundingMetadata }, { modelVersion })
  expect((await replyTo(body, { search: true })).usage).toEqual({ ...UNKNOWN_USAGE, searches })
  expect((await replyTo(body)).usage).toEqual(UNKNOWN_USAGE)
})

test('a prompt that was blocked was not searched for', async () => {
  const body = { promptFeedback: { blockReason: 'SAFETY' }, modelVersion: 'gemini-3-pro' }
  expect(await replyTo(body, { search: true })).toMatchObject({
    finishReason: 'content_filter',
    usage: { searches: 0 },
  })
})

test('a fault keeps what was counted', async () => {
  server.answer([text('{"usageMetadata":{"promptTokenCount":61,"candidatesTokenCount":17}}')])
  const usage = { ...UNKNOWN_USAGE, tokensIn: 61, tokensOut: 17 }
  expect(factsOf(await faultOf(callTo(providerAt())))).toMatchObject({ billing: { kind: 'usage', usage } })
})
