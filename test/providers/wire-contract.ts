import { createHash } from 'node:crypto'
import { inspect } from 'node:util'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { checkedReply } from '../../src/gateway/call/check-reply.ts'
import type { CallRequest } from '../../src/model/call.ts'
import { factsOf, faultOf } from '../support/wire-server.ts'
import type { Answer, Arrived, ContractServer } from './contract-server.ts'
import { callOf, SCHEMA, type Subject } from './provider-contract.ts'
import type { WireFormat } from './wire-formats.ts'

/** A provider that calls a server. */
export interface WiredSubject extends Subject {
  readonly server: ContractServer
  readonly format: WireFormat
  readonly key: string
  /** How a body switches a search on; null where the provider has none. */
  readonly search: { readonly tools?: readonly object[]; readonly plugins?: readonly object[] } | null
}

const LIMIT = 321
const HTML = '<html><body>Bad gateway</body></html>'

/** What holds for every provider that has a wire. */
export function testWire(subject: WiredSubject): void {
  const { ask, format, key, open, server } = subject
  const request = (more: Partial<CallRequest> = {}): CallRequest => ({
    ...ask('Lima'),
    maxOutputTokens: LIMIT,
    ...more,
  })
  const call = (more: Partial<CallRequest> = {}) => callOf(subject, open(), request(more))

  /** Has the server answer every request with this. */
  function answered(answer: Answer): void {
    server.answer = () => answer
  }

  test('one request, with the key, the model, the prompt once, and the bound of its output', async () => {
    subject.end('stop')
    await call()
    const [arrived, ...more] = server.arrived as [Arrived]
    expect(more).toEqual([])
    expect(format.keyOf(arrived)).toBe(key)
    expect(format.modelOf(arrived)).toBe(subject.model)
    expect(format.promptOf(arrived.body)).toBe(request().prompt)
    expect(arrived.text.split(request().prompt)).toHaveLength(2)
    expect(format.limitOf(arrived.body)).toBe(LIMIT)
  })

  test('an image is told by the hash of the bytes that went over the wire', async () => {
    subject.end('stop')
    const plain = { create: { width: 4000, height: 40, channels: 3 as const, background: '#ffffff' } }
    const bytes = new Uint8Array(await sharp(plain).png().toBuffer())
    const sha256 = hashOf(bytes)
    const reply = await call({ images: [{ bytes, mediaType: 'image/png', sha256 }] })
    const { mediaType, base64 } = format.imageOf(server.arrived[0]!.body)
    const sent = Buffer.from(base64, 'base64')
    const { width, height, format: kind } = await sharp(sent).metadata()
    expect(mediaType).toBe(`image/${kind}`)
    expect(reply.sentImages).toEqual([{ sha256: hashOf(sent), mediaType, width, height }])
    // It is larger than anyone takes, so that what is sent is not the fixture's.
    expect(width).toBeLessThan(4000)
    expect(server.arrived[0]!.text.split(base64)).toHaveLength(2)
  })

  test.for(Object.entries(subject.rungs))('rung %s shows on the wire', async ([rung, asked]) => {
    subject.end('stop')
    const [called] = await Promise.allSettled([call({ answerSchema: SCHEMA, rung: rung as CallRequest['rung'] })])
    const told = called.status === 'fulfilled' ? [called.value.rung, called.value.rungFallback] : factsOf(called.reason)
    expect(told).toEqual(asked)
    const sent = server.arrived.map(({ body }) => ({
      enforced: format.schemaOf(body) as unknown,
      coached: format.promptOf(body).includes('grandTotal') && /\bJSON\b/.test(format.promptOf(body)),
    }))
    const bodies = {
      native: [{ enforced: SCHEMA, coached: false }],
      json_mode: [{ enforced: undefined, coached: true }],
    }
    const [wentOut] = Array.isArray(asked) ? (asked as readonly (keyof typeof bodies)[]) : [null]
    expect(sent).toEqual(wentOut === null ? [] : bodies[wentOut])
  })

  test.for([true, false])('a search that is asked for (%s) is claimed only where it is switched on', async (search) => {
    subject.end('stop')
    const reply = await call({ search })
    const { tools, plugins } = server.arrived[0]!.body
    const switches = { tools, plugins }
    expect(switches).toEqual((search && subject.search) || {})
    expect(reply).toMatchObject({ text: 'Lima', searched: false, searchRequested: search && subject.search !== null })
    expect(open().classes.includes('grounding')).toBe(subject.search !== null)
  })

  test.for([
    [401, 'auth', 'none', false],
    [402, 'quota_exhausted', 'none', false],
    [403, 'auth', 'none', false],
    [404, 'model_not_found', 'none', false],
    [408, 'timeout', 'unknown', true],
    [429, 'rate_limited', 'none', true],
    [500, 'server_error', 'none', true],
    [503, 'overloaded', 'none', true],
    [529, 'overloaded', 'none', true],
  ] as const)('status %d is %s', async ([status, failureClass, kind, retryable]) => {
    answered({ status, headers: { 'retry-after': '7' }, body: JSON.stringify(format.error(status, 'not now')) })
    const fault = await faultOf(call())
    expect(factsOf(fault)).toEqual({ failureClass, billing: { kind }, retryable, retryAfterMs: 7000 })
    expect(fault.message).toContain('not now')
    expect(server.arrived).toHaveLength(1)
  })

  test.for([
    ['x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens', '1m30s', 90_000],
    ['anthropic-ratelimit-requests-remaining', 'anthropic-ratelimit-requests-reset', '2001-01-01T00:00:00Z', 0],
  ] as const)('what %s says is told with an answer and with a refusal', async ([remaining, reset, value, resetMs]) => {
    const headers = { [remaining]: '0', [reset]: value }
    const told = { remaining: 0, resetMs }
    subject.end('stop')
    const { answer } = server
    server.answer = async (arrived) => ({ ...(await answer(arrived)), headers })
    const reply = await call()
    expect(reply.accountLimit).toEqual(told)
    expect(checkedReply(reply)).not.toHaveProperty('accountLimit')
    answered({ status: 429, headers, body: JSON.stringify(format.error(429, 'not now')) })
    expect((await faultOf(call())).accountLimit).toEqual(told)
    answered({ status: 429, body: JSON.stringify(format.error(429, 'not now')) })
    expect((await faultOf(call())).accountLimit).toBeNull()
  })

  test.for([
    ['a page', { headers: { 'content-type': 'text/html' }, body: HTML }],
    ['a page that is said to be JSON', { body: HTML }],
    ['nothing', { body: '' }],
    ['an empty object', { body: '{}' }],
    ['null', { body: 'null' }],
    ['a list', { body: '[]' }],
    ['a text', { body: '"Bad gateway"' }],
    ['half a body', { body: '{"choices":[{"mess' }],
  ] as const)('a 200 that is %s', async ([, answer]) => {
    answered(answer)
    const facts = { failureClass: 'bad_response', billing: { kind: 'unknown' }, retryable: true, retryAfterMs: null }
    expect(factsOf(await faultOf(call()))).toEqual(facts)
  })

  test.for<readonly [title: string, echo: (key: string) => Answer]>([
    ['the message of an error', (echo) => ({ status: 401, body: JSON.stringify(format.error(401, `no ${echo}`)) })],
    [
      'a field of an error',
      (echo) => ({ status: 400, body: JSON.stringify({ error: { message: 'no', seen: [echo] } }) }),
    ],
    ['the name of a field', (echo) => ({ status: 400, body: JSON.stringify({ error: { message: 'no', [echo]: 1 } }) })],
    ['an error of another format', (echo) => ({ status: 403, body: JSON.stringify({ detail: { key: echo } }) })],
    ['an error in a 200', (echo) => ({ body: JSON.stringify({ ...format.error(500, `no ${echo}`), seen: echo }) })],
    ['the plain text of an error', (echo) => ({ status: 500, headers: { 'content-type': 'text/plain' }, body: echo })],
    ['a page', (echo) => ({ headers: { 'content-type': 'text/html' }, body: `<p>${echo}</p>` })],
    ['what is not JSON', (echo) => ({ body: echo })],
    ['half a body', (echo) => ({ body: `{"${echo}` })],
    ['a header', (echo) => ({ status: 401, headers: { 'x-seen': echo }, body: '{}' })],
    ['where a redirect points', (echo) => ({ status: 302, headers: { location: `/?key=${echo}` }, body: '' })],
    ['what is not HTTP', (echo) => ({ body: '', raw: `HTTP/1.1 200 OK\r\n${echo}\r\n\r\n` })],
  ])('no fault shows the key, where it comes back in %s', async ([, echo]) => {
    server.answer = (arrived) => echo(String(format.keyOf(arrived)))
    const fault = await faultOf(call())
    expect(format.keyOf(server.arrived[0]!)).toBe(key)
    const endless = { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity, breakLength: Infinity }
    expect(inspect(fault, { ...endless, showHidden: true, getters: true })).not.toContain(key)
  })
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
