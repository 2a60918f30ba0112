import { createHash } from 'node:crypto'
import { Anthropic } from '@anthropic-ai/sdk'
import sharp from 'sharp'
import { afterEach, expect, test, vi } from 'vitest'
import { HARNESS_VERSION } from '../../../src/model/version.ts'
import { callTo, faultOf, json, requestOf, SCHEMA } from '../../support/wire-server.ts'
import { ADDRESS, error, KEY, message, MESSAGES_URL, providerAt, useMessagesServer } from './messages-server.ts'

const server = useMessagesServer()
const answered = json(message())
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

/** A drawing whose bytes do not compress away. */
async function pngOf(width: number, height: number, noisy = false) {
  const noise = noisy ? { noise: { type: 'gaussian' as const, mean: 128, sigma: 60 } } : {}
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#336699', ...noise } })
    .png()
    .toBuffer()
  return { bytes, mediaType: 'image/png' as const, sha256: createHash('sha256').update(bytes).digest('hex') }
}

test('what no test answers is an error and never reaches a network', async () => {
  const told = vi.spyOn(console, 'error').mockReturnValue()
  await expect(fetch('http://nobody.test/v1')).rejects.toMatchObject({ cause: { name: 'InternalError' } })
  expect(await faultOf(callTo(providerAt()))).toMatchObject({
    failureClass: 'network',
    cause: { cause: { cause: { cause: { name: 'InternalError' } } } },
  })
  expect(told).toHaveBeenCalledTimes(2)
})

test.for([
  [null, 'https://api.anthropic.com/v1/messages'],
  ['http://claude.test:8123', MESSAGES_URL],
  ['http://claude.test:8123/', MESSAGES_URL],
  [' http://claude.test:8123/v1/ ', MESSAGES_URL],
  ['https://claude.test/anthropic', 'https://claude.test/anthropic/v1/messages'],
  ['https://claude.test/a?tier=7', 'https://claude.test/a/v1/messages?tier=7'],
] as const)('the address "%s" is called at its path and query', async ([address, url]) => {
  server.answer([answered], url.split('?')[0])
  await callTo(providerAt(address))
  expect(server.received.map((one) => [one.method, one.url])).toEqual([['POST', url]])
})

test('key, version and name are sent, and nothing about this machine', async () => {
  server.answer([answered])
  await callTo(providerAt(ADDRESS, `${KEY}\n`))
  const headers = Object.fromEntries(server.received[0]!.headers)
  expect(headers).toMatchObject({
    accept: 'application/json',
    'anthropic-version': '2026-10-21',
    'content-type': 'application/json',
    'user-agent': `modelrig-probes/${HARNESS_VERSION}`,
    'x-api-key': KEY,
  })
  expect(headers).not.toHaveProperty('authorization')
  expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual(['x-api-key'])
})

test('the version is the one that the SDK speaks', async () => {
  const versions: (string | null)[] = []
  const sdk = new Anthropic({
    apiKey: KEY,
    baseURL: ADDRESS,
    fetch: async (_, init) => {
      versions.push(new Headers(init?.headers).get('anthropic-version'))
      return Response.json(message())
    },
  })
  server.answer([answered])
  await callTo(providerAt())
  await sdk.messages.create({ model: 'm', max_tokens: 1, messages: [] })
  expect(versions).toEqual([server.received[0]!.headers.get('anthropic-version')])
})

test('nothing that the environment keeps for the SDK has an effect', async () => {
  vi.stubEnv('ANTHROPIC_BASE_URL', 'http://elsewhere.test')
  vi.stubEnv('ANTHROPIC_API_KEY', 'key-of-somebody')
  vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'token-of-somebody')
  vi.stubEnv('ANTHROPIC_PROFILE', 'profile-of-somebody')
  vi.stubEnv('ANTHROPIC_WORKSPACE_ID', 'workspace-of-somebody')
  vi.stubEnv('ANTHROPIC_CUSTOM_HEADERS', 'x-team: blue\nx-api-key: key-in-a-header\nanthropic-version: 2023-06-01')
  vi.stubEnv('ANTHROPIC_LOG', 'debug')
  const logs = (['debug', 'info', 'log', 'warn', 'error'] as const).map((level) => vi.spyOn(console, level))
  server.answer([answered, json(error('api_error'), 500)])
  await callTo(providerAt())
  await faultOf(callTo(providerAt()))
  expect(server.received.map((one) => one.url)).toEqual([MESSAGES_URL, MESSAGES_URL])
  for (const { headers } of server.received) {
    expect(headers.get('x-api-key')).toBe(KEY)
    expect(headers.get('anthropic-version')).toBe('2026-10-21')
    for (const name of ['x-team', 'authorization', 'anthropic-workspace-id']) expect(headers.get(name)).toBeNull()
  }
  for (const log of logs) expect(log).not.toHaveBeenCalled()
})

test('headers in the environment that are none keep no call from being made', async () => {
  vi.stubEnv('ANTHROPIC_CUSTOM_HEADERS', 'no header name: x')
  server.answer([answered])
  expect(await callTo(providerAt())).toMatchObject({ text: 'read' })
})

test('an old model is asked like any other, and nothing is written to the console', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  server.answer([answered])
  const signal = new AbortController().signal
  await providerAt().call(requestOf(), { model: 'claude-sonnet-4-5-20250929', signal })
  expect(server.received[0]?.body['model']).toBe('claude-sonnet-4-5-20250929')
  expect(warn).not.toHaveBeenCalled()
})

test('an answer that may become very long is asked for all the same', async () => {
  server.answer([answered])
  await callTo(providerAt(), requestOf({ maxOutputTokens: 128_000 }))
  expect(server.received[0]?.body['max_tokens']).toBe(128_000)
})

