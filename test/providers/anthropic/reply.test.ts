import { expect, test } from 'vitest'
import type { CallRequest } from '../../../src/model/call.ts'
import { callTo, faultOf, json, requestOf, SCHEMA } from '../../support/wire-server.ts'
import { message, providerAt, useMessagesServer } from './messages-server.ts'

const server = useMessagesServer()

function replyTo(body: unknown, request: Partial<CallRequest> = {}) {
  server.answer([json(body)])
  return callTo(providerAt(), requestOf(request))
}

const USAGE = {
  input_tokens: 31,
  cache_creation_input_tokens: 207,
  cache_read_input_tokens: 5011,
  output_tokens: 97,
  output_tokens_details: { thinking_tokens: 43 },
  server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 },
}
const cited = (url: unknown, title: unknown = null, type = 'web_search_result_location') => ({
  type,
  url,
  title,
  cited_text: 'c',
  encrypted_index: 'e',
})
const results = (content: unknown) => ({ type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content })
const result = { type: 'web_search_result', url: 'https://unquoted.test/', title: 'Unquoted', encrypted_content: 'e' }
const query = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'tides' } }

test('every field of a reply', async () => {
  const content = [
    { type: 'thinking', thinking: 'hm', signature: 's' },
    query,
    results([result]),
    { type: 'text', text: 'High tide is ', citations: null },
    { type: 'text', text: 'at 4.', citations: [cited('https://tides.test/brest', 'Tides of Brest')] },
  ]
  const more = { model: 'claude-tiny-vision-20261101', usage: USAGE, stop_sequence: null }
  expect(await replyTo(message(content, more), { search: true, answerSchema: SCHEMA, rung: 'native' })).toEqual({
    text: 'High tide is at 4.',
    finishReason: 'stop',
    rawFinishReason: 'end_turn',
    servedModel: 'claude-tiny-vision-20261101',
    rung: 'native',
    rungFallback: null,
    usage: {
      tokensIn: 5249,
      tokensOut: 97,
      cachedTokens: 5011,
      cacheWriteTokens: 207,
      reasoningTokens: 43,
      searches: 2,
    },
    reportedCostUsd: null,
    cacheMarker: null,
    searchRequested: true,
    searched: true,
    sources: [
      { url: 'https://tides.test/brest', title: 'Tides of Brest', cited: true },
      { url: 'https://unquoted.test/', title: 'Unquoted', cited: false },
    ],
    sentImages: [],
  })
})

test.for([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refusal'],
  ['tool_use', 'other'],
  ['a_reason_to_come', 'other'],
  [null, 'other'],
] as const)('stop_reason %s is %s', async ([stop_reason, finishReason]) => {
  expect(await replyTo(message(undefined, { stop_reason }))).toMatchObject({
    text: 'read',
    finishReason,
    rawFinishReason: stop_reason,
  })
})

test.for([
  [
    'several text blocks, joined as they are',
    [
      { type: 'text', text: '{"a":' },
      { type: 'text', text: '1}' },
    ],
    '{"a":1}',
  ],
  [
    'thinking',
    [
      { type: 'thinking', thinking: 'no' },
      { type: 'text', text: 'yes' },
    ],
    'yes',
  ],
  [
    'thinking that is hidden',
    [
      { type: 'redacted_thinking', data: 'no' },
      { type: 'text', text: 'yes' },
    ],
    'yes',
  ],
  [
    'a tool that is asked for',
    [
      { type: 'text', text: 'yes' },
      { type: 'tool_use', input: { text: 'no' } },
    ],
    'yes',
  ],
  ['a search', [query, results([{ ...result, text: 'no' }]), { type: 'text', text: 'yes' }], 'yes'],
  [
    'a block to come that has a text',
    [
      { type: 'summary', text: 'no' },
      { type: 'text', text: 'yes' },
    ],
    'yes',
  ],
  ['blocks that are none', [null, 7, 'no', { type: 'text' }, { type: 'text', text: 4 }], ''],
  ['thinking alone', [{ type: 'thinking', thinking: 'no' }], ''],
  ['no block', [], ''],
] as const)('the answer is the text blocks alone: %s', async ([, content, answer]) => {
  expect((await replyTo(message(content))).text).toBe(answer)
})

test.for([
  ['nothing cached', { input_tokens: 12, output_tokens: 5 }, [12, 5, null, null, null]],
  [
    'a cache that was written alone',
    { input_tokens: 3, cache_creation_input_tokens: 12_304, cache_read_input_tokens: 0, output_tokens: 550 },
    [12_307, 550, 0, 12_304, null],
  ],
  [
    'a cache that was read alone',
    { input_tokens: 4, cache_creation_input_tokens: 0, cache_read_input_tokens: 9001, output_tokens: 8 },
    [9005, 8, 9001, 0, null],
  ],
  [
    'figures that are null',
    {
      input_tokens: 9,
      cache_creation_input_tokens: null,
      cache_read_input_tokens: null,
      output_tokens: 2,
      output_tokens_details: null,
    },
    [9, 2, null, null, null],
  ],
  [
    'figures that are none',
    { input_tokens: -1, output_tokens: '9', cache_read_input_tokens: 1.5 },
    [null, null, null, null, null],
  ],
  ['no input', { cache_read_input_tokens: 7, output_tokens: 1 }, [null, 1, 7, null, null]],
  ['no usage', null, [null, null, null, null, null]],
] as const)('usage: %s', async ([, usage, figures]) => {
  const [tokensIn, tokensOut, cachedTokens, cacheWriteTokens, reasoningTokens] = figures
  expect((await replyTo(message(undefined, { usage }))).usage).toEqual({
    tokensIn,
    tokensOut,
    cachedTokens,
    cacheWriteTokens,
    reasoningTokens,
    // It holds no search.
    searches: 0,
  })
})

