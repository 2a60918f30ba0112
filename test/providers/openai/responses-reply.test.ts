import { expect, test } from 'vitest'
import type { ModelReply, Usage } from '../../../src/model/call.ts'
import type { ProviderFault } from '../../../src/providers/provider.ts'
import { callTo, factsOf, faultOf, json, requestOf, text } from '../../support/wire-server.ts'
import { hostAt, RESPONSES_URL, useChatServer } from './chat-server.ts'

const server = useChatServer()
const SEARCH = requestOf({ search: true })

function replyTo(body: unknown, host = 'openai') {
  server.answer([json(body)], RESPONSES_URL)
  return callTo(hostAt(host), SEARCH)
}

const said = (value: string, annotations: unknown[] = [], more: object = {}) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: value, annotations }],
  ...more,
})
const searched = (sources: unknown = [], status = 'completed') => ({
  type: 'web_search_call',
  status,
  action: { type: 'search', query: 'policy rate', sources },
})
const cite = (url: unknown, title?: string) => ({ type: 'url_citation', url, title, start_index: 0, end_index: 4 })
const completed = (output: unknown, more: object = {}) => ({ status: 'completed', error: null, output, ...more })
const incomplete = (reason: string | null, output: unknown[] = [said('half')]) => ({
  status: 'incomplete',
  incomplete_details: reason === null ? null : { reason },
  output,
})

test('every field of a reply is mapped', async () => {
  const body = {
    id: 'resp_77',
    object: 'response',
    model: 'tiny-vision-0714',
    status: 'completed',
    error: null,
    incomplete_details: null,
    output: [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
      searched([{ type: 'url', url: 'https://bank.test/rates' }]),
      said('The rate is 4%.', [cite('https://bank.test/rates', 'Rates')]),
    ],
    usage: {
      input_tokens: 8100,
      output_tokens: 420,
      total_tokens: 8520,
      input_tokens_details: { cached_tokens: 2048, cache_write_tokens: 512 },
      output_tokens_details: { reasoning_tokens: 300 },
    },
  }
  expect(await replyTo(body)).toEqual({
    text: 'The rate is 4%.',
    finishReason: 'stop',
    rawFinishReason: 'completed',
    servedModel: 'tiny-vision-0714',
    rung: null,
    rungFallback: null,
    usage: {
      tokensIn: 8100,
      tokensOut: 420,
      cachedTokens: 2048,
      cacheWriteTokens: 512,
      reasoningTokens: 300,
      searches: 1,
    },
    reportedCostUsd: null,
    cacheMarker: null,
    searchRequested: true,
    searched: true,
    sources: [{ url: 'https://bank.test/rates', title: 'Rates', cited: true }],
    sentImages: [],
  })
})

type End = readonly [text: string, finishReason: ModelReply['finishReason'], rawFinishReason: string | null]

