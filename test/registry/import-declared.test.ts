import { expect, test } from 'vitest'
import { createProviderSet } from '../../src/providers/provider-set.ts'
import { CLAIM_FIELDS, type DeclaredFile } from '../../src/registry/declared-format.ts'
import { ClaimsSchema, DeclaredSchema } from '../../src/registry/declared-shape.ts'
import { importDeclared } from '../../src/registry/import/import-declared.ts'
import { checker } from '../../src/registry/read-json.ts'
import { standingClaims } from '../../src/registry/standing.ts'
import { claim, declaring } from '../support/registry.ts'

const EMPTY: DeclaredFile = { formatVersion: 1, models: {} }
const FROM = { file: 'map.json', name: 'map', asOf: '2026-02-03' }
const check = checker(DeclaredSchema, 'DECLARED_INVALID')

const MAP = {
  sample_spec: { litellm_provider: 'one of many', max_tokens: 'words' },
  'made-up-4': {
    litellm_provider: 'openai',
    mode: 'chat',
    max_input_tokens: 128_000,
    max_output_tokens: 16_384,
    input_cost_per_token: 2.5e-6,
    output_cost_per_token: 0.00001,
    cache_read_input_token_cost: 1.25e-6,
    supports_response_schema: true,
    supports_vision: true,
    supports_prompt_caching: false,
    a_key_of_tomorrow: { deep: [1] },
  },
  'gemini/made-up-flash': { litellm_provider: 'gemini', mode: 'chat', supports_web_search: true },
  'together_ai/maker/made-up': { litellm_provider: 'together_ai', mode: 'chat', max_input_tokens: 8192 },
  'bedrock/made-up': { litellm_provider: 'bedrock', mode: 'chat' },
  'made-up-embedding': { litellm_provider: 'openai', mode: 'embedding' },
}

test('a map of prices and contexts is read, unknown keys and other providers passed over', () => {
  const { declared, summary } = importDeclared(EMPTY, MAP, FROM)
  expect(summary).toMatchObject({
    style: 'price_map',
    entries: 5,
    read: 3,
    passedOver: 2,
    malformed: [],
    newClaims: 10,
  })
  expect(summary.newModels).toEqual(['openai/made-up-4', 'gemini/made-up-flash', 'together/maker/made-up'])
  expect(check(declared, 'x')).toEqual(declared)
  const standing = standingClaims(declared.models['openai/made-up-4']!)
  const values = Object.entries(standing).map(([field, { value }]) => [field, value])
  expect(Object.fromEntries(values)).toEqual({
    structuredOutput: true,
    promptCaching: false,
    vision: true,
    contextTokens: 128_000,
    maxOutputTokens: 16_384,
    inputUsdPerMTok: 2.5,
    outputUsdPerMTok: 10,
    cacheReadUsdPerMTok: 1.25,
  })
  expect(standing.vision).toEqual({ value: true, source: 'map', as_of: '2026-02-03', by: 'price_map' })
})

test('of every provider with an adapter what such a map says is taken', () => {
  // The map's names; whoever has another is known by the same one here.
  const OTHERS: Readonly<Record<string, string>> = {
    fireworks: 'fireworks_ai',
    together: 'together_ai',
    vllm: 'hosted_vllm',
    lmstudio: 'lm_studio',
  }
  // No map has what runs in this package, or on a server of one's own that has no name.
  const NOT_LISTED = ['local', 'sim', 'compatible']
  const { names } = createProviderSet({ environment: { apiKey: () => null, baseUrl: () => null } })
  const listed = names.filter((name) => !NOT_LISTED.includes(name))
  const entries = listed.map((name) => {
    const provider = OTHERS[name] ?? name
    return [`${provider}/made-up`, { litellm_provider: provider, max_input_tokens: 8192 }]
  })
  const { summary } = importDeclared(EMPTY, Object.fromEntries(entries), FROM)
  expect(summary.newModels).toEqual(listed.map((name) => `${name}/made-up`))
  const chat = { 'ollama_chat/made-up': { litellm_provider: 'ollama_chat', mode: 'chat', max_input_tokens: 8192 } }
  expect(importDeclared(EMPTY, chat, FROM).summary.newModels).toEqual(['ollama/made-up'])
})

