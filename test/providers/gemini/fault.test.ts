import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Usage } from '../../../src/model/call.ts'
import type { ProviderFault } from '../../../src/providers/provider.ts'
import { callTo, factsOf, faultOf, json, text } from '../../support/wire-server.ts'
import { candidate, KEY, providerAt, useGeminiServer } from './gemini-server.ts'

const server = useGeminiServer()
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 11, 2, 10, 0, 0) }))
afterEach(() => void vi.useRealTimers())

const NONE = { kind: 'none' } as const
const UNKNOWN = { kind: 'unknown' } as const
const PAID = {
  kind: 'usage',
  usage: {
    tokensIn: 61,
    tokensOut: 17,
    cachedTokens: null,
    cacheWriteTokens: null,
    reasoningTokens: null,
  } satisfies Usage,
} as const
const USAGE = { usageMetadata: { promptTokenCount: 61, candidatesTokenCount: 17 } }

const rpc = (type: string, more: object) => ({ '@type': `type.googleapis.com/google.rpc.${type}`, ...more })
const error = (status: unknown, message = 'it went wrong', details: readonly unknown[] = [], code?: unknown) => ({
  error: { code, message, status, details },
})
const fails = (code: number, status: unknown, message?: string, details?: readonly unknown[]) =>
  json(error(status, message, details, code), code)
const because = (reason: string) => [rpc('ErrorInfo', { reason, domain: 'googleapis.com' })]
const limited = (details: readonly unknown[], headers: Record<string, string> = {}, message = 'slow down') =>
  json(error('RESOURCE_EXHAUSTED', message, details, 429), 429, headers)
const pause = (retryDelay: unknown) => rpc('RetryInfo', { retryDelay })
const violated = (quotaId: string, quotaValue: unknown) =>
  rpc('QuotaFailure', { violations: [{ quotaId, quotaValue, quotaMetric: 'requests' }] })
const BOILERPLATE = 'You exceeded your current quota, please check your plan and billing details.'

type Row = readonly [
  title: string,
  response: () => Response,
  failureClass: ProviderFault['failureClass'],
  billing: ProviderFault['billing'],
  retryable: boolean,
  retryAfterMs?: number,
]

