import { answered, type WireReply } from '../../support/raw-server.ts'
import { answer, broken, modelFailed, once, unparsed, type WireRow } from './row.ts'

/** 100 x 1 + 20 x 10 */
const USD = 0.0003
const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }

/** A Chat Completions body with one choice. */
export function chat(
  message: Record<string, unknown>,
  finish_reason: string | null = 'stop',
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const choice = { index: 0, finish_reason, message: { role: 'assistant', ...message } }
  return { id: 'chatcmpl-1', object: 'chat.completion', model: 'm-1', choices: [choice], usage: USAGE, ...more }
}

/** A reply with an error object. */
export function refused(status: number, error: unknown, headers: Record<string, string> = {}): WireReply {
  return answered({ error }, status, headers)
}

export const GOOD = answered(chat({ content: '{"total": 7}' }))

const rows: readonly Omit<WireRow, 'model'>[] = [
  { name: 'an answer', replies: [GOOD], verdict: answer(USD) },
  {
    name: 'content as parts, one of them of a kind nobody knows',
    replies: [
      answered(
        chat({
          content: [
            { type: 'text', text: '{"total": 7}' },
            { type: 'new_kind', text: 'x' },
          ],
        }),
      ),
    ],
    verdict: answer(USD),
  },
  {
    name: 'prose in place of JSON',
    replies: [answered(chat({ content: 'The total is 7.' }))],
    verdict: unparsed(USD),
  },
  {
    name: 'an answer without any count of tokens',
    replies: [answered(chat({ content: '{"total": 7}' }, 'stop', { usage: undefined }))],
    verdict: answer(null),
  },
  {
    name: 'a refusal in its own field',
    replies: [answered(chat({ content: null, refusal: 'I will not help with that.' }))],
    verdict: modelFailed('refusal', USD),
  },
  {
    name: 'a refusal as a part of the content',
    replies: [answered(chat({ content: [{ type: 'refusal', refusal: 'No.' }] }))],
    verdict: modelFailed('refusal', USD),
  },
  {
    name: 'an answer taken away by a filter',
    replies: [answered(chat({ content: null }, 'content_filter'))],
    verdict: modelFailed('content_filter', USD),
  },
  {
    name: 'a prompt that a filter refuses with a 400',
    replies: [
      refused(400, { message: 'The response was filtered.', type: null, param: 'prompt', code: 'content_filter' }),
    ],
    verdict: modelFailed('content_filter', null),
  },
  {
    name: 'a prompt that is flagged, and not malformed',
    replies: [
      refused(400, { message: 'Your prompt was flagged as violating our usage policy.', code: 'invalid_prompt' }),
    ],
    verdict: modelFailed('content_filter', null),
  },
  {
    name: 'a prompt that is malformed',
    replies: [refused(400, { message: 'The prompt holds a broken surrogate pair.', code: 'invalid_prompt' })],
    verdict: once('bad_response'),
  },
  {
    name: 'content null though tokens were spent',
    replies: [answered(chat({ content: null }))],
    verdict: modelFailed('empty', USD),
  },
  {
    name: 'nothing but white space',
    replies: [answered(chat({ content: ' \n' }))],
    verdict: modelFailed('empty', USD),
  },
  {
    name: 'a call of a tool that was never offered',
    replies: [answered(chat({ content: null, tool_calls: [{ id: 't', type: 'function' }] }, 'tool_calls'))],
    verdict: modelFailed('empty', USD),
  },
  {
    // 100 x 1 + 400 x 10
    name: 'a budget spent on reasoning alone',
    replies: [
      answered(
        chat({ content: '' }, 'length', {
          usage: {
            prompt_tokens: 100,
            completion_tokens: 400,
            completion_tokens_details: { reasoning_tokens: 400 },
          },
        }),
      ),
    ],
    verdict: modelFailed('truncated', 0.0041),
  },
  {
    name: 'an answer cut at the limit that happens to parse',
    replies: [answered(chat({ content: '{"total": 7}' }, 'length'))],
    verdict: modelFailed('truncated', USD),
  },
  {
    name: 'no choice at all, billed at every attempt',
    replies: [answered(chat({}, 'stop', { choices: [] }))],
    verdict: broken('bad_response', 4 * USD),
  },
  {
    name: '429 of an empty account',
    replies: [
      refused(429, {
        message: 'You exceeded your current quota.',
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      }),
    ],
    verdict: once('quota_exhausted'),
  },
  {
    name: '429 of a limit per minute',
    replies: [refused(429, { message: 'Rate limit reached.', type: 'requests', code: 'rate_limit_exceeded' })],
    verdict: broken('rate_limited', 0),
  },
  {
    name: '429, then an answer',
    replies: [refused(429, { message: 'Slow down.', code: 'rate_limit_exceeded' }, { 'retry-after': '2' }), GOOD],
    verdict: answer(USD, 2),
  },
  {
    name: '429 that asks for a longer pause than anybody waits',
    replies: [refused(429, { message: 'Slow down.', code: 'rate_limit_exceeded' }, { 'retry-after': '3600' })],
    verdict: once('rate_limited'),
  },
  {
    name: '429 that asks for a pause until a date long gone',
    replies: [refused(429, { message: 'Slow down.' }, { 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' }), GOOD],
    verdict: answer(USD, 2),
  },
  {
    name: '429 that asks for a pause until a date far off',
    replies: [refused(429, { message: 'Slow down.' }, { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' })],
    verdict: once('rate_limited'),
  },
  {
    name: '429 that asks for a pause nobody can read',
    replies: [refused(429, { message: 'Slow down.' }, { 'retry-after': 'Someday, 99 Foo GMT' }), GOOD],
    verdict: answer(USD, 2),
  },
  {
    name: '401',
    replies: [refused(401, { message: 'Incorrect API key.', type: 'invalid_request_error', code: 'invalid_api_key' })],
    verdict: once('auth'),
  },
  {
    name: '404 of a model nobody knows',
    replies: [refused(404, { message: 'The model does not exist.', code: 'model_not_found' })],
    verdict: once('model_not_found'),
  },
  {
    name: '400 of a request that cannot be right',
    replies: [refused(400, { message: 'Invalid value for max tokens.', type: 'invalid_request_error', code: null })],
    verdict: once('bad_response'),
  },
  {
    name: '400 of a schema that strict mode does not take',
    replies: [
      refused(400, {
        message: "Invalid schema for response_format 'answer': 'pattern' is not permitted.",
        type: 'invalid_request_error',
        param: 'response_format',
        code: null,
      }),
      GOOD,
    ],
    verdict: { ...answer(USD), rungFallback: 'schema_rejected' },
  },
  {
    name: '500',
    replies: [refused(500, { message: 'Oops.', type: 'server_error' })],
    verdict: broken('server_error', 0),
  },
  { name: '502 of a proxy, as a page', replies: [answered('<html>', 502)], verdict: broken('server_error', 0) },
  { name: '503', replies: [refused(503, { message: 'The engine is overloaded.' })], verdict: broken('overloaded', 0) },
  { name: '504, after which nobody knows the bill', replies: [refused(504, {})], verdict: broken('timeout', null) },
]

export const OPENAI_CHAT: readonly WireRow[] = rows.map((row) => ({ ...row, model: 'openai/gpt-5.2' }))