test.for<readonly [title: string, body: unknown, end: End]>([
  ['parts of an answer are joined', completed([said('4'), said('%')]), ['4%', 'stop', 'completed']],
  [
    'what is said on the way is no answer',
    completed([said('Let me look.', [], { phase: 'commentary' }), said('4%', [], { phase: 'final_answer' })]),
    ['4%', 'stop', 'completed'],
  ],
  [
    'reasoning is no answer',
    completed([{ type: 'reasoning', content: [{ type: 'output_text', text: 'hm' }] }, said('4%')]),
    ['4%', 'stop', 'completed'],
  ],
  [
    'parts of other types are left out',
    completed([
      { type: 'message', content: [{ type: 'new', text: 'x' }, null, 'x', { type: 'output_text', text: '4%' }] },
    ]),
    ['4%', 'stop', 'completed'],
  ],
  [
    'a text that is none',
    completed([{ type: 'message', content: [{ type: 'output_text', text: 4 }] }]),
    ['', 'stop', 'completed'],
  ],
  ['content that is no list', completed([{ type: 'message', content: '4%' }]), ['', 'stop', 'completed']],
  ['members that are none', completed([null, 'x', said('4%')]), ['4%', 'stop', 'completed']],
  ['no output at all', completed([]), ['', 'stop', 'completed']],
  ['a search and no answer', completed([searched()]), ['', 'stop', 'completed']],
  ['the SDK’s own aggregate counts for nothing', completed([], { output_text: '4%' }), ['', 'stop', 'completed']],
  [
    'a refusal',
    completed([{ type: 'message', content: [{ type: 'refusal', refusal: 'I will not.' }] }]),
    ['I will not.', 'refusal', 'completed'],
  ],
  [
    'a refusal after a beginning',
    incomplete(null, [said('Well'), { type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }]),
    ['No.', 'refusal', 'incomplete'],
  ],
  ['cut at the limit', incomplete('max_output_tokens'), ['half', 'length', 'max_output_tokens']],
  ['the limit spent on reasoning', incomplete('max_output_tokens', []), ['', 'length', 'max_output_tokens']],
  ['filtered', incomplete('content_filter', []), ['', 'content_filter', 'content_filter']],
  ['no status', { output: [said('4%')] }, ['4%', 'other', null]],
  ['a status of tomorrow', { status: 'paused', output: [said('4%')] }, ['4%', 'other', 'paused']],
  [
    'declined by a policy',
    { status: 'failed', error: { code: 'bio_policy', message: 'no' }, output: [] },
    ['', 'content_filter', 'bio_policy'],
  ],
  [
    'an image declined by a policy',
    { status: 'failed', error: { code: 'image_content_policy_violation', message: 'no' } },
    ['', 'content_filter', 'image_content_policy_violation'],
  ],
])('a reply: %s', async ([, body, [value, finishReason, rawFinishReason]]) => {
  expect(await replyTo(body)).toMatchObject({ text: value, finishReason, rawFinishReason, searchRequested: true })
})

const UNKNOWN = { kind: 'unknown' } as const
const NONE = { kind: 'none' } as const
const USAGE = { input_tokens: 61, output_tokens: 17 }
const counted = { tokensIn: 61, tokensOut: 17, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null }
const paid = (searches: number | null) => ({ kind: 'usage' as const, usage: { ...counted, searches } satisfies Usage })
const failed = (code: unknown, more: object = {}) => ({
  status: 'failed',
  error: { code, message: 'it broke' },
  ...more,
})

type Fault = readonly [ProviderFault['failureClass'], ProviderFault['billing'], retryable: boolean]

test.for<readonly [title: string, response: () => Response, fault: Fault]>([
  ['failed, server_error', json(failed('server_error')), ['server_error', UNKNOWN, true]],
  [
    'failed, server_error, with usage',
    json(failed('server_error', { usage: USAGE })),
    ['server_error', paid(null), true],
  ],
  ['failed, rate_limit_exceeded', json(failed('rate_limit_exceeded')), ['rate_limited', UNKNOWN, true]],
  ['failed, invalid_prompt', json(failed('invalid_prompt')), ['bad_response', UNKNOWN, false]],
  ['failed, image_too_large', json(failed('image_too_large')), ['bad_response', UNKNOWN, false]],
  ['failed, a code nobody knows', json(failed('E_MOON')), ['bad_response', UNKNOWN, true]],
  ['failed, no error', json({ status: 'failed', error: null, output: [] }), ['server_error', UNKNOWN, true]],
  [
    'cancelled',
    json({ status: 'cancelled', output: [searched(), said('4')], usage: USAGE }),
    ['server_error', paid(1), true],
  ],
  ['queued', json({ status: 'queued', output: [] }), ['bad_response', UNKNOWN, true]],
  ['in progress', json({ status: 'in_progress', output: [said('4')] }), ['bad_response', UNKNOWN, true]],
  [
    'an error beside an answer',
    json(completed([said('4%')], { error: { code: 502 } })),
    ['server_error', UNKNOWN, true],
  ],
  ['a bare error, code 429', json({ error: { code: 429, message: 'slow' } }), ['rate_limited', NONE, true]],
  ['a bare error, a text', json({ error: 'out of memory' }), ['bad_response', UNKNOWN, true]],
  ['an error at the top', json({ object: 'error', code: 503, message: 'x' }), ['overloaded', UNKNOWN, true]],
  ['no output', json({ status: 'completed', usage: USAGE }), ['bad_response', paid(null), true]],
  ['output: null', json({ status: 'completed', output: null }), ['bad_response', UNKNOWN, true]],
  ['output: a text', json({ status: 'completed', output: '4%' }), ['bad_response', UNKNOWN, true]],
  ['incomplete, no output', json({ status: 'incomplete', incomplete_details: {} }), ['bad_response', UNKNOWN, true]],
  ['incomplete for another reason', json(incomplete('max_messages')), ['bad_response', UNKNOWN, false]],
  ['incomplete for no reason', json(incomplete(null)), ['bad_response', UNKNOWN, false]],
  ['an empty object', json({}), ['bad_response', UNKNOWN, true]],
  ['null', json(null), ['bad_response', UNKNOWN, true]],
  ['a page with 200', text('<html>Sign in</html>', 200, 'text/html'), ['bad_response', UNKNOWN, true]],
  ['an empty body', text(''), ['bad_response', UNKNOWN, true]],
  ['truncated JSON', text('{"status":"completed","output":[{'), ['bad_response', UNKNOWN, true]],
])('a fault: %s', async ([, response, [failureClass, billing, retryable]]) => {
  server.answer([response], RESPONSES_URL)
  const fault = await faultOf(callTo(hostAt('openai'), SEARCH))
  expect(factsOf(fault)).toEqual({ failureClass, billing, retryable, retryAfterMs: null })
  expect(server.received).toHaveLength(1)
})