test('a model that is not named is not known', async () => {
  expect(await replyTo(message(undefined, { model: 7 }))).toMatchObject({ servedModel: null })
})

const COUNTED = { usage: { input_tokens: 1, output_tokens: 1, server_tool_use: { web_search_requests: 3 } } }
const failedBy = (error_code: unknown) => results({ type: 'web_search_tool_result_error', error_code })
const failed = failedBy('unavailable')

test.for([
  ['results', [query, results([result])], true],
  ['a search that found nothing', [query, results([])], true],
  ['one search that failed and one that did not', [query, failed, query, results([result])], true],
  ['one search too many', [query, failedBy('max_uses_exceeded')], false],
  ['one search too many, and one before', [query, results([]), query, failedBy('max_uses_exceeded')], true],
  ['a search for nothing', [query, failedBy('invalid_tool_input')], false],
  ['the same in its older word', [query, failedBy('invalid_input')], false],
  ['a question too long', [query, failedBy('query_too_long')], false],
  ['a search that was only asked for', [query], false],
  ['a figure in the usage alone', [], false],
  ['results of another tool', [{ type: 'web_fetch_tool_result', content: [] }], false],
  ['results that are none', [results(null)], false],
] as const)('searched: %s', async ([, blocks, searched]) => {
  const content = [...blocks, { type: 'text', text: 'x', citations: [cited('https://a.test/')] }]
  const reply = await replyTo(message(content, COUNTED), { search: true })
  expect(reply).toMatchObject({ searchRequested: true, searched })
  // What is cited without a search is no source of one.
  expect(reply.sources.filter((source) => source.cited)).toEqual(
    searched ? [{ url: 'https://a.test/', title: null, cited: true }] : [],
  )
})

const BILLED = { tokensIn: 1, tokensOut: 1, searches: 3 }
const limited = failedBy('too_many_requests')

test.for([
  ['a search that its server could not run', [query, failed], 'overloaded'],
  ['one at a rate limit', [query, limited], 'rate_limited'],
  ['one that failed, and one too many', [query, failed, query, failedBy('max_uses_exceeded')], 'overloaded'],
  ['one too many, and one that failed', [query, failedBy('query_too_long'), query, limited], 'rate_limited'],
] as const)('an outage is not the model’s: %s', async ([, blocks, failureClass]) => {
  const content = [...blocks, { type: 'text', text: 'From what I know, 4.' }]
  const fault = await faultOf(replyTo(message(content, COUNTED), { search: true }))
  expect(fault).toMatchObject({ failureClass, retryable: true, billing: { kind: 'usage', usage: BILLED } })
})

const usedBy = (server_tool_use: unknown) => ({ usage: { input_tokens: 1, output_tokens: 1, server_tool_use } })
const text = { type: 'text', text: 'x' }

test.for([
  ['null, and none in the message', null, [text], 0],
  ['absent, and none in the message', undefined, [text], 0],
  ['of other tools, and none in the message', { web_fetch_requests: 2 }, [text], 0],
  ['null, and another tool in the message', null, [{ ...query, name: 'web_fetch' }, text], 0],
  ['null, and a search in the message', null, [query, text], null],
  ['absent, and results in the message', undefined, [results([result]), text], null],
  ['a figure', { web_search_requests: 4 }, [text], 4],
] as const)('searches that are billed: the count is %s', async ([, used, content, searches]) => {
  expect((await replyTo(message(content, usedBy(used)), { search: true })).usage.searches).toBe(searches)
})

test('sources are distinct, cited ones first, of web searches and of text blocks alone', async () => {
  const content = [
    results([result, { ...result, url: 'https://a.test/' }, { ...result, type: 'ad', url: 'https://ad.test/' }, null]),
    results([{ ...result, url: 'https://d.test/', title: '' }]),
    { type: 'text', text: 'a', citations: [cited('https://b.test/?q=1', 'B'), cited('https://a.test/')] },
    { type: 'thinking', citations: [cited('https://thought.test/')] },
    { type: 'text', text: 'see https://text.test/', citations: [cited('https://b.test/?q=1', 'B again')] },
    {
      type: 'text',
      text: 'c',
      citations: [cited('https://doc.test/', 'D', 'char_location'), cited(''), cited(8), null],
    },
    { type: 'text', text: 'd', citations: [cited('https://c.test/', 4)] },
    { type: 'text', text: 'e', citations: 'none' },
  ]
  expect((await replyTo(message(content), { search: true })).sources).toEqual([
    { url: 'https://b.test/?q=1', title: 'B', cited: true },
    { url: 'https://a.test/', title: 'Unquoted', cited: true },
    { url: 'https://c.test/', title: null, cited: true },
    { url: 'https://unquoted.test/', title: 'Unquoted', cited: false },
    { url: 'https://d.test/', title: null, cited: false },
  ])
})

test('a refusal keeps what text there is, and its own word', async () => {
  const stop_details = { type: 'refusal', category: 'bio', explanation: 'no' }
  const reply = await replyTo(message([{ type: 'text', text: 'I will' }], { stop_reason: 'refusal', stop_details }))
  expect(reply).toMatchObject({ text: 'I will', finishReason: 'refusal', rawFinishReason: 'refusal' })
})
