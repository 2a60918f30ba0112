import { answered } from '../../support/raw-server.ts'
import { answer, broken, modelFailed, once, type Verdict, type WireRow } from './row.ts'

/** 300 x 1 + 40 x 10 */
const USD = 0.0007
const USAGE = { input_tokens: 300, output_tokens: 40, total_tokens: 340 }
const SEARCH = { type: 'web_search_call', id: 'ws', status: 'completed', action: { type: 'search', query: 'rate' } }
const FAILED = { status: 'failed', output: [], usage: null }

const message = (...content: object[]) => ({ type: 'message', id: 'm', role: 'assistant', content })
const text = (value: string) => ({ type: 'output_text', text: value, annotations: [] })

/** A Responses body. */
function body(more: Record<string, unknown>): Record<string, unknown> {
  const whole = { status: 'completed', error: null, incomplete_details: null, usage: USAGE, output: [SEARCH] }
  return { id: 'r', object: 'response', model: 'm-1', ...whole, ...more }
}

const rows: readonly (readonly [string, Record<string, unknown>, Verdict])[] = [
  ['an answer after a search', body({ output: [SEARCH, message(text('4 %'))] }), answer(USD)],
  [
    'a search that failed',
    body({ output: [{ ...SEARCH, status: 'failed' }, message(text('4 %'))] }),
    broken('server_error', 8 * USD),
  ],
  [
    'a search that failed beside one that did not',
    body({ output: [{ ...SEARCH, status: 'failed' }, SEARCH, message(text('4 %'))] }),
    { ...answer(USD), grounded: false },
  ],
  [
    'an address that the search found, written in the answer',
    body({
      output: [
        { ...SEARCH, action: { ...SEARCH.action, sources: [{ type: 'url', url: 'https://bank.test/rate' }] } },
        message(text('4 %, says https://bank.test/rate.')),
      ],
    }),
    { ...answer(USD), grounded: true },
  ],
  [
    'an address that the search found and the answer leaves out',
    body({
      output: [
        { ...SEARCH, action: { ...SEARCH.action, sources: [{ type: 'url', url: 'https://bank.test/rate' }] } },
        message(text('4 %')),
      ],
    }),
    { ...answer(USD), grounded: false },
  ],
  ['a search without a word after it', body({}), modelFailed('empty', USD)],
  [
    'a remark on the way and no answer',
    body({ output: [{ ...message(text('I will look it up.')), phase: 'commentary' }] }),
    modelFailed('empty', USD),
  ],
  ['a refusal', body({ output: [message({ type: 'refusal', refusal: 'No.' })] }), modelFailed('refusal', USD)],
  [
    'cut at the limit',
    body({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [message(text('It is'))],
    }),
    modelFailed('truncated', USD),
  ],
  [
    'cut by a filter',
    body({ status: 'incomplete', incomplete_details: { reason: 'content_filter' } }),
    modelFailed('content_filter', USD),
  ],
  [
    'declined by a policy, unpriced',
    body({ ...FAILED, error: { code: 'bio_policy', message: 'not this' } }),
    modelFailed('content_filter', null),
  ],
  [
    'failed within the server, after which nobody knows the bill',
    body({ ...FAILED, error: { code: 'server_error', message: 'An error occurred.' } }),
    broken('server_error', null),
  ],
  [
    'failed at a rate limit, with what it had used so far',
    body({ ...FAILED, error: { code: 'rate_limit_exceeded', message: 'Slow down.' }, usage: USAGE }),
    broken('rate_limited', 8 * USD, 8),
  ],
  ['cancelled by the server', body({ status: 'cancelled' }), broken('server_error', 8 * USD)],
  ['still in progress', body({ status: 'in_progress' }), broken('bad_response', 4 * USD)],
  ['without any output', body({ output: undefined, usage: undefined }), broken('bad_response', null)],
]

const MODEL = { model: 'openai/gpt-5.2', probeClass: 'grounding' as const }

export const RESPONSES: readonly WireRow[] = [
  ...rows.map(([name, reply, verdict]) => ({ ...MODEL, name, replies: [answered(reply)], verdict })),
  {
    ...MODEL,
    name: '429 of an empty account',
    replies: [answered({ error: { message: 'quota', code: 'insufficient_quota' } }, 429)],
    verdict: once('quota_exhausted'),
  },
  {
    ...MODEL,
    name: 'a prompt that is refused with a 400',
    replies: [
      answered({ error: { message: 'flagged', type: 'invalid_request_error', code: 'cyber_policy_violation' } }, 400),
    ],
    verdict: modelFailed('content_filter', null),
  },
]
