import { afterEach, expect, test, vi } from 'vitest'
import { HARNESS_VERSION } from '../../../src/model/version.ts'
import { callTo, faultOf, json, requestOf, SCHEMA } from '../../support/wire-server.ts'
import { ADDRESS, chat, CHAT_URL, pngOf, providerAt, useChatServer } from './chat-server.ts'

const server = useChatServer()
const answered = json(chat({ content: '{"total":4}' }))
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const WIRE_SCHEMA = {
  type: 'object',
  properties: { total: { type: 'number' }, $id: { type: 'string' } },
  required: ['total'],
  additionalProperties: false,
}
const NATIVE = { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: WIRE_SCHEMA } }

test('what no test answers is an error and never reaches a network', async () => {
  const told = vi.spyOn(console, 'error').mockReturnValue()
  const unhandled = expect.objectContaining({ cause: expect.objectContaining({ name: 'InternalError' }) })
  await expect(fetch('http://nobody.test/v1')).rejects.toEqual(unhandled)
  expect(await faultOf(callTo(providerAt(ADDRESS)))).toMatchObject({
    failureClass: 'network',
    cause: { cause: unhandled },
  })
  expect(told).toHaveBeenCalledTimes(2)
})

test.for([
  ['ollama', 'http://localhost:11434/v1/chat/completions'],
  ['vllm', 'http://localhost:8000/v1/chat/completions'],
  ['lmstudio', 'http://localhost:1234/v1/chat/completions'],
] as const)('%s is called where it listens by default', async ([name, url]) => {
  server.answer([answered], url)
  await callTo(providerAt(null, { name }))
  expect(server.received.map((one) => [one.method, one.url])).toEqual([['POST', url]])
})

test.for([
  ['http://models.test:8123/v1/', CHAT_URL],
  [' http://models.test:8123/v1 ', CHAT_URL],
  ['http://models.test:8123', 'http://models.test:8123/chat/completions'],
  ['https://models.test/a/b?version=7', 'https://models.test/a/b/chat/completions?version=7'],
] as const)('the address "%s" is used with its path and query', async ([address, url]) => {
  server.answer([answered], url.split('?')[0])
  await callTo(providerAt(address))
  expect(server.received.map((one) => one.url)).toEqual([url])
})

test('a key is sent as a bearer token', async () => {
  server.answer([answered])
  await callTo(providerAt(ADDRESS, { apiKey: 'key-of-vera\n' }))
  expect(server.received[0]?.headers.get('authorization')).toBe('Bearer key-of-vera')
})

test('without a key no authorization is sent, and nothing about this machine', async () => {
  server.answer([answered])
  await callTo(providerAt(ADDRESS))
  const headers = Object.fromEntries(server.received[0]!.headers)
  expect(headers).toMatchObject({
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': `modelrig-probes/${HARNESS_VERSION}`,
  })
  expect(headers).not.toHaveProperty('authorization')
  expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual([])
})

test('nothing that the environment keeps for the SDK has an effect', async () => {
  vi.stubEnv('OPENAI_BASE_URL', 'http://elsewhere.test/v1')
  vi.stubEnv('OPENAI_API_KEY', 'key-of-somebody')
  vi.stubEnv('OPENAI_ADMIN_KEY', 'key-of-an-admin')
  vi.stubEnv('OPENAI_ORG_ID', 'org-of-somebody')
  vi.stubEnv('OPENAI_PROJECT_ID', 'project-of-somebody')
  vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'x-team: blue\nauthorization: Bearer key-in-a-header')
  vi.stubEnv('OPENAI_LOG', 'debug')
  const logs = (['debug', 'info', 'log', 'warn', 'error'] as const).map((level) => vi.spyOn(console, level))
  server.answer([answered, answered, json({ error: { message: 'no' } }, 500)])
  await callTo(providerAt(ADDRESS))
  await callTo(providerAt(ADDRESS, { apiKey: 'key-of-vera' }))
  await faultOf(callTo(providerAt(ADDRESS)))
  expect(server.received.map((one) => one.url)).toEqual([CHAT_URL, CHAT_URL, CHAT_URL])
  expect(server.received.map((one) => one.headers.get('authorization'))).toEqual([null, 'Bearer key-of-vera', null])
  for (const { headers } of server.received) {
    for (const name of ['openai-organization', 'openai-project', 'x-team']) expect(headers.get(name)).toBeNull()
  }
  for (const log of logs) expect(log).not.toHaveBeenCalled()
})

