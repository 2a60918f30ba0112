import { createHash, randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterEach, expect, test, vi } from 'vitest'
import { HARNESS_VERSION } from '../../../src/model/version.ts'
import { callTo, factsOf, faultOf, json, requestOf } from '../../support/wire-server.ts'
import { ADDRESS, candidate, KEY, providerAt, SCHEMA, urlOf, useGeminiServer } from './gemini-server.ts'

const server = useGeminiServer()
const answered = json(candidate([{ text: '{"total":4}' }]))
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const { $schema: _dialect, $id: _id, ...WIRE_SCHEMA } = SCHEMA
const PROMPT = [{ role: 'user', parts: [{ text: 'Read the receipt.' }] }]

/** A grey PNG of this size. */
async function picture(width: number, height: number) {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#808080' } })
    .png()
    .toBuffer()
  return { bytes, mediaType: 'image/png' as const, sha256: createHash('sha256').update(bytes).digest('hex') }
}

test('what no test answers is an error and never reaches a network', async () => {
  const told = vi.spyOn(console, 'error').mockReturnValue()
  const unhandled = expect.objectContaining({ cause: expect.objectContaining({ name: 'InternalError' }) })
  await expect(fetch('http://nobody.test/v1')).rejects.toEqual(unhandled)
  expect(await faultOf(callTo(providerAt()))).toMatchObject({ failureClass: 'network', cause: unhandled })
  expect(told).toHaveBeenCalledTimes(2)
})

test('what it is', () => {
  const { name, classes, simulated, priceSource, price } = providerAt()
  expect({ name, classes, simulated, priceSource, price: price('gemini-3-flash') }).toEqual({
    name: 'gemini',
    classes: ['schema', 'grounding', 'caching', 'image'],
    simulated: false,
    priceSource: 'none',
    price: null,
  })
})

test.for([
  ['gemini-3.1-pro-preview', null],
  ['models/gemini-3-flash', null],
  ['tunedModels/mine-1', null],
  ['..', expect.any(String)],
  ['a..b', expect.any(String)],
  ['a?b', expect.any(String)],
  ['a#b', expect.any(String)],
  ['a:countTokens', expect.any(String)],
  ['', expect.any(String)],
] as const)('model name "%s"', ([model, rejection]) => {
  expect(providerAt().rejectModel?.(model)).toEqual(rejection)
})

test.for([
  [null, urlOf('https://generativelanguage.googleapis.com')],
  [ADDRESS, urlOf(ADDRESS)],
  [` ${ADDRESS}/ `, urlOf(ADDRESS)],
  ['https://proxy.test/google', urlOf('https://proxy.test/google')],
] as const)('the address "%s" is called in version v1beta', async ([address, url]) => {
  server.answer([answered], `${new URL(url).origin}/*`)
  await callTo(providerAt(address))
  expect(server.received.map((one) => [one.method, one.url])).toEqual([['POST', url]])
})

test.for([null, '', ' \n'])('without a key (%j) there is no provider', (key) => {
  const problem = expect.objectContaining({ code: 'KEY_MISSING', field: 'GEMINI_API_KEY' })
  expect(() => providerAt(null, key)).toThrow(problem)
})

test('a key that no header can carry is refused, and not told', () => {
  const problem = expect.objectContaining({ code: 'OPTION_INVALID', field: 'GEMINI_API_KEY' })
  expect(() => providerAt(null, 'key of\nvera')).toThrow(problem)
  expect(() => providerAt(null, 'key of\nvera')).not.toThrow(/vera/)
})

test.for([
  'gemini.test',
  'ftp://gemini.test',
  'http://vera:pw@gemini.test',
  'http://gemini.test?a=1',
  'http://a.test#b',
])('the address "%s" is refused', (address) => {
  const problem = expect.objectContaining({ code: 'OPTION_INVALID', field: 'GEMINI_BASE_URL' })
  expect(() => providerAt(address)).toThrow(problem)
})

