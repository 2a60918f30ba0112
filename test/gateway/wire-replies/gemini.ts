import { answered } from '../../support/raw-server.ts'
import { answer, broken, modelFailed, once, type Verdict, type WireRow } from './row.ts'

/** 171 x 1; thoughts stand beside the answer: (8 + 90) x 10. */
const USD_IN = 0.000171
const USD = 0.001151
const USED = { promptTokenCount: 171, candidatesTokenCount: 8, thoughtsTokenCount: 90, totalTokenCount: 269 }
/** Counts that are 0 are left out. */
const USED_IN = { promptTokenCount: 171, totalTokenCount: 171 }
const GOOD = { content: { role: 'model', parts: [{ text: '{"total": 7}' }] }, finishReason: 'STOP', index: 0 }

const body = (candidate: object, usageMetadata: object | undefined = USED) => ({
  candidates: [candidate],
  usageMetadata,
  modelVersion: 'm-1',
})
const error = (code: number, status: string, message: string, details: object[] = []) => ({
  error: { code, status, message, details },
})
const QUOTA = 'You exceeded your current quota, please check your plan and billing details.'
const quota = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaMetric: 'generate_content_requests', quotaId, quotaValue: '20' }],
})
const RETRY = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '31s' }
const KEY = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com' }

type Row = readonly [string, readonly (readonly [number, unknown])[], Verdict]

const rows: readonly Row[] = [
  ['an answer after thoughts', [[200, body(GOOD)]], answer(USD)],
  [
    'thoughts and no answer',
    [[200, body({ ...GOOD, content: { parts: [{ text: '{"total": 7}', thought: true }] } })]],
    modelFailed('empty', USD),
  ],
  [
    'no content, for a reason that is not told',
    [[200, body({ finishReason: 'OTHER', index: 0 }, USED_IN)]],
    modelFailed('empty', USD_IN),
  ],
  ['no content, at the limit', [[200, body({ finishReason: 'MAX_TOKENS' })]], modelFailed('truncated', USD)],
  [
    'recitation',
    [[200, body({ finishReason: 'RECITATION', index: 0 }, USED_IN)]],
    { ...modelFailed('content_filter', USD_IN), rawFinishReason: 'RECITATION' },
  ],
  [
    'a blocked answer',
    [[200, body({ ...GOOD, finishReason: 'SAFETY' })]],
    { ...modelFailed('content_filter', USD), rawFinishReason: 'SAFETY' },
  ],
  [
    'a blocked prompt, which has no candidate',
    [[200, { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: USED_IN }]],
    { ...modelFailed('content_filter', USD_IN), rawFinishReason: 'blockReason: SAFETY' },
  ],
  ['a body without anything', [[200, {}]], broken('bad_response', null)],
  ['no candidate and no reason, billed', [[200, { usageMetadata: USED_IN }]], broken('bad_response', 4 * USD_IN)],
  ['an error inside a 200', [[200, error(503, 'UNAVAILABLE', 'The model is overloaded.')]], broken('overloaded', null)],
  [
    'a quota per minute',
    [[429, error(429, 'RESOURCE_EXHAUSTED', QUOTA, [quota('GenerateRequestsPerMinutePerProject'), RETRY])]],
    broken('rate_limited', 0),
  ],
  [
    'a quota per day',
    [[429, error(429, 'RESOURCE_EXHAUSTED', QUOTA, [quota('GenerateRequestsPerDayPerProject'), RETRY])]],
    once('quota_exhausted'),
  ],
  ['a key that is none', [[400, error(400, 'INVALID_ARGUMENT', 'API key not valid.', [KEY])]], once('auth')],
  ['a model nobody knows', [[404, error(404, 'NOT_FOUND', 'models/x is not found.')]], once('model_not_found')],
  [
    'an argument that is not right',
    [[400, error(400, 'INVALID_ARGUMENT', 'Unable to process input image.')]],
    once('bad_response'),
  ],
  [
    'a schema it does not take',
    [
      [400, error(400, 'INVALID_ARGUMENT', 'A schema in GenerationConfig produces too many states for serving.')],
      [200, body(GOOD)],
    ],
    { ...answer(USD), rungFallback: 'schema_rejected' },
  ],
  ['500', [[500, error(500, 'INTERNAL', 'An internal error has occurred.')]], broken('server_error', 0)],
  ['503', [[503, error(503, 'UNAVAILABLE', 'The model is overloaded.')]], broken('overloaded', 0)],
  ['504', [[504, error(504, 'DEADLINE_EXCEEDED', 'Deadline expired.')]], broken('timeout', null)],
]

export const GEMINI: readonly WireRow[] = rows.map(([name, replies, verdict]) => ({
  name,
  model: 'gemini/gemini-2.5-flash',
  replies: replies.map(([status, reply]) => answered(reply, status)),
  verdict,
}))