test('a free answer is asked for with model, prompt and limit, and nothing else', async () => {
  server.answer([answered])
  const reply = await callTo(providerAt(ADDRESS), requestOf({ rung: 'native' }))
  expect(server.received[0]?.body).toEqual({
    model: 'tiny-vision',
    messages: [{ role: 'user', content: 'Read the receipt.' }],
    max_tokens: 321,
  })
  expect(reply).toMatchObject({ rung: null, rungFallback: null })
})

test('images go before the prompt, as data URLs of their very bytes', async () => {
  server.answer([answered])
  const [one, other] = [await pngOf(6, 4), await pngOf(3, 5)]
  // A view into a larger buffer, as file readers hand them out.
  const padded = Uint8Array.of(9, 9, ...one.bytes, 7)
  const images = [{ ...one, bytes: padded.subarray(2, -1) }, other]
  const [first, second] = [one, other].map(({ bytes }) => Buffer.from(bytes).toString('base64'))
  const reply = await callTo(providerAt(ADDRESS), requestOf({ images }))
  expect(server.received[0]?.body['messages']).toEqual([
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: `data:image/png;base64,${first}`, detail: 'high' } },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${second}`, detail: 'high' } },
        { type: 'text', text: 'Read the receipt.' },
      ],
    },
  ])
  expect(reply.sentImages).toEqual([
    { sha256: one.sha256, mediaType: 'image/png', width: 6, height: 4 },
    { sha256: other.sha256, mediaType: 'image/png', width: 3, height: 5 },
  ])
})

test.for(['auto', 'native'] as const)('rung %s: the schema is enforced, under its plain name', async (rung) => {
  server.answer([answered])
  const before = structuredClone(SCHEMA)
  const reply = await callTo(providerAt(ADDRESS), requestOf({ answerSchema: SCHEMA, rung }))
  expect(server.received[0]?.body).toEqual({
    model: 'tiny-vision',
    messages: [{ role: 'user', content: 'Read the receipt.' }],
    max_tokens: 321,
    response_format: NATIVE,
  })
  expect(SCHEMA).toEqual(before)
  expect(reply).toMatchObject({ rung: 'native', rungFallback: null })
})

test('rung json_mode: the schema is in the prompt, after the word JSON', async () => {
  server.answer([answered])
  const reply = await callTo(providerAt(ADDRESS), requestOf({ answerSchema: SCHEMA, rung: 'json_mode' }))
  const { messages, ...body } = server.received[0]!.body as { messages: { content: string }[] }
  expect(body).toEqual({ model: 'tiny-vision', max_tokens: 321, response_format: { type: 'json_object' } })
  expect(messages).toHaveLength(1)
  expect(messages[0]?.content).toMatch(/^Read the receipt\.\n\n.*\bJSON\b/)
  expect(JSON.parse(messages[0]!.content.split('\n').at(-1)!)).toEqual(SCHEMA)
  expect(reply).toMatchObject({ rung: 'json_mode', rungFallback: null })
})

test('rung json_mode with an image: the coaching is part of the text', async () => {
  server.answer([answered])
  const images = [await pngOf(5, 5)]
  await callTo(providerAt(ADDRESS), requestOf({ answerSchema: SCHEMA, rung: 'json_mode', images }))
  expect(server.received[0]?.body).toHaveProperty(
    'messages.0.content.1.text',
    expect.stringMatching(/JSON.*\n\{.*"total"/),
  )
})

test('LM Studio refuses json_object: there, JSON mode is the coaching alone', async () => {
  server.answer([answered])
  const provider = providerAt(ADDRESS, { name: 'lmstudio' })
  const reply = await callTo(provider, requestOf({ answerSchema: SCHEMA, rung: 'json_mode' }))
  expect(server.received[0]?.body).not.toHaveProperty('response_format')
  expect(server.received[0]?.body).toHaveProperty('messages.0.content', expect.stringContaining('JSON Schema'))
  expect(reply.rung).toBe('json_mode')
})

test('an image that cannot be decoded is never sent', async () => {
  const images = [{ bytes: Uint8Array.of(1), mediaType: 'image/png' as const, sha256: 'no-image' }]
  const fault = await faultOf(callTo(providerAt(ADDRESS), requestOf({ images })))
  expect(fault).toMatchObject({ failureClass: 'bad_response', billing: { kind: 'none' }, retryable: false })
  expect(server.received).toEqual([])
})
