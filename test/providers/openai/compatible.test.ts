import { expect, test } from 'vitest'
import { ProbeError } from '../../../src/model/errors.ts'
import { compatibleProvider, type CompatibleOptions } from '../../../src/providers/openai/compatible.ts'
import { FREE } from '../../../src/providers/provider.ts'
import { callTo, json, requestOf, SCHEMA } from '../../support/wire-server.ts'
import { ADDRESS, chat, pngOf, RESPONSES_URL, useChatServer } from './chat-server.ts'

const server = useChatServer()
const answered = json(
  chat({ content: '{"total":4}' }, { usage: { prompt_tokens: 5, completion_tokens: 2, cost: 0.5 } }),
)
const PRICE = { inputUsdPerMTok: 0.4, outputUsdPerMTok: 1.6 }
const mine = (more: Partial<CompatibleOptions> = {}) =>
  compatibleProvider({ name: 'our-proxy', baseUrl: ADDRESS, price: PRICE, ...more })

test('what a user has to say is enough', async () => {
  server.answer([answered])
  const provider = mine()
  expect(provider).toMatchObject({ name: 'our-proxy', simulated: false, priceSource: 'user' })
  expect(provider.classes).toEqual(['schema', 'caching', 'image'])
  expect(provider.price('any')).toEqual(PRICE)
  const reply = await callTo(provider, requestOf({ cacheKey: 'k1', search: true }))
  expect(server.received[0]?.body).toEqual({
    model: 'tiny-vision',
    messages: [{ role: 'user', content: 'Read the receipt.' }],
    max_tokens: 321,
  })
  expect(server.received[0]?.headers.has('authorization')).toBe(false)
  expect(reply).toMatchObject({ searchRequested: false, reportedCostUsd: null })
})

test('a dialect changes how it is asked and how it counts', async () => {
  server.answer([answered])
  const provider = mine({
    apiKey: ' key-of-vera\n',
    price: (model) => (model === 'tiny-vision' ? FREE : null),
    classes: ['schema'],
    dialect: {
      limitField: 'max_completion_tokens',
      jsonSchema: false,
      jsonObject: false,
      cacheKey: { in: 'header', name: 'x-route' },
      usage: 'openrouter',
      imageLimits: { longSide: 10, bytes: 1_000_000 },
    },
  })
  expect(provider.classes).toEqual(['schema'])
  expect([provider.price('tiny-vision'), provider.price('other')]).toEqual([FREE, null])
  const images = [await pngOf(40, 20)]
  const reply = await callTo(provider, requestOf({ answerSchema: SCHEMA, cacheKey: 'k1', images }))
  expect(Object.keys(server.received[0]!.body).toSorted()).toEqual(['max_completion_tokens', 'messages', 'model'])
  expect(server.received[0]?.headers.get('x-route')).toBe('k1')
  expect(server.received[0]?.headers.get('authorization')).toBe('Bearer key-of-vera')
  expect(reply).toMatchObject({ rung: 'json_mode', rungFallback: 'unsupported', reportedCostUsd: 0.5 })
  expect(reply.sentImages).toMatchObject([{ width: 10, height: 5 }])
})

test('with a search it can be probed for grounding', async () => {
  server.answer([json({ status: 'completed', output: [] })], RESPONSES_URL)
  const provider = mine({ dialect: { search: 'responses' } })
  expect(provider.classes).toEqual(['schema', 'grounding', 'caching', 'image'])
  expect(await callTo(provider, requestOf({ search: true }))).toMatchObject({ searchRequested: true })
})

test('a field in the body cannot take the place of another', async () => {
  server.answer([answered])
  await callTo(mine({ dialect: { cacheKey: { in: 'body', name: 'model' } } }), requestOf({ cacheKey: 'k1' }))
  expect(server.received[0]?.body['model']).toBe('tiny-vision')
})

test.for<readonly [title: string, options: Partial<CompatibleOptions>, field: string]>([
  ['a name with a slash', { name: 'our/proxy' }, 'name'],
  ['a name in capitals', { name: 'Ours' }, 'name'],
  ['no name', { name: '' }, 'name'],
  ['an address that is none', { baseUrl: 'models.test' }, 'baseUrl'],
  ['a password in the address', { baseUrl: 'https://vera:secret-word@models.test' }, 'baseUrl'],
  ['a key no header can carry', { apiKey: 'secret-word\u0007' }, 'apiKey'],
  ['grounding without a search', { classes: ['schema', 'grounding'] }, 'classes'],
  ['a class nobody knows', { classes: ['speech' as 'schema'] }, 'classes'],
  [
    'a header that is sent anyway',
    { dialect: { cacheKey: { in: 'header', name: 'Authorization' } } },
    'dialect.cacheKey.name',
  ],
  [
    'a word for `json_schema` that is none',
    { dialect: { jsonSchema: true as unknown as false } },
    'dialect.jsonSchema',
  ],
  ['no name for a header', { dialect: { cacheKey: { in: 'header', name: 'x route' } } }, 'dialect.cacheKey.name'],
])('%s is a mistake in the options', ([, options, field]) => {
  let problem: unknown
  try {
    mine(options)
  } catch (error) {
    problem = error
  }
  expect(problem).toBeInstanceOf(ProbeError)
  const { code, message, ...rest } = problem as ProbeError
  expect({ code, field: rest.field, file: rest.file }).toEqual({
    code: 'OPTION_INVALID',
    field,
    file: 'compatibleProvider',
  })
  expect(JSON.stringify({ message, ...rest })).not.toContain('secret-word')
})
