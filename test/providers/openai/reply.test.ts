import { expect, test } from 'vitest'
import { callTo, faultOf, json, requestOf, SCHEMA } from '../../support/wire-server.ts'
import { ADDRESS, chat, providerAt, useChatServer } from './chat-server.ts'

const server = useChatServer()

function replyTo(body: unknown) {
  server.answer([json(body)])
  return callTo(providerAt(ADDRESS))
}

const UNKNOWN_USAGE = {
  tokensIn: null,
  tokensOut: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
}

test('every field of a reply is mapped', async () => {
  const body = {
    id: 'chatcmpl-77',
    model: 'tiny-vision-0714',
    choices: [
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: ' {"total":4.5}\n', refusal: null } },
      { index: 1, finish_reason: 'length', message: { role: 'assistant', content: 'another' } },
    ],
    usage: {
      prompt_tokens: 1301,
      completion_tokens: 207,
      total_tokens: 1508,
      prompt_tokens_details: { cached_tokens: 1024, cache_write_tokens: 256, audio_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 190 },
    },
  }
  expect(await replyTo(body)).toEqual({
    cacheMarker: null,
    searchRequested: false,
    searched: false,
    sources: [],
    sentImages: [],
    text: ' {"total":4.5}\n',
    finishReason: 'stop',
    rawFinishReason: 'stop',
    servedModel: 'tiny-vision-0714',
    rung: null,
    rungFallback: null,
    usage: { tokensIn: 1301, tokensOut: 207, cachedTokens: 1024, cacheWriteTokens: 256, reasoningTokens: 190 },
    reportedCostUsd: null,
  })
})

test('what a server does not report is null, not 0', async () => {
  const reply = await replyTo({ choices: [{ message: { content: 'hi' } }] })
  expect(reply).toMatchObject({
    text: 'hi',
    finishReason: 'other',
    rawFinishReason: null,
    servedModel: null,
    usage: UNKNOWN_USAGE,
  })
})

test.for([
  [{ prompt_tokens: 0, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 0 } }, 0, 0, 0],
  [{ prompt_tokens: 5, completion_tokens: 6, prompt_tokens_details: null }, 5, 6, null],
  [{ prompt_tokens: 5, completion_tokens: 6, prompt_tokens_details: 'none' }, 5, 6, null],
  [{ prompt_tokens: '5', completion_tokens: -1, prompt_tokens_details: { cached_tokens: 0.5 } }, null, null, null],
  [null, null, null, null],
  ['many', null, null, null],
] as const)('usage %j', async ([usage, tokensIn, tokensOut, cachedTokens]) => {
  const reply = await replyTo(chat({ content: 'hi' }, { usage }))
  expect(reply.usage).toEqual({ ...UNKNOWN_USAGE, tokensIn, tokensOut, cachedTokens })
})

test.for([
  ['stop', 'stop', 'stop'],
  ['eos', 'stop', 'eos'],
  ['length', 'length', 'length'],
  ['model_length', 'length', 'model_length'],
  ['content_filter', 'content_filter', 'content_filter'],
  ['tool_calls', 'other', 'tool_calls'],
  ['constructor', 'other', 'constructor'],
  [null, 'other', null],
  [7, 'other', null],
] as const)('finish reason %j', async ([wire, finishReason, rawFinishReason]) => {
  const reply = await replyTo({ choices: [{ finish_reason: wire, message: { content: 'hi' } }] })
  expect(reply).toMatchObject({ text: 'hi', finishReason, rawFinishReason })
})

test.for([
  ['in its own field', { content: null, refusal: 'I will not read this.' }],
  ['as a part', { content: [{ type: 'refusal', refusal: 'I will not read this.' }] }],
] as const)('a refusal %s', async ([, message]) => {
  expect(await replyTo(chat(message))).toMatchObject({
    text: 'I will not read this.',
    finishReason: 'refusal',
    rawFinishReason: 'stop',
  })
})

