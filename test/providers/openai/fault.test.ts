import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Usage } from '../../../src/model/call.ts'
import type { ProviderFault } from '../../../src/providers/provider.ts'
import { callTo, factsOf, faultOf, json, text } from '../../support/wire-server.ts'
import { ADDRESS, chat, providerAt, useChatServer } from './chat-server.ts'

const server = useChatServer()
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 11, 2, 10, 0, 0) }))
afterEach(() => void vi.useRealTimers())

const NONE = { kind: 'none' } as const
const UNKNOWN = { kind: 'unknown' } as const
const paid = (tokensIn: number, tokensOut: number) => ({
  kind: 'usage' as const,
  usage: { tokensIn, tokensOut, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null } satisfies Usage,
})
const USAGE = { prompt_tokens: 61, completion_tokens: 17 }
const error = (code: unknown, message = 'it went wrong', more: object = {}) => ({ error: { code, message, ...more } })
const limited = (headers: Record<string, string>) => json(error(null, 'slow down'), 429, headers)

type Row = readonly [
  title: string,
  response: () => Response,
  failureClass: ProviderFault['failureClass'],
  billing: ProviderFault['billing'],
  retryable: boolean,
  retryAfterMs?: number,
]

const TABLE: readonly Row[] = [
  ['401', json(error('invalid_api_key'), 401), 'auth', NONE, false],
  ['403', json(error(null), 403), 'auth', NONE, false],
  ['402', json(error(402), 402), 'quota_exhausted', NONE, false],
  ['404', json(error('model_not_found'), 404), 'model_not_found', NONE, false],
  [
    '404 of a server that knows no such path',
    text('404 page not found', 404, 'text/plain'),
    'model_not_found',
    NONE,
    false,
  ],
  ['408', json(error(null), 408), 'timeout', UNKNOWN, true],
  ['413', json(error(null), 413), 'bad_response', NONE, false],
  ['429', limited({}), 'rate_limited', NONE, true],
  ['429, insufficient_quota as code', json(error('insufficient_quota'), 429), 'quota_exhausted', NONE, false],
  [
    '429, insufficient_quota as type',
    json(error(null, 'no', { type: 'insufficient_quota' }), 429),
    'quota_exhausted',
    NONE,
    false,
  ],
  ['429, pause in seconds', limited({ 'retry-after': '12' }), 'rate_limited', NONE, true, 12_000],
  ['429, pause in parts of a second', limited({ 'retry-after': '0.25' }), 'rate_limited', NONE, true, 250],
  ['429, pause beyond an hour', limited({ 'retry-after': '7200' }), 'rate_limited', NONE, true, 7_200_000],
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
  [
    '429, pause until a date gone by',
    limited({ 'retry-after': 'Wed, 02 Dec 2026 09:00:00 GMT' }),
    'rate_limited',
    NONE,
    true,
    0,
  ],
  ['429, pause of no date', limited({ 'retry-after': 'Wed, 99 Foo 2026 10:00:00 GMT' }), 'rate_limited', NONE, true],
  ['429, pause in words', limited({ 'retry-after': 'in 5 minutes' }), 'rate_limited', NONE, true],
  ['429, negative pause', limited({ 'retry-after': '-5' }), 'rate_limited', NONE, true],
  [
    '429, negative milliseconds',
    limited({ 'retry-after-ms': '-5', 'retry-after': '3' }),
    'rate_limited',
    NONE,
    true,
    3000,
  ],
  ['429, malformed milliseconds', limited({ 'retry-after-ms': '1e3' }), 'rate_limited', NONE, true],
  ['429, empty pause', limited({ 'retry-after': '' }), 'rate_limited', NONE, true],
  ['500', json(error('server_error'), 500), 'server_error', NONE, true],
  ['500 without a body', text('', 500), 'server_error', NONE, true],
  ['502 with a page', text('<html>Bad Gateway</html>', 502, 'text/html'), 'server_error', NONE, true],
  ['503', json(error(null), 503, { 'retry-after': '2' }), 'overloaded', NONE, true, 2000],
  ['504', text('upstream timed out', 504, 'text/plain'), 'timeout', UNKNOWN, true],
  ['524', text('', 524), 'timeout', UNKNOWN, true],
  ['529', json(error(null, 'Overloaded', { type: 'overloaded_error' }), 529), 'overloaded', NONE, true],
  ['500 that asks to be retried', json(error(null), 500, { 'x-should-retry': 'true' }), 'server_error', NONE, true],
  ['400', json(error(null, 'image input is not supported'), 400), 'bad_response', NONE, false],
  ['400 about a model', json(error('model_not_found'), 400), 'model_not_found', NONE, false],
  ['400 with a text as error', json({ error: 'no such thing' }, 400), 'bad_response', NONE, false],
  ['409', json(error(null), 409), 'bad_response', NONE, false],
  ['200 with an error, code 502', json(error(502)), 'server_error', UNKNOWN, true],
  ['200 with an error, code 502, and usage', json({ ...error(502), usage: USAGE }), 'server_error', paid(61, 17), true],
  ['200 with an error, code "502"', json(error('502')), 'server_error', UNKNOWN, true],
  ['200 with an error, code 429', json(error(429)), 'rate_limited', NONE, true],
  ['200 with an error, code 408', json(error(408)), 'timeout', UNKNOWN, true],
  ['200 with an error, code 401', json(error(401)), 'auth', NONE, false],
  ['200 with an error, code 400', json(error(400)), 'bad_response', NONE, false],
  ['200 with an error, code 1302', json(error(1302)), 'bad_response', UNKNOWN, true],
  ['200 with an error, code as a word', json(error('rate_limit_exceeded')), 'rate_limited', UNKNOWN, true],
  [
    '200 with an error, type as a word',
    json(error(null, 'x', { type: 'overloaded_error' })),
    'overloaded',
    UNKNOWN,
    true,
  ],
  ['200 with an error, code insufficient_quota', json(error('insufficient_quota')), 'quota_exhausted', UNKNOWN, false],
  ['200 with an error of no known code', json(error('E_MOON')), 'bad_response', UNKNOWN, true],
  ['200 with an error that is a text', json({ error: 'out of memory' }), 'bad_response', UNKNOWN, true],
  ['200 with an error at the top', json({ object: 'error', message: 'x', code: 503 }), 'overloaded', UNKNOWN, true],
  ['200 with an error beside an answer', json(chat({ content: '{}' }, error(502))), 'server_error', UNKNOWN, true],
  [
    '200 with an error in its choice',
    json({ choices: [{ finish_reason: 'error', message: { content: '{"a"' }, ...error(503) }], usage: USAGE }),
    'overloaded',
    paid(61, 17),
    true,
  ],
  ['choices: []', json({ choices: [] }), 'bad_response', UNKNOWN, true],
  ['choices: [], with usage', json({ choices: [], usage: USAGE }), 'bad_response', paid(61, 17), true],
  ['choices: null', json({ choices: null }), 'bad_response', UNKNOWN, true],
  ['choices: [null]', json({ choices: [null] }), 'bad_response', UNKNOWN, true],
  ['no choices', json({ id: 'chatcmpl-1' }), 'bad_response', UNKNOWN, true],
  ['a choice without a message', json({ choices: [{ text: 'x' }] }), 'bad_response', UNKNOWN, true],
  ['a message that is a text', json({ choices: [{ message: 'x' }] }), 'bad_response', UNKNOWN, true],
  ['a list', json([1]), 'bad_response', UNKNOWN, true],
  ['null', json(null), 'bad_response', UNKNOWN, true],
  ['a page with 200', text('<html>Sign in</html>', 200, 'text/html'), 'bad_response', UNKNOWN, true],
  ['an empty body', text(''), 'bad_response', UNKNOWN, true],
  ['an empty body of no type', text('', 200, 'text/plain'), 'bad_response', UNKNOWN, true],
  ['204', () => new Response(null, { status: 204 }), 'bad_response', UNKNOWN, true],
  ['truncated JSON', text('{"choices":[{"message":{"content":"{'), 'bad_response', UNKNOWN, true],
]