const TABLE: readonly Row[] = [
  ['400', fails(400, 'INVALID_ARGUMENT'), 'bad_response', NONE, false],
  ['400, a key that is none', fails(400, 'INVALID_ARGUMENT', 'x', because('API_KEY_INVALID')), 'auth', NONE, false],
  ['400, billing to be enabled', fails(400, 'FAILED_PRECONDITION', 'enable billing'), 'quota_exhausted', NONE, false],
  ['400, a location', fails(400, 'FAILED_PRECONDITION', 'location unsupported'), 'bad_response', NONE, false],
  ['401', fails(401, 'UNAUTHENTICATED'), 'auth', NONE, false],
  ['401 without a body', text('', 401), 'auth', NONE, false],
  ['UNAUTHENTICATED under another status', fails(418, 'UNAUTHENTICATED'), 'auth', NONE, false],
  ['402', text('pay first', 402, 'text/plain'), 'quota_exhausted', NONE, false],
  ['403', fails(403, 'PERMISSION_DENIED'), 'auth', NONE, false],
  [
    '403, billing off',
    fails(403, 'PERMISSION_DENIED', 'x', because('BILLING_DISABLED')),
    'quota_exhausted',
    NONE,
    false,
  ],
  ['404', fails(404, 'NOT_FOUND'), 'model_not_found', NONE, false],
  ['404 with a page', text('<html>', 404, 'text/html'), 'model_not_found', NONE, false],
  ['408', text('', 408), 'timeout', UNKNOWN, true],
  ['409', fails(409, 'ABORTED'), 'bad_response', NONE, false],
  ['413', text('too large', 413, 'text/plain'), 'bad_response', NONE, false],
  ['429', limited([]), 'rate_limited', NONE, true],
  ['429 of a proxy', text('slow down', 429, 'text/plain'), 'rate_limited', NONE, true],
  ['429 in a list', json([error('RESOURCE_EXHAUSTED', 'x', [pause('3s')])], 429), 'rate_limited', NONE, true, 3000],
  ['RESOURCE_EXHAUSTED under another status', fails(400, 'RESOURCE_EXHAUSTED'), 'rate_limited', NONE, true],
  ['429, a pause', limited([pause('26s')]), 'rate_limited', NONE, true, 26_000],
  ['429, a pause in parts', limited([pause('55.576865699s')]), 'rate_limited', NONE, true, 55_577],
  ['429, a pause in fields', limited([pause({ seconds: '7', nanos: 5e8 })]), 'rate_limited', NONE, true, 7500],
  ['429, no pause', limited([pause('soon'), pause(null), pause('-3s')]), 'rate_limited', NONE, true],
  ['429, Retry-After', limited([], { 'retry-after': '12' }), 'rate_limited', NONE, true, 12_000],
  [
    '429, Retry-After as a date',
    limited([], { 'retry-after': 'Wed, 02 Dec 2026 10:00:30 GMT' }),
    'rate_limited',
    NONE,
    true,
    30_000,
  ],
  ['429, Retry-After of no sense', limited([], { 'retry-after': 'later' }), 'rate_limited', NONE, true],
  ['429, the longer pause', limited([pause('5s')], { 'retry-after': '9' }), 'rate_limited', NONE, true, 9000],
  [
    '429, the longer pause is the body’s',
    limited([pause('9s')], { 'retry-after': '5' }),
    'rate_limited',
    NONE,
    true,
    9000,
  ],
  ['429, a quota of the minute', limited([violated('PerMinute', '250')], {}, BOILERPLATE), 'rate_limited', NONE, true],
  ['429, the usual words and a pause', limited([pause('5s')], {}, BOILERPLATE), 'rate_limited', NONE, true, 5000],
  ['429, the usual words alone', limited([], {}, BOILERPLATE), 'quota_exhausted', NONE, false],
  ['429, a quota of the day', limited([violated('PerDayPerModel', '250')]), 'quota_exhausted', NONE, false],
  ['429, a quota of nothing', limited([violated('PerMinute', '0')]), 'quota_exhausted', NONE, false],
  [
    '429, a quota of nothing in words, although it names a pause',
    limited([pause('5s')], {}, `${BOILERPLATE} * Quota exceeded for metric: requests, limit: 0, model: m`),
    'quota_exhausted',
    NONE,
    false,
    5000,
  ],
  ['429, a quota of ten in words', limited([pause('5s')], {}, 'limit: 10, model: m'), 'rate_limited', NONE, true, 5000],
  ['429, no credits', limited([], {}, 'Your prepayment credits are depleted.'), 'quota_exhausted', NONE, false],
  ['429, a bill', limited([pause('5s')], {}, 'Set up billing.'), 'quota_exhausted', NONE, false, 5000],
  ['429, credits', limited([], {}, 'You have no credits left.'), 'quota_exhausted', NONE, false],
  ['429, a cap', limited([], {}, 'The spending cap is reached.'), 'quota_exhausted', NONE, false],
  ['429, a quota of a half', limited([], {}, 'limit: 0.5'), 'rate_limited', NONE, true],
  ['499', fails(499, 'CANCELLED'), 'timeout', UNKNOWN, true],
  ['499 without a body', text('', 499), 'timeout', UNKNOWN, true],
  ['500', fails(500, 'INTERNAL'), 'server_error', NONE, true],
  ['500, unknown', fails(500, 'UNKNOWN'), 'server_error', NONE, true],
  ['500 with half a body', text('{"error":{"mess', 500), 'server_error', NONE, true],
  ['502 with a page', text('<html>Bad Gateway</html>', 502, 'text/html'), 'server_error', NONE, true],
  ['503', json(error('UNAVAILABLE'), 503, { 'retry-after': '2' }), 'overloaded', NONE, true, 2000],
  ['503 without a body', text('', 503), 'overloaded', NONE, true],
  ['504', fails(504, 'DEADLINE_EXCEEDED'), 'timeout', UNKNOWN, true],
  ['504 of a proxy', text('upstream timed out', 504, 'text/plain'), 'timeout', UNKNOWN, true],
  ['524', text('', 524), 'timeout', UNKNOWN, true],
  ['529', text('', 529), 'overloaded', NONE, true],
  ['200 with an error, code 503', json({ error: { code: 503, message: 'x' } }), 'overloaded', UNKNOWN, true],
  ['200 with an error, and usage', json({ ...error('INTERNAL', 'x', [], 500), ...USAGE }), 'server_error', PAID, true],
  ['200 with an error, code 429', json(error(null, 'x', [pause('4s')], 429)), 'rate_limited', NONE, true, 4000],
  ['200 with an error, code 400', json(error('INVALID_ARGUMENT', 'x', [], 400)), 'bad_response', NONE, false],
  ['200 with an error, status alone', json(error('UNAVAILABLE')), 'overloaded', UNKNOWN, true],
  ['200 with an error, DEADLINE_EXCEEDED', json(error('DEADLINE_EXCEEDED', 'x', [], 499)), 'timeout', UNKNOWN, true],
  ['200 with an error of no known name', json(error('MOON')), 'bad_response', UNKNOWN, true],
  ['200 with an error that is a text', json({ error: 'out of memory' }), 'bad_response', UNKNOWN, true],
  [
    '200 with an error beside an answer',
    json({ ...candidate([{ text: '{}' }]), ...error('INTERNAL') }),
    'server_error',
    UNKNOWN,
    true,
  ],
  ['no candidates', json({}), 'bad_response', UNKNOWN, true],
  ['candidates: []', json({ candidates: [], ...USAGE }), 'bad_response', PAID, true],
  ['candidates: null', json({ candidates: null }), 'bad_response', UNKNOWN, true],
  ['candidates: [null]', json({ candidates: [null] }), 'bad_response', UNKNOWN, true],
  ['candidates: [{}]', json({ candidates: [{}] }), 'bad_response', UNKNOWN, true],
  ['feedback without a reason', json({ promptFeedback: { safetyRatings: [] } }), 'bad_response', UNKNOWN, true],
  ['a list', json([1]), 'bad_response', UNKNOWN, true],
  ['null', json(null), 'bad_response', UNKNOWN, true],
  ['a text', json('yes'), 'bad_response', UNKNOWN, true],
  ['a page with 200', text('<html>Sign in</html>', 200, 'text/html'), 'bad_response', UNKNOWN, true],
  ['an empty body', text(''), 'bad_response', UNKNOWN, true],
  ['204', () => new Response(null, { status: 204 }), 'bad_response', UNKNOWN, true],
  ['truncated JSON', text('{"candidates":[{"content":{"parts'), 'bad_response', UNKNOWN, true],
]

