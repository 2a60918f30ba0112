import { expect, test } from 'vitest'
import { callTo, factsOf, faultOf, json, requestOf, text } from '../../support/wire-server.ts'
import { candidate, providerAt, SCHEMA, useGeminiServer } from './gemini-server.ts'

const server = useGeminiServer()
const answered = json(candidate([{ text: '{"total":4}' }]))
const structured = requestOf({ answerSchema: SCHEMA })
const invalid = (message: string, details?: readonly object[]) =>
  json({ error: { code: 400, message, status: 'INVALID_ARGUMENT', details } }, 400)
const refused = invalid('A schema in GenerationConfig in the request exceeds the maximum allowed nesting depth.')
const bare = invalid('Request contains an invalid argument.')

/** Whether each request so far had the schema enforced. */
const rungs = () =>
  server.received.map(({ body }) => {
    const config = body['generationConfig'] as { responseMimeType?: string }
    return 'responseJsonSchema' in config ? 'native' : config.responseMimeType
  })
const [NATIVE, COACHED] = ['native', 'application/json']

test.for([
  ['nesting', refused],
  ['states', invalid('The constraint has too many states for serving.')],
  ['an unknown keyword', invalid('Unknown name "const" at \'generation_config.response_json_schema\'')],
  [
    'a violated field',
    invalid('Bad.', [
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: 'generation_config.response_json_schema' }],
      },
    ]),
  ],
  ['a plain text of a proxy', text('schema is not supported', 400, 'text/plain')],
  ['an error in a 200', json({ error: { code: 400, message: 'bad schema', status: 'INVALID_ARGUMENT' } })],
  ['no word about it', bare],
] as const)('a schema that is refused falls to json_mode once: %s', async ([, refusal]) => {
  server.answer([refusal, answered])
  const provider = providerAt()
  const first = await callTo(provider, structured)
  expect(first).toMatchObject({ text: '{"total":4}', rung: 'json_mode', rungFallback: 'schema_rejected' })
  expect(rungs()).toEqual([NATIVE, COACHED])
  expect(await callTo(provider, structured)).toMatchObject({ rung: 'json_mode', rungFallback: 'schema_rejected' })
  expect(rungs()).toEqual([NATIVE, COACHED, COACHED])
})

test('the coached request after a refusal holds the schema', async () => {
  server.answer([refused, answered])
  await callTo(providerAt(), structured)
  expect(server.received[0]?.body).toHaveProperty('contents.0.parts.0.text', 'Read the receipt.')
  expect(server.received[1]?.body).toHaveProperty('contents.0.parts.0.text', expect.stringMatching(/JSON[^]*"total"/))
})

test('what is refused is one schema of one model', async () => {
  server.answer([refused, answered])
  const provider = providerAt()
  await callTo(provider, structured)
  const signal = new AbortController().signal
  expect(await provider.call(structured, { model: 'big-vision', signal })).toMatchObject({ rung: 'native' })
  const other = requestOf({ answerSchema: { type: 'object' } })
  expect(await callTo(provider, other)).toMatchObject({ rung: 'native', rungFallback: null })
  expect(rungs()).toEqual([NATIVE, COACHED, NATIVE, NATIVE])
})

test('a forced native rung is never left, even after a refusal', async () => {
  server.answer([refused, answered, refused])
  const provider = providerAt()
  await callTo(provider, structured)
  const fault = await faultOf(callTo(provider, { ...structured, rung: 'native' }))
  expect(factsOf(fault)).toEqual({
    failureClass: 'bad_response',
    billing: { kind: 'none' },
    retryable: false,
    retryAfterMs: null,
  })
  expect(rungs()).toEqual([NATIVE, COACHED, NATIVE])
})

test('a refusal of a forced json_mode is a fault', async () => {
  server.answer([refused])
  const fault = await faultOf(callTo(providerAt(), { ...structured, rung: 'json_mode' }))
  expect(fault).toMatchObject({ failureClass: 'bad_response', retryable: false })
  expect(rungs()).toEqual([COACHED])
})

const busy = json({ error: { code: 503, message: 'busy', status: 'UNAVAILABLE' } }, 503)
// A fault may be misread. A schema counts as refused once the same request without it was answered, and not before.
test.for([
  ['refused in words', refused],
  ['refused without', bare],
] as const)(
  'a fault of the coached request is its own, and proves nothing against a schema %s',
  async ([, refusal]) => {
    server.answer([refusal, busy, answered])
    const provider = providerAt()
    expect(await faultOf(callTo(provider, structured))).toMatchObject({ failureClass: 'overloaded', retryable: true })
    expect(await callTo(provider, structured)).toMatchObject({ rung: 'native', rungFallback: null })
    expect(rungs()).toEqual([NATIVE, COACHED, NATIVE])
  },
)

test('what is refused either way is a fault', async () => {
  server.answer([bare])
  expect(await faultOf(callTo(providerAt(), structured))).toMatchObject({ failureClass: 'bad_response' })
  expect(rungs()).toEqual([NATIVE, COACHED])
})

const reason = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }
test.for([
  ['a 400 about something else', invalid('Unable to process input image.')],
  ['a 400 about the key', invalid('no schema without a key', [reason])],
  ['a 500 that names the schema', json({ error: { message: 'schema compiler crashed' } }, 500)],
  ['a 429 that names it', json({ error: { message: 'schema requests are limited' } }, 429)],
  [
    'a refusal that was billed',
    json({ error: { code: 400, message: 'schema too deep' }, usageMetadata: { promptTokenCount: 5 } }),
  ],
] as const)('no refusal of a schema, and no second request: %s', async ([, response]) => {
  server.answer([response])
  await faultOf(callTo(providerAt(), structured))
  expect(rungs()).toEqual([NATIVE])
})
