import { answered } from '../../support/raw-server.ts'
import { answer, broken, modelFailed, once, type Verdict, type WireRow } from './row.ts'

/** The tiers of the input are added up: 50 x 1 + 200 x 2 written + 1,000 x 0.1 read, and 30 x 10. */
const USD = 0.00085
const USAGE = {
  input_tokens: 50,
  cache_creation_input_tokens: 200,
  cache_read_input_tokens: 1000,
  output_tokens: 30,
}

const TEXT = [{ type: 'text', text: '{"total": 7}', citations: null }]
const body = (stop_reason: string, content: object[] = TEXT) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm-1',
  content,
  stop_reason,
  stop_sequence: null,
  usage: USAGE,
})
const error = (type: string, message: string, details: object | null = null) => ({
  type: 'error',
  error: { type, message, details },
  request_id: 'req_1',
})
const FILTERED = error('invalid_request_error', 'Output blocked by content filtering policy')

type Row = readonly [string, readonly (readonly [number, unknown, Record<string, string>?])[], Verdict]

const rows: readonly Row[] = [
  ['an answer', [[200, body('end_turn')]], answer(USD)],
  [
    'thinking beside the answer',
    [[200, body('end_turn', [{ type: 'thinking', thinking: '{"total": 1}' }, ...TEXT])]],
    answer(USD),
  ],
  [
    'thinking and no answer',
    [[200, body('end_turn', [{ type: 'thinking', thinking: 'hm' }])]],
    modelFailed('empty', USD),
  ],
  ['no content at all', [[200, body('end_turn', [])]], modelFailed('empty', USD)],
  ['a refusal', [[200, body('refusal')]], modelFailed('refusal', USD)],
  ['cut at the limit', [[200, body('max_tokens')]], modelFailed('truncated', USD)],
  ['cut at the end of the context', [[200, body('model_context_window_exceeded')]], modelFailed('truncated', USD)],
  ['a turn that is paused: nobody has answered yet', [[200, body('pause_turn')]], broken('bad_response', USD, 1)],
  ['an answer that a filter blocks with a 400', [[400, FILTERED]], modelFailed('content_filter', null)],
  ['the same inside a 200', [[200, FILTERED]], modelFailed('content_filter', null)],
  ['529', [[529, error('overloaded_error', 'Overloaded'), { 'x-should-retry': 'true' }]], broken('overloaded', 0)],
  ['overloaded inside a 200', [[200, error('overloaded_error', 'Overloaded')]], broken('overloaded', null)],
  [
    '429, then an answer',
    [
      [429, error('rate_limit_error', 'Too many tokens.'), { 'retry-after': '5' }],
      [200, body('end_turn')],
    ],
    answer(USD, 2),
  ],
  ['500', [[500, error('api_error', 'Internal server error')]], broken('server_error', 0)],
  ['401', [[401, error('authentication_error', 'invalid x-api-key')]], once('auth')],
  ['404', [[404, error('not_found_error', 'model: x')]], once('model_not_found')],
  [
    'an account without credit, said with a 400',
    [[400, error('invalid_request_error', 'Your credit balance is too low to access the API.')]],
    once('quota_exhausted'),
  ],
  [
    'a spend limit, said with a 429',
    [[429, error('rate_limit_error', 'Limit.', { error_code: 'enforced_spend_limit_reached' })]],
    once('quota_exhausted'),
  ],
  ['413', [[413, error('request_too_large', 'Request exceeds the maximum size')]], once('bad_response')],
  [
    'a schema it does not compile',
    [
      [400, error('invalid_request_error', 'output_config.format.schema: too complex')],
      [200, body('end_turn')],
    ],
    { ...answer(USD), rungFallback: 'schema_rejected' },
  ],
]

const QUERY = { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'rate' } }
const ANSWERED = { type: 'text', text: 'It is 4 %, says https://bank.test/rate.', citations: null }
const came = (content: unknown) => [QUERY, { type: 'web_search_tool_result', tool_use_id: 's', content }]
const failed = (error_code: string) => came({ type: 'web_search_tool_result_error', error_code })
const found = came([{ type: 'web_search_result', url: 'https://bank.test/rate', title: 'Rate' }])

const searches: readonly (readonly [string, readonly object[], Verdict])[] = [
  ['a search that is out of order', failed('unavailable'), broken('overloaded', 8 * USD)],
  ['a search that is asked for too often', failed('too_many_requests'), broken('rate_limited', 8 * USD, 8)],
  ['a search too many, the model’s doing', failed('max_uses_exceeded'), { ...answer(USD), grounded: false }],
  ['a search that is none', failed('invalid_input'), { ...answer(USD), grounded: false }],
  ['a search too long', failed('query_too_long'), { ...answer(USD), grounded: false }],
  ['an outage beside a search that found', [...failed('unavailable'), ...found], { ...answer(USD), grounded: true }],
  ['no search, and no count of any', [], { ...answer(USD), grounded: false }],
]

const answers: readonly WireRow[] = rows.map(([name, replies, verdict]) => ({
  name,
  model: 'anthropic/claude-haiku-4-5',
  replies: replies.map(([status, reply, headers]) => answered(reply, status, headers)),
  verdict,
}))

export const ANTHROPIC: readonly WireRow[] = [
  ...answers,
  ...searches.map(([name, blocks, verdict]) => ({
    name,
    model: 'anthropic/claude-haiku-4-5',
    probeClass: 'grounding' as const,
    replies: [answered(body('end_turn', [...blocks, ANSWERED]))],
    verdict,
  })),
]