test('a list of models is read: parameters it does not name are claimed not to be there', () => {
  const list = {
    data: [
      {
        id: 'maker/made-up:free',
        context_length: 32_768,
        architecture: { input_modalities: ['text', 'image'], tokenizer: 'x' },
        pricing: { prompt: '0.0000005', completion: '0.0000015', input_cache_read: '0.00000005', request: '0' },
        supported_parameters: ['response_format', 'tools'],
        top_provider: { max_completion_tokens: 4096, is_moderated: true },
      },
      { id: 'maker/bare' },
    ],
  }
  const { declared, summary } = importDeclared(EMPTY, list, FROM)
  expect(summary).toMatchObject({ style: 'models_list', entries: 2, read: 2, malformed: [] })
  expect(Object.keys(declared.models)).toEqual(['openrouter/maker/made-up:free'])
  const standing = standingClaims(declared.models['openrouter/maker/made-up:free']!)
  expect(Object.fromEntries(Object.entries(standing).map(([field, { value }]) => [field, value]))).toEqual({
    structuredOutput: false,
    jsonMode: true,
    promptCaching: true,
    vision: true,
    contextTokens: 32_768,
    maxOutputTokens: 4096,
    inputUsdPerMTok: 0.5,
    outputUsdPerMTok: 1.5,
    cacheReadUsdPerMTok: 0.05,
  })
})

test('nothing is lost: other sources stay, changed claims are kept behind the new ones, and what changed is told', () => {
  const own = { ...claim(false), source: 'map', as_of: '2025-12-01', by: 'price_map' as const }
  const before = declaring(
    { vision: [claim(false)], structuredOutput: [own], jsonMode: [claim(true)] },
    'openai/made-up-4',
  )
  const { declared, summary } = importDeclared(before, MAP, FROM)
  const after = declared.models['openai/made-up-4']!
  expect(after.jsonMode).toEqual([claim(true)])
  expect(after.vision).toEqual([{ value: true, source: 'map', as_of: '2026-02-03', by: 'price_map' }, claim(false)])
  expect(after.structuredOutput).toEqual([{ ...own, value: true, as_of: '2026-02-03' }, own])
  expect(summary.changed).toEqual([
    { modelKey: 'openai/made-up-4', field: 'structuredOutput', before: false, after: true },
  ])
  expect(summary.disputed).toEqual([{ modelKey: 'openai/made-up-4', field: 'vision', before: false, after: true }])
  expect(standingClaims(after).vision).toMatchObject({ value: false, by: 'vendor', disputedBy: [{ value: true }] })
  const again = importDeclared(declared, MAP, { ...FROM, asOf: '2026-03-03' })
  expect(again.summary).toMatchObject({ newClaims: 0, changed: [], confirmed: 10, newModels: [] })
  expect(again.declared.models['openai/made-up-4']!.structuredOutput).toHaveLength(2)
})

test('an older list takes no claim back: what it says otherwise is kept, and does not stand', () => {
  const list = (vision: boolean) => ({ a: { litellm_provider: 'openai', supports_vision: vision } })
  const from = (day: string) => ({ ...FROM, asOf: day })
  const { declared: march } = importDeclared(EMPTY, list(true), from('2026-03-01'))
  const same = importDeclared(march, list(true), from('2026-01-01'))
  expect(same.summary).toMatchObject({ confirmed: 1, changed: [] })
  expect(same.declared).toEqual(march)
  const other = importDeclared(march, list(false), from('2026-01-01'))
  expect(other.summary).toMatchObject({
    changed: [],
    older: [{ modelKey: 'openai/a', field: 'vision', before: false, after: true }],
  })
  const { vision } = other.declared.models['openai/a']!
  expect(vision!.map(({ value, as_of }) => [value, as_of])).toEqual([
    [true, '2026-03-01'],
    [false, '2026-01-01'],
  ])
  expect(standingClaims(other.declared.models['openai/a']!).vision).toMatchObject({ value: true })
  expect(importDeclared(other.declared, list(false), from('2026-01-01')).declared).toEqual(other.declared)
  // The newest of a source is what a new claim is held against, wherever it stands.
  const mixed = declaring({ vision: vision!.toReversed() }, 'openai/a')
  expect(importDeclared(mixed, list(true), from('2026-04-01')).summary).toMatchObject({ confirmed: 1, changed: [] })
})