test('a fault tells what the provider said', async () => {
  expect((await faultOf(replyTo(failed('server_error')))).message).toBe('it broke')
})

type Usages = readonly [number | null, number | null, number | null, number | null, number | null, number | null]
const XAI = { input_tokens: 700, output_tokens: 100, output_tokens_details: { reasoning_tokens: 60 } }

test.for<readonly [title: string, host: string, usage: unknown, expected: Usages]>([
  ['no usage', 'openai', undefined, [null, null, null, null, null, null]],
  ['no details', 'openai', USAGE, [61, 17, null, null, null, null]],
  ['nothing cached', 'openai', { ...USAGE, input_tokens_details: { cached_tokens: 0 } }, [61, 17, 0, null, null, null]],
  ['reasoning is inside', 'openai', { ...XAI, total_tokens: 860 }, [700, 100, null, null, 60, null]],
  ['broken figures', 'openai', { input_tokens: '61', output_tokens: -1 }, [null, null, null, null, null, null]],
  ['a cost that is not its own', 'openai', { ...USAGE, cost_in_usd_ticks: 5e9 }, [61, 17, null, null, null, null]],
  ['reasoning inside the total', 'xai', { ...XAI, total_tokens: 800 }, [700, 100, null, null, 60, null]],
  ['reasoning beside, as the total says', 'xai', { ...XAI, total_tokens: 860 }, [700, 160, null, null, 60, null]],
  ['no total', 'xai', XAI, [700, 100, null, null, 60, null]],
  ['its cost', 'xai', { ...XAI, cost_in_usd_ticks: 5e9 }, [700, 100, null, null, 60, 0.5]],
])('usage of $1: $0', async ([, host, usage, expected]) => {
  const reply = await replyTo(completed([said('4%')], { usage }), host)
  const { tokensIn, tokensOut, cachedTokens, cacheWriteTokens, reasoningTokens } = reply.usage
  const seen = [tokensIn, tokensOut, cachedTokens, cacheWriteTokens, reasoningTokens, reply.reportedCostUsd]
  expect(seen).toEqual(expected)
})

test.for<readonly [title: string, output: unknown[], searches: number]>([
  ['none', [said('4%')], 0],
  ['two, one of them failed', [searched(), searched([], 'failed'), said('4%')], 2],
  [
    'one, and pages opened after it',
    [searched(), ...['open_page', 'find_in_page'].map((type) => ({ type: 'web_search_call', action: { type } }))],
    1,
  ],
  ['one that does not say what it did', [{ type: 'web_search_call', status: 'completed' }], 1],
  ['a call of another tool', [{ ...searched(), type: 'file_search_call' }], 0],
])('billed searches: %s', async ([, output, searches]) => {
  expect((await replyTo(completed(output))).usage.searches).toBe(searches)
})
