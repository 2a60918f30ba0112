import { expect, test } from 'vitest'
import { callTo, factsOf, faultOf, json, requestOf, SCHEMA, text } from '../../support/wire-server.ts'
import { ADDRESS, chat, providerAt, useChatServer } from './chat-server.ts'

const server = useChatServer()
const answered = json(chat({ content: '{"total":4}' }))
const structured = requestOf({ answerSchema: SCHEMA })
const refused = json({ error: { message: "Invalid schema for response_format 'answer'", code: null } }, 400)

/** The way of asking for structure of each request so far. */
const formats = () => server.received.map(({ body }) => (body['response_format'] as { type: string }).type)

const raw = JSON.stringify({ error: { message: "'additionalProperties' is required to be supplied and to be false" } })
const behindGateway = { message: 'Provider returned error', code: 400, metadata: { raw } }

test.for([
  ['OpenAI', refused],
  [
    'vLLM, at the top of the body',
    json({ object: 'error', message: 'schema has features not supported by xgrammar' }, 400),
  ],
  ['LM Studio, as a text', json({ error: "'response_format.type' must be 'text'" }, 400)],
  ['llama.cpp', json({ error: { code: 400, message: 'Failed to parse grammar', type: 'invalid_request_error' } }, 400)],
  ['FastAPI', json({ detail: [{ loc: ['body', 'response_format', 'json_schema'], msg: 'extra' }] }, 422)],
  ['a plain text', text('invalid JSON schema in format', 400, 'text/plain')],
  ['a gateway that hides it', json({ error: behindGateway }, 400)],
  ['a gateway that hides it in a 200', json({ error: behindGateway })],
] as const)('a schema that is refused falls to json_mode once: %s', async ([, refusal]) => {
  server.answer([refusal, answered])
  const provider = providerAt(ADDRESS)
  const first = await callTo(provider, structured)
  expect(first).toMatchObject({ text: '{"total":4}', rung: 'json_mode', rungFallback: 'schema_rejected' })
  expect(formats()).toEqual(['json_schema', 'json_object'])
  const later = await callTo(provider, structured)
  expect(later).toMatchObject({ rung: 'json_mode', rungFallback: 'schema_rejected' })
  expect(formats()).toEqual(['json_schema', 'json_object', 'json_object'])
})

test('the coached request after a refusal holds the schema', async () => {
  server.answer([refused, answered])
  await callTo(providerAt(ADDRESS), structured)
  expect(server.received[0]?.body).toHaveProperty('messages.0.content', 'Read the receipt.')
  expect(server.received[1]?.body).toHaveProperty('messages.0.content', expect.stringMatching(/JSON[^]*"total"/))
})

test('what is refused is one schema of one model', async () => {
  server.answer([refused, answered])
  const provider = providerAt(ADDRESS)
  await callTo(provider, structured)
  const signal = new AbortController().signal
  expect(await provider.call(structured, { model: 'big-vision', signal })).toMatchObject({ rung: 'native' })
  const other = requestOf({ answerSchema: { type: 'object' } })
  expect(await callTo(provider, other)).toMatchObject({ rung: 'native', rungFallback: null })
  expect(formats()).toEqual(['json_schema', 'json_object', 'json_schema', 'json_schema'])
})

test('a forced native rung is never left: a refusal is a fault, and would be one again', async () => {
  server.answer([refused])
  const fault = await faultOf(callTo(providerAt(ADDRESS), { ...structured, rung: 'native' }))
  expect(factsOf(fault)).toEqual({
    failureClass: 'bad_response',
    billing: { kind: 'none' },
    retryable: false,
    retryAfterMs: null,
  })
  expect(formats()).toEqual(['json_schema'])
})

test('a forced native rung is asked for even after a refusal', async () => {
  server.answer([refused, answered])
  const provider = providerAt(ADDRESS)
  await callTo(provider, structured)
  expect(await callTo(provider, { ...structured, rung: 'native' })).toMatchObject({
    rung: 'native',
    rungFallback: null,
  })
  expect(formats()).toEqual(['json_schema', 'json_object', 'json_schema'])
})

test('a refusal of json_mode is a fault', async () => {
  server.answer([refused])
  const fault = await faultOf(callTo(providerAt(ADDRESS), { ...structured, rung: 'json_mode' }))
  expect(fault).toMatchObject({ failureClass: 'bad_response', retryable: false })
  expect(formats()).toEqual(['json_object'])
})

// A fault may be misread. A schema counts as refused once the same request without it was answered, and not before.
test('a fault of the coached request is its own, and proves nothing against the schema', async () => {
  server.answer([refused, json({ error: { message: 'busy' } }, 503), answered])
  const provider = providerAt(ADDRESS)
  expect(await faultOf(callTo(provider, structured))).toMatchObject({ failureClass: 'overloaded', retryable: true })
  expect(await callTo(provider, structured)).toMatchObject({ rung: 'native', rungFallback: null })
  expect(formats()).toEqual(['json_schema', 'json_object', 'json_schema'])
})

test.for([
  ['a 400 about something else', json({ error: { message: 'image input is not supported' } }, 400)],
  ['a 500 that names the schema', json({ error: { message: 'schema compiler crashed' } }, 500)],
  ['a 429', json({ error: { message: 'response_format requests are limited' } }, 429)],
  [
    'a refusal that was billed',
    json({ error: { code: 400, message: 'schema too deep' }, usage: { prompt_tokens: 5, completion_tokens: 1 } }),
  ],
] as const)('no refusal of a schema, and no second request: %s', async ([, response]) => {
  server.answer([response])
  await faultOf(callTo(providerAt(ADDRESS), structured))
  expect(formats()).toEqual(['json_schema'])
})