test('the key goes in its header, and nothing about this machine', async () => {
  server.answer([answered])
  await callTo(providerAt(ADDRESS, ` ${KEY}\n`))
  const headers = Object.fromEntries(server.received[0]!.headers)
  expect(headers).toMatchObject({
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': `modelrig-probes/${HARNESS_VERSION}`,
    'x-goog-api-key': KEY,
  })
  expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual(['x-goog-api-key'])
})

test('nothing that the environment keeps for the SDK has an effect', async () => {
  const variables = {
    GOOGLE_API_KEY: 'key-of-somebody',
    GEMINI_API_KEY: 'key-of-somebody-else',
    GOOGLE_GENAI_USE_VERTEXAI: 'true',
    GOOGLE_GENAI_USE_ENTERPRISE: 'true',
    GOOGLE_GENAI_API_VERSION: 'v7',
    GOOGLE_CLOUD_PROJECT: 'project-of-somebody',
    GOOGLE_CLOUD_LOCATION: 'moon-west1',
    GOOGLE_GEMINI_BASE_URL: 'http://elsewhere.test',
    GOOGLE_VERTEX_BASE_URL: 'http://elsewhere.test',
    GOOGLE_APPLICATION_CREDENTIALS: '/nowhere.json',
  }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  const logs = (['debug', 'info', 'log', 'warn', 'error'] as const).map((level) => vi.spyOn(console, level))
  server.answer([answered, json({ error: { message: 'no' } }, 500)])
  await callTo(providerAt())
  await faultOf(callTo(providerAt()))
  const google = 'https://generativelanguage.googleapis.com'
  server.answer([answered], `${google}/*`)
  await callTo(providerAt(null))
  expect(server.received.map((one) => one.url)).toEqual([urlOf(ADDRESS), urlOf(ADDRESS), urlOf(google)])
  for (const { headers } of server.received) {
    expect(headers.get('x-goog-api-key')).toBe(KEY)
    expect(headers.get('authorization')).toBeNull()
  }
  for (const log of logs) expect(log).not.toHaveBeenCalled()
})

test('a free answer is asked for with prompt and limit, and nothing else', async () => {
  server.answer([answered])
  const reply = await callTo(providerAt(), requestOf({ rung: 'native', cacheKey: 'salt-7' }))
  expect(server.received[0]?.body).toEqual({ contents: PROMPT, generationConfig: { maxOutputTokens: 321 } })
  expect(reply).toMatchObject({ rung: null, rungFallback: null, searchRequested: false, sentImages: [] })
  expect(reply.cacheMarker).toBe('automatic')
})

test.for(['auto', 'native'] as const)('rung %s: the schema is enforced, as it is but for its name', async (rung) => {
  server.answer([answered])
  const before = structuredClone(SCHEMA)
  const reply = await callTo(providerAt(), requestOf({ answerSchema: SCHEMA, rung }))
  expect(server.received[0]?.body).toEqual({
    contents: PROMPT,
    generationConfig: {
      maxOutputTokens: 321,
      responseMimeType: 'application/json',
      responseJsonSchema: WIRE_SCHEMA,
    },
  })
  expect(SCHEMA).toEqual(before)
  expect(reply).toMatchObject({ rung: 'native', rungFallback: null })
})

test('rung json_mode: the schema is in the prompt, after the word JSON', async () => {
  server.answer([answered])
  const reply = await callTo(providerAt(), requestOf({ answerSchema: SCHEMA, rung: 'json_mode' }))
  const { contents, ...body } = server.received[0]!.body as { contents: { parts: { text: string }[] }[] }
  expect(body).toEqual({ generationConfig: { maxOutputTokens: 321, responseMimeType: 'application/json' } })
  const { text } = contents[0]!.parts[0]!
  expect(text).toMatch(/^Read the receipt\.\n\n.*\bJSON\b/)
  expect(JSON.parse(text.split('\n').at(-1)!)).toEqual(SCHEMA)
  expect(reply).toMatchObject({ rung: 'json_mode', rungFallback: null })
})