test.for(TABLE)('%s', async ([, response, failureClass, billing, retryable, retryAfterMs = null]) => {
  server.answer([response])
  const fault = await faultOf(callTo(providerAt(ADDRESS)))
  expect(factsOf(fault)).toEqual({ failureClass, billing, retryable, retryAfterMs })
  // The SDK's own retries would be spend that nobody counts.
  expect(server.received).toHaveLength(1)
})

async function messageOf(response: () => Response, apiKey: string | null = null): Promise<string> {
  server.answer([response])
  return (await faultOf(callTo(providerAt(ADDRESS, { apiKey })))).message
}

test.for([
  ['the message', json(error(null, 'the moon is full'), 500), /^500 the moon is full$/],
  ['a text in its place', json({ error: 'the moon is full' }, 500), /the moon is full/],
  [
    'an error at the top, as vLLM writes it',
    json({ object: 'error', message: 'the moon is full' }, 500),
    /^500 the moon is full$/,
  ],
  [
    'a detail at the top, as FastAPI writes it',
    json({ detail: [{ msg: 'the moon is full' }] }, 500),
    /the moon is full/,
  ],
  ['a plain text', text('the moon is full', 500, 'text/plain'), /^500 the moon is full$/],
  [
    'metadata.raw of a gateway',
    json(error(502, 'Provider returned error', { metadata: { raw: 'the moon is full' } }), 502),
    /^502 Provider returned error: the moon is full$/,
  ],
  [
    'metadata.raw as an object',
    json(error(502, 'no', { metadata: { raw: { why: 'moon' } } }), 502),
    /: \{"why":"moon"\}$/,
  ],
  ['a 200', json(error(502, 'the moon is full')), /^the moon is full$/],
  ['a 200, metadata.raw', json(error(502, 'no', { metadata: { raw: 'the moon is full' } })), /^no: the moon is full$/],
  ['a 200, a text in its place', json({ error: 'the moon is full' }), /^the moon is full$/],
  ['a 200, no message', json({ error: { reason: 'moon' } }), /\{"reason":"moon"\}/],
  ['a 200 that is a page', text('<html>Sign in</html>', 200, 'text/html'), /not JSON: <html>Sign in/],
  ['a status alone', text('', 503), /503/],
] as const)('a fault tells what the server said: %s', async ([, response, message]) => {
  expect(await messageOf(response)).toMatch(message)
})

test('a long page is cut', async () => {
  const message = await messageOf(text(`<html>${'x'.repeat(90_000)}`, 502, 'text/html'))
  expect(message).toMatch(/^502 <html>x+…$/)
  expect(message.length).toBeLessThan(600)
})

test.for([
  ['in an error', json(error(null, 'Received key: sk-vera-20261202'), 401)],
  ['in a 200', json(error(401, 'Received key: sk-vera-20261202'))],
  ['where the text is cut', text(`${'x'.repeat(480)} key: sk-vera-20261202`, 401, 'text/plain')],
] as const)('a key that a server repeats is not told: %s', async ([, response]) => {
  const message = await messageOf(response, 'sk-vera-20261202')
  expect(message).not.toContain('sk-vera')
  expect(message).toMatch(/ key: \*\*\*/)
})