test('a free answer is asked for with model, prompt and limit, and nothing else', async () => {
  server.answer([answered])
  const reply = await callTo(providerAt(), requestOf({ rung: 'native' }))
  expect(server.received[0]?.body).toEqual({
    model: 'tiny-vision',
    max_tokens: 321,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Read the receipt.' }] }],
  })
  expect(reply).toMatchObject({ rung: null, rungFallback: null, searchRequested: false, sentImages: [] })
})

test.for(['auto', 'native'] as const)('rung %s: the schema is enforced, under its plain name', async (rung) => {
  server.answer([answered])
  const before = structuredClone(SCHEMA)
  const reply = await callTo(providerAt(), requestOf({ answerSchema: SCHEMA, rung }))
  expect(server.received[0]?.body).toEqual({
    model: 'tiny-vision',
    max_tokens: 321,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Read the receipt.' }] }],
    output_config: { format: { type: 'json_schema', schema: WIRE_SCHEMA } },
  })
  expect(SCHEMA).toEqual(before)
  expect(reply).toMatchObject({ rung: 'native', rungFallback: null })
})

test('rung json_mode: the schema is in the prompt alone, after the word JSON', async () => {
  server.answer([answered])
  const reply = await callTo(providerAt(), requestOf({ answerSchema: SCHEMA, rung: 'json_mode' }))
  const { messages, ...body } = server.received[0]!.body as { messages: { content: { text: string }[] }[] }
  expect(body).toEqual({ model: 'tiny-vision', max_tokens: 321 })
  const prompt = messages[0]!.content[0]!.text
  expect(prompt).toMatch(/^Read the receipt\.\n\n.*\bJSON\b/)
  expect(JSON.parse(prompt.split('\n').at(-1)!)).toEqual(SCHEMA)
  expect(reply).toMatchObject({ rung: 'json_mode', rungFallback: null })
})

test('a search is switched on by its tool', async () => {
  server.answer([answered])
  const reply = await callTo(providerAt(), requestOf({ search: true }))
  expect(server.received[0]?.body['tools']).toEqual([{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }])
  expect(reply).toMatchObject({ searchRequested: true, searched: false })
})

test('images go before the prompt; one that fits is sent byte for byte', async () => {
  server.answer([answered])
  const image = await pngOf(60, 40)
  const reply = await callTo(providerAt(), requestOf({ images: [image] }))
  const data = Buffer.from(image.bytes).toString('base64')
  expect(server.received[0]?.body['messages']).toEqual([
    {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
        { type: 'text', text: 'Read the receipt.' },
      ],
    },
  ])
  expect(reply.sentImages).toEqual([{ sha256: image.sha256, mediaType: 'image/png', width: 60, height: 40 }])
})

test.for([
  ['1568 px wide', pngOf(1568, 20), { mediaType: 'image/png', width: 1568, height: 20 }],
  ['1569 px wide', pngOf(1569, 20), { mediaType: 'image/png', width: 1568, height: 20 }],
  ['above 3.5 MB', pngOf(1400, 1400, true), { mediaType: 'image/jpeg', width: 1400, height: 1400 }],
] as const)('an image %s is sent within the limits, named as what it is', async ([, drawn, sent]) => {
  server.answer([answered])
  const reply = await callTo(providerAt(), requestOf({ images: [await drawn] }))
  const { messages } = server.received[0]!.body as {
    messages: { content: { source: { media_type: string; data: string } }[] }[]
  }
  const { media_type, data } = messages[0]!.content[0]!.source
  const bytes = Buffer.from(data, 'base64')
  const { format, width, height } = await sharp(bytes).metadata()
  expect({ mediaType: media_type, width, height }).toEqual(sent)
  expect(`image/${format}`).toBe(media_type)
  expect(bytes.length).toBeLessThanOrEqual(3_500_000)
  expect(reply.sentImages).toEqual([{ ...sent, sha256: createHash('sha256').update(bytes).digest('hex') }])
})

test('an image that cannot be read is never sent', async () => {
  const images = [{ bytes: Uint8Array.of(1, 2, 3), mediaType: 'image/png' as const, sha256: 'of nothing' }]
  const fault = await faultOf(callTo(providerAt(), requestOf({ images })))
  expect(fault).toMatchObject({ failureClass: 'bad_response', retryable: false, billing: { kind: 'none' } })
  expect(server.received).toEqual([])
})

test('a prompt to be cached is marked at its end, so that images are cached with it', async () => {
  server.answer([answered])
  await callTo(providerAt(), requestOf({ images: [await pngOf(8, 8)], cacheKey: 'sample-3' }))
  expect(await callTo(providerAt(), requestOf({ cacheKey: 'sample-3' }))).toMatchObject({ cacheMarker: 'breakpoint' })
  const text = { type: 'text', text: 'Read the receipt.', cache_control: { type: 'ephemeral' } }
  expect(server.received.map(({ body }) => body['messages'])).toEqual([
    [{ role: 'user', content: [expect.not.objectContaining({ cache_control: expect.anything() }), text] }],
    [{ role: 'user', content: [text] }],
  ])
  expect(JSON.stringify(server.received[0]?.body)).not.toContain('sample-3')
})

test('two calls of one request are byte-identical', async () => {
  server.answer([answered])
  const request = requestOf({ answerSchema: SCHEMA, cacheKey: 'k', search: true })
  const provider = providerAt()
  await callTo(provider, request)
  await callTo(provider, request)
  const [first, second] = server.received.map(({ body }) => JSON.stringify(body))
  expect(second).toBe(first)
})