test('a model under two names is one: both count, and where they differ the first', () => {
  const twice = {
    a: { litellm_provider: 'deepseek', max_input_tokens: 1000, supports_vision: false },
    'deepseek/a': { litellm_provider: 'deepseek', max_input_tokens: 2000, supports_prompt_caching: true },
  }
  const { declared, summary } = importDeclared(EMPTY, twice, FROM)
  const standing = Object.entries(standingClaims(declared.models['deepseek/a']!))
  expect(Object.fromEntries(standing.map(([field, { value }]) => [field, value]))).toEqual({
    contextTokens: 1000,
    vision: false,
    promptCaching: true,
  })
  expect(summary).toMatchObject({ newModels: ['deepseek/a'], newClaims: 3 })
  expect(summary.malformed).toEqual(['deepseek/a: contextTokens 2000, of which another entry says 1000'])
})

test('hostile values are left out and named, and make nothing else', () => {
  const hostile = JSON.parse(
    `{"__proto__": {"litellm_provider": "openai", "supports_vision": true},
      "a": {"litellm_provider": "openai", "max_input_tokens": "128000 tokens", "input_cost_per_token": -1, "supports_vision": "yes"},
      "b": {"litellm_provider": "openai", "max_input_tokens": 1.5, "output_cost_per_token": "1e-6; rm"},
      "c": null, "d": [], "e": 7,
      " ": {"litellm_provider": "openai", "supports_vision": true},
      "f\\u001b[31m": {"litellm_provider": "openai", "supports_vision": true},
      "g": {"litellm_provider": {"toString": 1}}, "h": {"litellm_provider": "constructor"},
      "i": {"litellm_provider": "openai", "input_cost_per_token": 1e308}}`,
  ) as unknown
  const { declared, summary } = importDeclared(EMPTY, hostile, FROM)
  expect(Object.keys(declared.models)).toEqual(['openai/__proto__'])
  expect(Object.getPrototypeOf(declared.models)).toBe(Object.prototype)
  expect(check(declared, 'x')).toEqual(declared)
  expect(summary).toMatchObject({ entries: 11, read: 4, passedOver: 2 })
  expect(summary.malformed).toEqual([
    'a: supports_vision is neither true nor false',
    'a: max_input_tokens is no number of tokens',
    'a: input_cost_per_token is no price',
    'b: max_input_tokens is no number of tokens',
    'b: output_cost_per_token is no price',
    'c: is no object',
    'd: is no object',
    'e: is no object',
    ' : cannot be the name of a model',
    'f\u001B[31m: cannot be the name of a model',
    'i: input_cost_per_token is no price',
  ])
})

test.for([null, [], 'text', {}, { data: [] }, { data: [{ name: 'x' }] }, { a: { price: 1 } }])(
  '%j is no list that can be read',
  (value) => {
    expect(() => importDeclared(EMPTY, value, FROM)).toThrow(
      expect.objectContaining({ code: 'DECLARED_INVALID', file: 'map.json' }) as Error,
    )
  },
)

test('every field of the format is one that claims can be about', () => {
  expect(CLAIM_FIELDS).toEqual(Object.keys(ClaimsSchema.properties))
})

test('what an import takes can be read again: a name that breaks a line is taken for none', () => {
  const list = {
    data: [
      { id: 'a\u2028b', context_length: 5 },
      { id: 'good', context_length: 5 },
    ],
  }
  const { declared, summary } = importDeclared(EMPTY, list, FROM)
  expect(check(declared, 'x')).toEqual(declared)
  expect(Object.keys(declared.models)).toEqual(['openrouter/good'])
  expect(summary.malformed).toEqual(['data[0]: has no id that can be the name of a model'])
})

test('fields of a list that are of another kind are named', () => {
  const entry = { id: 'm', supported_parameters: 'all', architecture: { input_modalities: [1] }, pricing: 3 }
  const { summary } = importDeclared(EMPTY, { data: [{ ...entry, top_provider: [] }] }, FROM)
  expect(summary.malformed).toEqual([
    'm: supported_parameters is no list of texts',
    'm: input_modalities is no list of texts',
    'm: top_provider is no object',
    'm: pricing is no object',
  ])
})
