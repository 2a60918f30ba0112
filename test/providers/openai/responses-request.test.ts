import { expect, test } from 'vitest'
import { callTo, factsOf, faultOf, json, requestOf, SCHEMA } from '../../support/wire-server.ts'
import { chat, HOST_ADDRESSES, HOST_NAMES, hostAt, pngOf, RESPONSES_URL, useChatServer } from './chat-server.ts'

const server = useChatServer()
const SEARCH = requestOf({ search: true })
const done = json({
  status: 'completed',
  output: [{ type: 'message', content: [{ type: 'output_text', text: '4%' }] }],
})
const refusedInclude = json({ code: '400', error: 'Argument not supported: include' }, 400)

const BODY = {
  model: 'tiny-vision',
  input: [{ role: 'user', content: 'Read the receipt.' }],
  max_output_tokens: 321,
  tools: [{ type: 'web_search' }],
}
const WITH_SOURCES = { ...BODY, include: ['web_search_call.action.sources'] }
/** Where a server can be told, it is told how many searches money is held back for. */
const BOUNDED = { ...WITH_SOURCES, max_tool_calls: 10 }
const BODIES = { openai: BOUNDED, xai: WITH_SOURCES }

test.for(['openai', 'xai'] as const)('%s: a search goes to Responses, with the key', async (name) => {
  server.answer([done], `${HOST_ADDRESSES[name]}/responses`)
  const reply = await callTo(hostAt(name, { baseUrl: null }), SEARCH)
  const [received] = server.received
  expect(received?.body).toEqual(BODIES[name])
  expect([received?.method, received?.url]).toEqual(['POST', `${HOST_ADDRESSES[name]}/responses`])
  expect(received?.headers.get('authorization')).toBe('Bearer key-of-vera')
  expect(received?.headers.get('user-agent')).toMatch(/^modelrig-probes\//)
  expect(reply).toMatchObject({ text: '4%', searchRequested: true, rung: null, rungFallback: null })
})

test('a search is asked for in plain text, whatever schema there is', async () => {
  server.answer([done], RESPONSES_URL)
  const reply = await callTo(hostAt('openai'), { ...SEARCH, answerSchema: SCHEMA, rung: 'native' })
  expect(server.received[0]?.body).toEqual(BOUNDED)
  expect(reply).toMatchObject({ rung: null, searchRequested: true })
})

test('images and cache marks go along', async () => {
  server.answer([done], RESPONSES_URL)
  const image = await pngOf(6, 4)
  const request = { ...SEARCH, images: [image], cacheKey: 'k1' }
  const reply = await callTo(hostAt('openai'), request)
  await callTo(hostAt('xai'), request)
  const url = `data:image/png;base64,${Buffer.from(image.bytes).toString('base64')}`
  const content = [
    { type: 'input_image', image_url: url, detail: 'high' },
    { type: 'input_text', text: 'Read the receipt.' },
  ]
  const input = [{ role: 'user', content }]
  expect(server.received.map((one) => one.body)).toEqual([
    { ...BOUNDED, input, prompt_cache_key: 'k1' },
    { ...WITH_SOURCES, input },
  ])
  expect(server.received.map(({ headers }) => headers.get('x-grok-conv-id'))).toEqual([null, 'k1'])
  expect(reply.sentImages).toEqual([{ sha256: image.sha256, mediaType: 'image/png', width: 6, height: 4 }])
})

test('a server that takes no `include` is asked without it, and from then on at once', async () => {
  server.answer([refusedInclude, done], RESPONSES_URL)
  const provider = hostAt('xai')
  expect(await callTo(provider, SEARCH)).toMatchObject({ text: '4%', searchRequested: true })
  await callTo(provider, SEARCH)
  expect(server.received.map(({ body }) => body)).toEqual([WITH_SOURCES, BODY, BODY])
})

test.for([
  ['a second refusal', [refusedInclude, refusedInclude], 2],
  ['a 400 about something else', [json({ error: { message: 'web_search is not enabled' } }, 400)], 1],
  ['a 500 that names it', [json({ error: { message: 'include failed' } }, 500)], 1],
] as const)('no further request after %s', async ([, responses, requests]) => {
  server.answer(responses, RESPONSES_URL)
  expect(await faultOf(callTo(hostAt('xai'), SEARCH))).toMatchObject({ billing: { kind: 'none' } })
  expect(server.received).toHaveLength(requests)
})

test.for([
  [401, 'auth', false],
  [404, 'model_not_found', false],
  // How xAI answers to its former way of searching.
  [410, 'bad_response', false],
  [429, 'rate_limited', true],
  [500, 'server_error', true],
  [529, 'overloaded', true],
] as const)('status %d of Responses', async ([status, failureClass, retryable]) => {
  const message = 'refused key-of-vera'
  server.answer([json({ error: { message } }, status, { 'retry-after': '7' })], RESPONSES_URL)
  const fault = await faultOf(callTo(hostAt('openai'), SEARCH))
  expect(factsOf(fault)).toEqual({ failureClass, billing: { kind: 'none' }, retryable, retryAfterMs: 7000 })
  expect(fault.message).toBe(`${status} refused ***`)
  expect(server.received).toHaveLength(1)
})

test('openrouter: a search is its web plugin, in plain text', async () => {
  server.answer([json(chat({ content: '4%' }))])
  const provider = hostAt('openrouter')
  const reply = await callTo(provider, { ...SEARCH, answerSchema: SCHEMA })
  await callTo(provider, requestOf({ answerSchema: SCHEMA, rung: 'json_mode' }))
  expect(server.received[0]?.body).toEqual({
    model: 'tiny-vision',
    messages: [{ role: 'user', content: 'Read the receipt.' }],
    max_tokens: 321,
    plugins: [{ id: 'web' }],
  })
  expect(server.received[1]?.body).not.toHaveProperty('plugins')
  expect(reply).toMatchObject({ rung: null, searchRequested: true, searched: false, sources: [] })
})

const searching = ['openai', 'xai', 'openrouter']

test.for(HOST_NAMES.filter((name) => !searching.includes(name)))(
  '%s has no search: none is sent, and none is claimed',
  async (name) => {
    server.answer([json(chat({ content: '{}' }))])
    const provider = hostAt(name)
    expect(provider.classes).not.toContain('grounding')
    for (const answerSchema of [null, SCHEMA]) {
      const reply = await callTo(provider, { ...SEARCH, answerSchema })
      expect(reply).toMatchObject({ searchRequested: false, rung: answerSchema === null ? null : expect.any(String) })
    }
    const fields = new Set(server.received.flatMap(({ body }) => Object.keys(body)))
    expect([...fields].toSorted()).toEqual(['max_tokens', 'messages', 'model', 'response_format'])
  },
)

test.for(searching)('%s: without being asked to, nothing is searched', async (name) => {
  server.answer([json(chat({ content: '4%' }))])
  expect(await callTo(hostAt(name))).toMatchObject({ searchRequested: false })
  expect(Object.keys(server.received[0]!.body)).toHaveLength(3)
})