test('an empty refusal is none', async () => {
  expect(await replyTo(chat({ content: '4', refusal: '' }))).toMatchObject({ text: '4', finishReason: 'stop' })
})

test('typed parts: texts are joined, all else is left out', async () => {
  const content = [
    { type: 'reasoning', text: 'hm, {"total":1}' },
    { type: 'text', text: '{"total"' },
    null,
    'loose text',
    { type: 'text', text: 5 },
    { type: 'citation', text: 'a source' },
    { type: 'text', text: ':4}' },
  ]
  expect((await replyTo(chat({ content }))).text).toBe('{"total":4}')
})

test.for(['reasoning_content', 'reasoning'] as const)('%s is never the answer', async (field) => {
  expect((await replyTo(chat({ content: null, [field]: '{"total":1}' }))).text).toBe('')
  expect((await replyTo(chat({ content: '{"total":4}', [field]: '{"total":1}' }))).text).toBe('{"total":4}')
})

test.for([null, undefined, 12, { type: 'text', text: 'no list' }])('content %j is an empty answer', async (content) => {
  expect(await replyTo(chat({ content }))).toMatchObject({ text: '', finishReason: 'stop' })
})

test('an empty answer of a budget spent on reasoning keeps its finish and its usage', async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 321, completion_tokens_details: { reasoning_tokens: 321 } }
  const body = { choices: [{ finish_reason: 'length', message: { content: '' } }], usage }
  expect(await replyTo(body)).toMatchObject({
    text: '',
    finishReason: 'length',
    usage: { tokensIn: 9, tokensOut: 321, reasoningTokens: 321 },
  })
})

test.for([
  ['error', 'server_error'],
  ['abort', 'server_error'],
  ['insufficient_system_resource', 'overloaded'],
] as const)('finish reason "%s" is the server’s failure, and paid for', async ([finish_reason, failureClass]) => {
  const usage = { prompt_tokens: 70, completion_tokens: 8 }
  const fault = await faultOf(replyTo({ choices: [{ finish_reason, message: { content: 'half an' } }], usage }))
  expect(fault).toMatchObject({
    failureClass,
    retryable: true,
    billing: { kind: 'usage', usage: { ...UNKNOWN_USAGE, tokensIn: 70, tokensOut: 8 } },
  })
})

const rejected = (more: object, status = 400) =>
  json({ error: { message: 'Failed to generate JSON.', code: 'json_validate_failed', ...more } }, status)

test.for(['native', 'json_mode'] as const)('rung %s: an answer that the server itself found invalid', async (rung) => {
  server.answer([rejected({ failed_generation: '{"total":' })])
  const reply = await callTo(providerAt(ADDRESS), requestOf({ answerSchema: SCHEMA, rung }))
  expect(reply).toMatchObject({
    text: '{"total":',
    finishReason: 'stop',
    rawFinishReason: 'json_validate_failed',
    rung,
    usage: UNKNOWN_USAGE,
  })
})

test('it is no refusal of the schema: rung auto stays native', async () => {
  server.answer([rejected({ failed_generation: '{"total":', message: 'JSON does not match the schema' })])
  const reply = await callTo(providerAt(ADDRESS), requestOf({ answerSchema: SCHEMA }))
  expect(reply).toMatchObject({ text: '{"total":', rung: 'native', rungFallback: null })
  expect(server.received).toHaveLength(1)
})

test.for([
  ['without the answer', rejected({})],
  ['with another code', rejected({ failed_generation: '{', code: 'invalid_request' })],
  ['with another status', rejected({ failed_generation: '{' }, 413)],
] as const)('%s it is a fault', async ([, response]) => {
  server.answer([response])
  const fault = await faultOf(callTo(providerAt(ADDRESS), requestOf({ answerSchema: SCHEMA, rung: 'json_mode' })))
  expect(fault).toMatchObject({ failureClass: 'bad_response', retryable: false })
})
