import { expect, test } from 'vitest'
import { callTo, factsOf, faultOf, json, requestOf, SCHEMA, text } from '../../support/wire-server.ts'
import { error, message, providerAt, useMessagesServer } from './messages-server.ts'

const server = useMessagesServer()
const answered = json(message([{ type: 'text', text: '{"total":4}' }]))
const structured = requestOf({ answerSchema: SCHEMA })
const refusal = (words: string) => json(error('invalid_request_error', words), 400)
const refused = refusal("For 'object' type, 'additionalProperties' must be set")

/** The way of asking for structure of each request so far. */
const rungs = () => server.received.map(({ body }) => ('output_config' in body ? 'native' : 'json_mode'))

test.for([
  ['a keyword', refused],
  ['a schema that is too large', refusal('The compiled grammar is too large, which would be slow.')],
  ['a schema that is too deep', refusal('Schema is too complex.')],
  ['a model without output formats', refusal("'tiny-vision' does not support output format.")],
  ['a model without them, in the words of its field', refusal('output_config.format: Extra inputs are not permitted')],
  ['the feature by its name', refusal('structured outputs are not supported on this platform')],
] as const)('a schema that is refused falls to json_mode once: %s', async ([, response]) => {
  server.answer([response, answered])
  const provider = providerAt()
  const first = await callTo(provider, structured)
  expect(first).toMatchObject({ text: '{"total":4}', rung: 'json_mode', rungFallback: 'schema_rejected' })
  expect(rungs()).toEqual(['native', 'json_mode'])
  const later = await callTo(provider, structured)
  expect(later).toMatchObject({ rung: 'json_mode', rungFallback: 'schema_rejected' })
  expect(rungs()).toEqual(['native', 'json_mode', 'json_mode'])
})

test('the coached request after a refusal holds the schema', async () => {
  server.answer([refused, answered])
  await callTo(providerAt(), structured)
  const prompts = server.received.map(({ body }) => JSON.stringify(body['messages']))
  expect(prompts[0]).not.toContain('total')
  expect(prompts[1]).toMatch(/JSON.*total/)
})

test('what is refused is one schema of one model, for one provider', async () => {
  server.answer([refused, answered])
  const provider = providerAt()
  await callTo(provider, structured)
  const signal = new AbortController().signal
  expect(await provider.call(structured, { model: 'sonnet-of-tests', signal })).toMatchObject({ rung: 'native' })
  const other = requestOf({ answerSchema: { type: 'object' } })
  expect(await callTo(provider, other)).toMatchObject({ rung: 'native', rungFallback: null })
  expect(await callTo(providerAt(), structured)).toMatchObject({ rung: 'native' })
  expect(rungs()).toEqual(['native', 'json_mode', 'native', 'native', 'native'])
})

test('a forced native rung is never left, not even after a refusal', async () => {
  server.answer([refused])
  const facts = { failureClass: 'bad_response', billing: { kind: 'none' }, retryable: false, retryAfterMs: null }
  expect(factsOf(await faultOf(callTo(providerAt(), { ...structured, rung: 'native' })))).toEqual(facts)
  expect(rungs()).toEqual(['native'])
  server.answer([refused, answered])
  const provider = providerAt()
  await callTo(provider, structured)
  const reply = await callTo(provider, { ...structured, rung: 'native' })
  expect(reply).toMatchObject({ rung: 'native', rungFallback: null })
  expect(rungs()).toEqual(['native', 'native', 'json_mode', 'native'])
})

test('a refusal of json_mode is a fault', async () => {
  server.answer([refused])
  const fault = await faultOf(callTo(providerAt(), { ...structured, rung: 'json_mode' }))
  expect(fault).toMatchObject({ failureClass: 'bad_response', retryable: false })
  expect(rungs()).toEqual(['json_mode'])
})

// A fault may be misread. A schema counts as refused once the same request without it was answered, and not before.
test('a fault of the coached request is its own, and proves nothing against the schema', async () => {
  server.answer([refused, json(error('overloaded_error'), 529), answered])
  const provider = providerAt()
  expect(await faultOf(callTo(provider, structured))).toMatchObject({ failureClass: 'overloaded', retryable: true })
  expect(await callTo(provider, structured)).toMatchObject({ rung: 'native', rungFallback: null })
  expect(rungs()).toEqual(['native', 'json_mode', 'native'])
})

test.for([
  ['a 400 about something else', refusal('messages.0.content.0.image.source: could not process image')],
  ['a 400 of another type', json(error('authentication_error', 'no schema for you'), 400)],
  ['a 400 of a proxy', text('no such schema', 400, 'text/plain')],
  ['a 422', json(error('invalid_request_error', 'schema'), 422)],
  ['a 500 that names the schema', json(error('api_error', 'schema compiler crashed'), 500)],
  ['a 429', json(error('rate_limit_error', 'structured outputs are limited'), 429)],
  ['a refusal inside a 200', json(error('invalid_request_error', 'schema'))],
] as const)('no refusal of a schema, and no second request: %s', async ([, response]) => {
  server.answer([response])
  await faultOf(callTo(providerAt(), structured))
  expect(rungs()).toEqual(['native'])
})
