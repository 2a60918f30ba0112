import { createHash } from 'node:crypto'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import type { CallRequest, Usage } from '../../src/model/call.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { callOf, SCHEMA, testAdapter, type AdapterSubject } from './contract.ts'
import { factsOf, faultOf } from './faults.ts'
import type { Answer, Arrived, Loopback } from './loopback.ts'
import { checkedFormat, type WireFormat } from './wire-format.ts'

/** An adapter that calls a server, as these tests see it. */
export interface HttpAdapter {
  readonly name: string
  /** One of its models. */
  readonly model: string
  /** The adapter with `key`, at the origin of `server`; a new one each time. */
  readonly open: () => Provider
  readonly key: string
  readonly server: Loopback
  readonly format: WireFormat
  /** What the replies of `format` count, in common terms. */
  readonly usage: Usage
  /** The provider's own figure in the replies of `format`, in US dollars. @default null */
  readonly reportedCostUsd?: number | null
  /** What comes of asking for structure. */
  readonly rungs: AdapterSubject['rungs']
}

const MODEL = 'served-model-002'
const LIMIT = 321
const HTML = '<html><body>Bad gateway</body></html>'
/** One grey pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAACklEQVQImWNoAAAAggCByxOyYQAAAABJRU5ErkJggg=='

const wordIn = (prompt: string): string => /Say this word: (\w+)\./.exec(prompt)?.[1] ?? ''

/** An adapter over HTTP as the tests of all adapters see it. */
export function httpSubject(adapter: HttpAdapter): AdapterSubject {
  const { server, usage, reportedCostUsd = null } = adapter
  const format = checkedFormat(adapter.format)
  return {
    name: adapter.name,
    model: adapter.model,
    open: adapter.open,
    rungs: adapter.rungs,
    ask: (word) => ({
      prompt: `Say this word: ${word}.`,
      images: [],
      answerSchema: null,
      rung: 'auto',
      maxOutputTokens: 1000,
      search: false,
      cacheKey: null,
    }),
    says: { servedModel: MODEL, usage, reportedCostUsd },
    ends: format.ends,
    end(reason) {
      server.answer = (arrived) => {
        const said = { text: wordIn(format.promptOf(arrived.body)), end: reason, model: MODEL }
        return { body: JSON.stringify(format.reply(said, arrived)) }
      }
    },
    arrivals: () => server.arrived.length,
    gather: (count) => server.gather(count),
  }
}

/** Registers tests of what holds for every adapter, and for those that call a server. */
export function testHttpAdapter(adapter: HttpAdapter): void {
  const { key, open, server } = adapter
  const format = checkedFormat(adapter.format)
  const { imageOf } = format
  const subject = httpSubject(adapter)
  const request = (more: Partial<CallRequest> = {}): CallRequest => ({
    ...subject.ask('Lima'),
    maxOutputTokens: LIMIT,
    ...more,
  })
  const call = (more: Partial<CallRequest> = {}) => callOf(subject, open(), request(more))

  /** Has the server answer every request with this. */
  function answered(answer: Answer): void {
    server.answer = () => answer
  }

  testAdapter(subject)

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

  test.for(Object.entries(adapter.rungs))('rung %s shows on the wire', async ([rung, asked]) => {
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

  test('a search is claimed by no adapter that has none', async () => {
    subject.end('stop')
    const reply = await call({ search: true })
    expect(reply).toMatchObject({ searched: false, searchRequested: open().classes.includes('grounding') })
  })

  test('it serves images only where its format can say one', () => {
    expect(open().classes.includes('image') && imageOf === undefined).toBe(false)
  })

  if (imageOf !== undefined) {
    test('an image is told by the hash of the bytes that went over the wire', async () => {
      subject.end('stop')
      const bytes = new Uint8Array(Buffer.from(PIXEL, 'base64'))
      const reply = await call({ images: [{ bytes, mediaType: 'image/png', sha256: hashOf(bytes) }] })
      const { mediaType, base64 } = imageOf(server.arrived[0]!.body)
      const sha256 = hashOf(Buffer.from(base64, 'base64'))
      expect(reply.sentImages).toEqual([{ sha256, mediaType, width: 1, height: 1 }])
      expect(server.arrived[0]!.text.split(base64)).toHaveLength(2)
    })
  }

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

  test('its key is known as a secret', () => {
    expect(open().secrets).toContain(key)
  })
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
