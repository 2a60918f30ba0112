import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ProbeError } from '../../../src/model/errors.ts'
import { FAMILY } from '../../../src/providers/openai/family.ts'
import { callTo, factsOf, faultOf, json, requestOf, SCHEMA } from '../../support/wire-server.ts'
import { chat, HOST_ADDRESSES, HOST_NAMES, hostAt, pngOf, useChatServer, type HostName } from './chat-server.ts'

const server = useChatServer()
const answered = json(chat({ content: '{"total":4}' }))
const WIRE_SCHEMA = {
  type: 'object',
  properties: { total: { type: 'number' }, $id: { type: 'string' } },
  required: ['total'],
  additionalProperties: false,
}
const NATIVE = { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: WIRE_SCHEMA } }
const MAX_TOKENS = { max_tokens: 321 }
const ALL = ['schema', 'grounding', 'caching', 'image']
const NO_SEARCH = ['schema', 'caching', 'image']

/** What stands in a request beside model and messages, and in its headers beside the usual ones. */
interface Row {
  readonly classes: readonly string[]
  readonly limit: object
  readonly native: boolean
  readonly marked: { readonly body?: object; readonly headers?: object }
}

const ROWS: Readonly<Record<HostName, Row>> = {
  openai: {
    classes: ALL,
    limit: { max_completion_tokens: 321 },
    native: true,
    marked: { body: { prompt_cache_key: 'run-7.sample_3' } },
  },
  deepseek: { classes: ['schema', 'caching'], limit: MAX_TOKENS, native: false, marked: {} },
  xai: { classes: ALL, limit: MAX_TOKENS, native: true, marked: { headers: { 'x-grok-conv-id': 'run-7.sample_3' } } },
  openrouter: { classes: ALL, limit: MAX_TOKENS, native: true, marked: {} },
  deepinfra: { classes: NO_SEARCH, limit: MAX_TOKENS, native: true, marked: {} },
  fireworks: {
    classes: NO_SEARCH,
    limit: MAX_TOKENS,
    native: true,
    marked: { headers: { 'x-session-affinity': 'run-7.sample_3' } },
  },
  groq: { classes: NO_SEARCH, limit: MAX_TOKENS, native: true, marked: {} },
  together: { classes: NO_SEARCH, limit: MAX_TOKENS, native: true, marked: {} },
  mistral: { classes: NO_SEARCH, limit: MAX_TOKENS, native: true, marked: {} },
}

/** Headers of a request, without those that `fetch` adds. */
function ownHeaders(index = 0): Record<string, string> {
  const automatic = /^(accept-encoding|accept-language|connection|content-length|host|sec-fetch-mode)$/
  return Object.fromEntries([...server.received[index]!.headers].filter(([name]) => !automatic.test(name)))
}

