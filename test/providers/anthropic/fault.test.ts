import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Usage } from '../../../src/model/call.ts'
import type { ProviderFault } from '../../../src/providers/provider.ts'
import { callTo, factsOf, faultOf, json, text } from '../../support/wire-server.ts'
import { error, KEY, message, providerAt, useMessagesServer } from './messages-server.ts'

const server = useMessagesServer()
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 11, 2, 10, 0, 0) }))
afterEach(() => void vi.useRealTimers())

const NONE = { kind: 'none' } as const
const UNKNOWN = { kind: 'unknown' } as const
const USAGE = { input_tokens: 50, cache_read_input_tokens: 11, output_tokens: 17 }
const PAID = {
  kind: 'usage' as const,
  usage: {
    tokensIn: 61,
    tokensOut: 17,
    cachedTokens: 11,
    cacheWriteTokens: null,
    reasoningTokens: null,
    searches: null,
  } satisfies Usage,
}
const INVALID = 'invalid_request_error'
const limited = (headers: Record<string, string>) => json(error('rate_limit_error'), 429, headers)
const coded = (error_code: string) => ({ details: { error_code } })

type Row = readonly [
  title: string,
  response: () => Response,
  failureClass: ProviderFault['failureClass'],
  billing: ProviderFault['billing'],
  retryable: boolean,
  retryAfterMs?: number,
]

const STATUSES: readonly Row[] = [
  ['401', json(error('authentication_error'), 401), 'auth', NONE, false],
  ['401 of a proxy', text('no', 401, 'text/plain'), 'auth', NONE, false],
  ['401 of another type', json(error(INVALID), 401), 'auth', NONE, false],
  ['403', json(error('permission_error'), 403), 'auth', NONE, false],
  ['403 of a proxy', text('<html>no</html>', 403, 'text/html'), 'auth', NONE, false],
  ['400 that is about the key', json(error('authentication_error'), 400), 'auth', NONE, false],
  ['400, organization on hold', json(error(INVALID, 'no', coded('organization_on_hold')), 400), 'auth', NONE, false],
  ['402', json(error('billing_error'), 402), 'quota_exhausted', NONE, false],
  ['402 without a body', text('', 402), 'quota_exhausted', NONE, false],
  [
    '400, no credit',
    json(error(INVALID, 'Your credit balance is too low to access the API.'), 400),
    'quota_exhausted',
    NONE,
    false,
  ],
  [
    '400, limit of spending',
    json(error(INVALID, 'You have reached your specified API usage limits.'), 400),
    'quota_exhausted',
    NONE,
    false,
  ],
  [
    '429, limit of spending',
    json(error('rate_limit_error', 'no', coded('enforced_spend_limit_reached')), 429),
    'quota_exhausted',
    NONE,
    false,
  ],
  ['404', json(error('not_found_error', 'model: opus'), 404), 'model_not_found', NONE, false],
  ['404 of a proxy', text('404 page not found', 404, 'text/plain'), 'model_not_found', NONE, false],
  ['400', json(error(INVALID), 400), 'bad_response', NONE, false],
  ['400 without a body', text('', 400), 'bad_response', NONE, false],
  ['400 with a text as error', json({ error: 'no such thing' }, 400), 'bad_response', NONE, false],
  ['409', json(error('conflict_error'), 409), 'bad_response', NONE, false],
  ['413', json(error('request_too_large'), 413), 'bad_response', NONE, false],
  ['422', json(error(INVALID), 422), 'bad_response', NONE, false],
  ['408', json(error('timeout_error'), 408), 'timeout', UNKNOWN, true],
  ['504', json(error('timeout_error'), 504), 'timeout', UNKNOWN, true],
  ['504 of a proxy', text('upstream timed out', 504, 'text/plain'), 'timeout', UNKNOWN, true],
  ['524', text('', 524), 'timeout', UNKNOWN, true],
  ['500 that is a timeout', json(error('timeout_error'), 500), 'timeout', UNKNOWN, true],
  ['500', json(error('api_error'), 500), 'server_error', NONE, true],
  ['500 without a body', text('', 500), 'server_error', NONE, true],
  ['502 with a page', text('<html>Bad Gateway</html>', 502, 'text/html'), 'server_error', NONE, true],
  ['503', text('', 503), 'overloaded', NONE, true],
  ['529', json(error('overloaded_error', 'Overloaded'), 529), 'overloaded', NONE, true],
  ['529 without a body', text('', 529), 'overloaded', NONE, true],
  ['500 that is an overload', json(error('overloaded_error'), 500), 'overloaded', NONE, true],
  ['400 that is an overload', json(error('overloaded_error'), 400), 'overloaded', NONE, true],
]

const PAUSES: readonly Row[] = [
  ['429', limited({}), 'rate_limited', NONE, true],
  ['429 of a proxy', text('slow down', 429, 'text/plain'), 'rate_limited', NONE, true],
  ['429, pause in seconds', limited({ 'retry-after': '12' }), 'rate_limited', NONE, true, 12_000],
  [
    '429, pause in milliseconds',
    limited({ 'retry-after-ms': '340', 'retry-after': '9' }),
    'rate_limited',
    NONE,
    true,
    340,
  ],
  [
    '429, pause until a date',
    limited({ 'retry-after': 'Wed, 02 Dec 2026 10:00:30 GMT' }),
    'rate_limited',
    NONE,
    true,
    30_000,
  ],
  ['429, pause of no date', limited({ 'retry-after': 'Wed, 99 Foo 2026 10:00:00 GMT' }), 'rate_limited', NONE, true],
  ['429, not to be retried', limited({ 'x-should-retry': 'false' }), 'rate_limited', NONE, false],
  ['429, to be retried', limited({ 'x-should-retry': 'true' }), 'rate_limited', NONE, true],
  ['529, pause', json(error('overloaded_error'), 529, { 'retry-after': '2' }), 'overloaded', NONE, true, 2000],
  ['529, to be retried', json(error('overloaded_error'), 529, { 'x-should-retry': 'true' }), 'overloaded', NONE, true],
  ['500, not to be retried', json(error('api_error'), 500, { 'x-should-retry': 'false' }), 'server_error', NONE, false],
  ['400, to be retried', json(error(INVALID), 400, { 'x-should-retry': 'true' }), 'bad_response', NONE, false],
]