test.for(TABLE)('%s', async ([, response, failureClass, billing, retryable, retryAfterMs = null]) => {
  server.answer([response])
  const fault = await faultOf(callTo(providerAt()))
  expect(factsOf(fault)).toEqual({ failureClass, billing, retryable, retryAfterMs })
  // The SDK's own retries would be spend that nobody counts.
  expect(server.received).toHaveLength(1)
})

async function messageOf(response: () => Response): Promise<string> {
  server.answer([response])
  return (await faultOf(callTo(providerAt()))).message
}

test.for([
  ['the message', fails(500, 'INTERNAL', 'the moon is full'), /^500 the moon is full$/],
  ['a list', json([error('INTERNAL', 'the moon is full')], 500), /^500 the moon is full$/],
  ['a text in its place', json({ error: 'the moon is full' }, 500), /^500 the moon is full$/],
  ['no message', json({ error: { why: 'moon' } }, 500), /^500 \{"why":"moon"\}$/],
  ['another body', json({ detail: 'the moon is full' }, 500), /^500 \{"detail":"the moon is full"\}$/],
  ['a plain text', text('the moon is full', 502, 'text/plain'), /^502 the moon is full$/],
  ['a status alone', text('', 503), /^503$/],
  ['a 200', json(error('INTERNAL', 'the moon is full')), /^the moon is full$/],
  ['a 200, a text in its place', json({ error: 'the moon is full' }), /^the moon is full$/],
  ['a 200, nothing', json({ error: {} }), /^the reply carries an error$/],
  ['a 200 that is a page', text('<html>Sign in</html>', 200, 'text/html'), /not a JSON object: <html>Sign in/],
] as const)('a fault tells what the server said: %s', async ([, response, message]) => {
  expect(await messageOf(response)).toMatch(message)
})

test('a long page is cut', async () => {
  const message = await messageOf(text(`<html>${'x'.repeat(90_000)}`, 502, 'text/html'))
  expect(message).toMatch(/^502 <html>x+…$/)
  expect(message.length).toBeLessThan(600)
})

test.for([
  ['in an error', fails(400, 'INVALID_ARGUMENT', `API key not valid: ${KEY}`)],
  ['in a 200', json(error('UNAUTHENTICATED', `API key not valid: ${KEY}`))],
  ['in a page', text(`API key not valid: ${KEY}`, 200, 'text/html')],
  ['where the text is cut', text(`${'x'.repeat(460)} not valid: ${KEY}`, 401, 'text/plain')],
] as const)('a key that a server repeats is not told: %s', async ([, response]) => {
  const message = await messageOf(response)
  expect(message).not.toContain('key-of')
  expect(message).toMatch(/ not valid: \*\*\*/)
})