test('a search is switched on, and the answer is plain text', async () => {
  server.answer([answered])
  const reply = await callTo(providerAt(), requestOf({ search: true }))
  expect(server.received[0]?.body).toEqual({
    contents: PROMPT,
    tools: [{ googleSearch: {} }],
    generationConfig: { maxOutputTokens: 321 },
  })
  expect(reply).toMatchObject({ searchRequested: true, searched: false, rung: null })
})

test.for([
  ['auto', 'unsupported_combination'],
  ['json_mode', null],
] as const)('rung %s beside a search: the schema is in the prompt alone', async ([rung, rungFallback]) => {
  server.answer([answered])
  const reply = await callTo(providerAt(), requestOf({ search: true, answerSchema: SCHEMA, rung }))
  expect(server.received[0]?.body).toMatchObject({
    contents: [{ parts: [{ text: expect.stringMatching(/JSON Schema/) }] }],
    tools: [{ googleSearch: {} }],
  })
  expect(server.received[0]?.body['generationConfig']).toEqual({ maxOutputTokens: 321 })
  expect(reply).toMatchObject({ rung: 'json_mode', rungFallback, searchRequested: true })
})

test('a forced native rung beside a search is never asked for', async () => {
  const fault = await faultOf(callTo(providerAt(), requestOf({ search: true, answerSchema: SCHEMA, rung: 'native' })))
  expect(factsOf(fault)).toEqual({
    failureClass: 'bad_response',
    billing: { kind: 'none' },
    retryable: false,
    retryAfterMs: null,
  })
})

test('images go before the prompt, their very bytes, in high resolution', async () => {
  server.answer([answered])
  const images = [await picture(3072, 8), await picture(5, 4)]
  const reply = await callTo(providerAt(), requestOf({ images }))
  expect(server.received[0]?.body).toEqual({
    contents: [
      {
        role: 'user',
        parts: [
          ...images.map(({ bytes }) => ({ inlineData: { mimeType: 'image/png', data: bytes.toString('base64') } })),
          { text: 'Read the receipt.' },
        ],
      },
    ],
    generationConfig: { maxOutputTokens: 321, mediaResolution: 'MEDIA_RESOLUTION_HIGH' },
  })
  expect(reply.sentImages).toEqual([
    { sha256: images[0]!.sha256, mediaType: 'image/png', width: 3072, height: 8 },
    { sha256: images[1]!.sha256, mediaType: 'image/png', width: 5, height: 4 },
  ])
})

test('an image beyond the limit is scaled down, and the reply says so', async () => {
  server.answer([answered])
  const image = await picture(6144, 16)
  const reply = await callTo(providerAt(), requestOf({ images: [image] }))
  const body = server.received[0]!.body as { contents: { parts: { inlineData: { data: string } }[] }[] }
  const sent = Buffer.from(body.contents[0]!.parts[0]!.inlineData.data, 'base64')
  expect(await sharp(sent).metadata()).toMatchObject({ width: 3072, height: 8 })
  const sha256 = createHash('sha256').update(sent).digest('hex')
  expect(reply.sentImages).toEqual([{ sha256, mediaType: 'image/png', width: 3072, height: 8 }])
})

test('an image that is too heavy is sent lighter', async () => {
  server.answer([answered])
  const raw = { width: 1700, height: 1500, channels: 3 as const }
  const bytes = await sharp(randomBytes(1700 * 1500 * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer()
  expect(bytes.length).toBeGreaterThan(7_000_000)
  const reply = await callTo(providerAt(), requestOf({ images: [{ bytes, mediaType: 'image/png', sha256: 'noise' }] }))
  expect(reply.sentImages).toMatchObject([{ mediaType: 'image/jpeg', width: 1700, height: 1500 }])
})

test('an image that cannot be decoded is never sent', async () => {
  const images = [{ bytes: Uint8Array.of(1, 2), mediaType: 'image/png' as const, sha256: 'broken' }]
  const fault = await faultOf(callTo(providerAt(), requestOf({ images })))
  expect(factsOf(fault)).toMatchObject({ failureClass: 'bad_response', billing: { kind: 'none' }, retryable: false })
})