const USUAL_HEADERS = {
  accept: 'application/json',
  authorization: 'Bearer key-of-vera',
  'content-type': 'application/json',
  'user-agent': expect.stringMatching(/^modelrig-probes\//),
}
const MESSAGES = [{ role: 'user', content: 'Read the receipt.' }]

test('the family is complete', () => expect(Object.keys(FAMILY)).toEqual(HOST_NAMES))

test.for(HOST_NAMES)('%s: what it can do, and that its price is not known here', (name) => {
  const provider = hostAt(name)
  expect(provider).toMatchObject({ name, classes: ROWS[name].classes, simulated: false, priceSource: 'none' })
  expect(provider.price('tiny-vision')).toBeNull()
})

test.for(HOST_NAMES)('%s: free text, at its own address, with the key', async (name) => {
  server.answer([answered], `${HOST_ADDRESSES[name]}/chat/completions`)
  const reply = await callTo(hostAt(name, { baseUrl: null }))
  expect(server.received.map((one) => [one.method, one.url])).toEqual([
    ['POST', `${HOST_ADDRESSES[name]}/chat/completions`],
  ])
  expect(server.received[0]?.body).toEqual({ model: 'tiny-vision', messages: MESSAGES, ...ROWS[name].limit })
  expect(ownHeaders()).toEqual(USUAL_HEADERS)
  expect(reply).toMatchObject({ text: '{"total":4}', rung: null, rungFallback: null, searchRequested: false })
})

test.for(HOST_NAMES.filter((name) => ROWS[name].native))('%s: a schema is enforced by json_schema', async (name) => {
  for (const rung of ['auto', 'native'] as const) {
    server.answer([answered])
    const reply = await callTo(hostAt(name), requestOf({ answerSchema: SCHEMA, rung }))
    expect(reply).toMatchObject({ rung: 'native', rungFallback: null })
    expect(server.received.at(-1)?.body).toEqual({
      model: 'tiny-vision',
      messages: MESSAGES,
      ...ROWS[name].limit,
      response_format: NATIVE,
    })
  }
  expect(server.received).toHaveLength(2)
})

test.for(HOST_NAMES)('%s: JSON mode is json_object and the schema in the prompt', async (name) => {
  server.answer([answered])
  const reply = await callTo(hostAt(name), requestOf({ answerSchema: SCHEMA, rung: 'json_mode' }))
  expect(reply).toMatchObject({ rung: 'json_mode', rungFallback: null })
  expect(server.received[0]?.body).toMatchObject({ ...ROWS[name].limit, response_format: { type: 'json_object' } })
  expect(server.received[0]?.body).toHaveProperty('messages.0.content', expect.stringMatching(/JSON[^]*"total"/))
})

test('deepseek: rung auto goes to JSON mode at once, and says why', async () => {
  server.answer([answered])
  const reply = await callTo(hostAt('deepseek'), requestOf({ answerSchema: SCHEMA }))
  expect(reply).toMatchObject({ rung: 'json_mode', rungFallback: 'unsupported' })
  expect(server.received.map(({ body }) => body['response_format'])).toEqual([{ type: 'json_object' }])
  expect(server.received[0]?.body).toHaveProperty('messages.0.content', expect.stringMatching(/JSON[^]*"total"/))
})

test('deepseek: a forced native rung is a fault, and nothing is sent', async () => {
  server.answer([answered])
  const fault = await faultOf(callTo(hostAt('deepseek'), requestOf({ answerSchema: SCHEMA, rung: 'native' })))
  const none = { kind: 'none' }
  expect(factsOf(fault)).toEqual({
    failureClass: 'bad_response',
    billing: none,
    retryable: false,
    retryAfterMs: null,
  })
  expect(fault.message).toContain('deepseek')
  expect(server.received).toEqual([])
})

test.for(HOST_NAMES)('%s: calls of one cache key carry one mark, where it has one', async (name) => {
  server.answer([answered])
  const provider = hostAt(name)
  for (const cacheKey of ['run-7.sample_3', 'run-7.sample_3', null]) {
    await callTo(provider, requestOf({ cacheKey }))
  }
  const { limit, marked } = ROWS[name]
  const plain = { model: 'tiny-vision', messages: MESSAGES, ...limit }
  expect(server.received.map(({ body }) => body)).toEqual([
    { ...plain, ...marked.body },
    { ...plain, ...marked.body },
    plain,
  ])
  const headers = { ...USUAL_HEADERS, ...marked.headers }
  expect([0, 1, 2].map(ownHeaders)).toEqual([headers, headers, USUAL_HEADERS])
})

const KEYED = new Set<string>(['openai', 'xai', 'fireworks'])

test.for(HOST_NAMES)('%s: what a call is tied to a cache by is told', async (name) => {
  server.answer([answered])
  const marker = KEYED.has(name) ? 'key' : name === 'deepseek' ? 'automatic' : null
  expect(await callTo(hostAt(name), requestOf({ cacheKey: 'k1' }))).toMatchObject({ cacheMarker: marker })
  expect(await callTo(hostAt(name), requestOf())).toMatchObject({ cacheMarker: null })
})

test('openrouter: the prompt of a model of Anthropic’s is marked, images and all, and no other', async () => {
  server.answer([answered])
  const provider = hostAt('openrouter')
  const signal = new AbortController().signal
  const image = await pngOf(8, 8)
  const markers = []
  for (const [model, request] of [
    ['anthropic/claude-haiku-4.5', requestOf({ cacheKey: 'k1' })],
    ['anthropic/claude-haiku-4.5', requestOf({ cacheKey: 'k1', images: [image] })],
    ['anthropic/claude-haiku-4.5', requestOf()],
    ['mirror/anthropic/claude', requestOf({ cacheKey: 'k1' })],
  ] as const) {
    markers.push((await provider.call(request, { model, signal })).cacheMarker)
  }
  expect(markers).toEqual(['breakpoint', 'breakpoint', null, null])
  const marked = { type: 'text', text: 'Read the receipt.', cache_control: { type: 'ephemeral' } }
  const picture = { type: 'image_url', image_url: expect.anything() }
  expect(server.received.map(({ body }) => body['messages'])).toEqual([
    [{ role: 'user', content: [marked] }],
    [{ role: 'user', content: [picture, marked] }],
    MESSAGES,
    MESSAGES,
  ])
})

test.for([
  ['longer than OpenAI takes', 'k'.repeat(65)],
  ['no header can carry it', 'sample 3\nof run “7”'],
] as const)('a cache key is sent as its hash: %s', async ([, cacheKey]) => {
  server.answer([answered])
  await callTo(hostAt('openai'), requestOf({ cacheKey }))
  await callTo(hostAt('fireworks'), requestOf({ cacheKey }))
  const hash = createHash('sha256').update(cacheKey).digest('hex')
  expect(server.received[0]?.body['prompt_cache_key']).toBe(hash)
  expect(server.received[1]?.headers.get('x-session-affinity')).toBe(hash)
})

test('a schema that is refused falls to json_mode, the cache mark kept', async () => {
  server.answer([json({ error: { message: 'Invalid schema for response_format' } }, 400), answered])
  const reply = await callTo(hostAt('openai'), requestOf({ answerSchema: SCHEMA, cacheKey: 'k1' }))
  expect(reply).toMatchObject({ rung: 'json_mode', rungFallback: 'schema_rejected' })
  expect(server.received.map(({ body }) => body['prompt_cache_key'])).toEqual(['k1', 'k1'])
})

test('an image beyond 2,048 pixels is scaled down, and what was sent is told', async () => {
  server.answer([answered])
  const reply = await callTo(hostAt('openai'), requestOf({ images: [await pngOf(2600, 1300)] }))
  const { messages } = server.received[0]!.body as { messages: { content: { image_url: { url: string } }[] }[] }
  const bytes = Buffer.from(messages[0]!.content[0]!.image_url.url.split(',')[1]!, 'base64')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(reply.sentImages).toEqual([{ sha256, mediaType: 'image/png', width: 2048, height: 1024 }])
})

function problemOf(make: () => unknown): ProbeError {
  try {
    make()
  } catch (error) {
    expect(error).toBeInstanceOf(ProbeError)
    return error as ProbeError
  }
  throw new Error('nothing was wrong')
}

test.for(HOST_NAMES)('%s without a key names its variable', (name) => {
  for (const apiKey of [null, '', ' \n']) {
    expect(problemOf(() => hostAt(name, { apiKey }))).toMatchObject({
      code: 'KEY_MISSING',
      file: 'environment',
      field: `${name.toUpperCase()}_API_KEY`,
      message: expect.stringContaining(name),
    })
  }
})

test.for(['ftp://models.test/v1', 'models.test', 'https://vera:secret-word@models.test/v1'])(
  'an address that cannot be used: %s',
  (baseUrl) => {
    const problem = problemOf(() => hostAt('xai', { baseUrl }))
    expect(problem).toMatchObject({ code: 'OPTION_INVALID', file: 'environment', field: 'XAI_BASE_URL' })
    expect(JSON.stringify({ ...problem, message: problem.message })).not.toContain('secret-word')
  },
)

test('a key no header can carry is refused, and not shown', () => {
  const problem = problemOf(() => hostAt('groq', { apiKey: 'secret word' }))
  expect(problem).toMatchObject({ code: 'OPTION_INVALID', field: 'GROQ_API_KEY' })
  expect(JSON.stringify({ ...problem, message: problem.message })).not.toContain('secret')
})