const BODIES: readonly Row[] = [
  ['200, overloaded', json(error('overloaded_error', 'Overloaded')), 'overloaded', UNKNOWN, true],
  ['200, overloaded, with usage', json({ ...error('overloaded_error'), usage: USAGE }), 'overloaded', PAID, true],
  ['200, api_error', json(error('api_error')), 'server_error', UNKNOWN, true],
  ['200, timeout_error', json(error('timeout_error')), 'timeout', UNKNOWN, true],
  ['200, rate_limit_error', json(error('rate_limit_error')), 'rate_limited', NONE, true],
  ['200, authentication_error', json(error('authentication_error')), 'auth', NONE, false],
  ['200, not_found_error', json(error('not_found_error')), 'model_not_found', NONE, false],
  ['200, billing_error', json(error('billing_error')), 'quota_exhausted', NONE, false],
  ['200, no credit', json(error(INVALID, 'credit balance is too low')), 'quota_exhausted', NONE, false],
  ['200, invalid_request_error', json(error(INVALID)), 'bad_response', NONE, false],
  ['200, invalid_request_error with usage', json({ ...error(INVALID), usage: USAGE }), 'bad_response', PAID, false],
  ['200, an unknown error', json(error('moon_error')), 'bad_response', UNKNOWN, true],
  ['200, an error of no type', json({ error: { message: 'x' } }), 'bad_response', UNKNOWN, true],
  ['200, an error that is a text', json({ error: 'out of memory' }), 'bad_response', UNKNOWN, true],
  ['200, an error beside a message', json({ ...message(), ...error('overloaded_error') }), 'overloaded', UNKNOWN, true],
  ['an error without one', json({ type: 'error' }), 'bad_response', UNKNOWN, true],
  ['no content', json({ type: 'message', usage: USAGE }), 'bad_response', PAID, true],
  ['content: null', json(message(null)), 'bad_response', UNKNOWN, true],
  ['content that is a text', json(message('x')), 'bad_response', UNKNOWN, true],
  ['another type', json({ ...message(), type: 'completion' }), 'bad_response', UNKNOWN, true],
  ['a list', json([message()]), 'bad_response', UNKNOWN, true],
  ['null', json(null), 'bad_response', UNKNOWN, true],
  ['a page with 200', text('<html>Sign in</html>', 200, 'text/html'), 'bad_response', UNKNOWN, true],
  ['an empty body', text(''), 'bad_response', UNKNOWN, true],
  ['an empty body of no type', text('', 200, 'text/plain'), 'bad_response', UNKNOWN, true],
  ['204', () => new Response(null, { status: 204 }), 'bad_response', UNKNOWN, true],
  ['truncated JSON', text('{"type":"message","content":[{'), 'bad_response', UNKNOWN, true],
]

test.for([...STATUSES, ...PAUSES, ...BODIES])(
  '%s',
  async ([, response, failureClass, billing, retryable, retryAfterMs = null]) => {
    server.answer([response])
    const fault = await faultOf(callTo(providerAt()))
    expect(factsOf(fault)).toEqual({ failureClass, billing, retryable, retryAfterMs })
    // The SDK's own retries would be spend that nobody counts.
    expect(server.received).toHaveLength(1)
  },
)

async function messageOf(response: () => Response): Promise<string> {
  server.answer([response])
  return (await faultOf(callTo(providerAt()))).message
}

test.for([
  ['the message', json(error('api_error', 'the moon is full'), 500), /^500 the moon is full$/],
  ['a text in its place', json({ error: 'the moon is full' }, 500), /^500 the moon is full$/],
  ['a message that is none', json(error('api_error', { moon: 'full' }), 500), /^500 .*"moon":"full"/],
  ['a plain text', text('the moon is full', 500, 'text/plain'), /^500 the moon is full$/],
  ['a 200', json(error('api_error', 'the moon is full')), /^the moon is full$/],
  ['a 200, no message', json({ type: 'error', reason: 'moon' }), /"reason":"moon"/],
  ['a 200 that is a page', text('<html>Sign in</html>', 200, 'text/html'), /not JSON: <html>Sign in/],
  ['a status alone', text('', 503), /503/],
] as const)('a fault tells what the server said: %s', async ([, response, told]) => {
  expect(await messageOf(response)).toMatch(told)
})

test('a long page is cut', async () => {
  const told = await messageOf(text(`<html>${'x'.repeat(90_000)}`, 502, 'text/html'))
  expect(told).toMatch(/^502 <html>x+…$/)
  expect(told.length).toBeLessThan(600)
})

test.for([
  ['in an error', json(error('authentication_error', `Received key: ${KEY}`), 401)],
  ['in a 200', json(error('authentication_error', `Received key: ${KEY}`))],
  ['where the text is cut', text(`${'x'.repeat(480)} key: ${KEY}`, 401, 'text/plain')],
] as const)('a key that a server repeats is not told: %s', async ([, response]) => {
  const told = await messageOf(response)
  expect(told).not.toContain('sk-ant')
  expect(told).toMatch(/ key: \*\*\*/)
})
