import { expect, test } from 'vitest'
import { readEnvironment } from '../../src/plugin/environment.ts'
import { resolveOptions, type ProbesOptions } from '../../src/plugin/options.ts'

const resolve = (options: ProbesOptions = {}, env: Record<string, string> = {}) =>
  resolveOptions(options, readEnvironment(env))

test('defaults', () => {
  const { settings, problems } = resolve()
  expect(problems).toEqual([])
  expect(settings).toEqual({
    models: null,
    samples: 5,
    until: null,
    envelopeUsd: 1,
    out: 'results',
    fixtures: 'fixtures',
    concurrency: 16,
    rung: 'auto',
    resume: false,
    shard: null,
    ledger: null,
    timeoutMs: 120_000,
    journal: '.probes/journal',
    progress: 'auto',
    maxOutputTokens: 16_384,
    cacheDelayMs: null,
    providers: [],
    prices: {},
    renderForm: null,
  })
})

test('settings are frozen', () => {
  expect(Object.isFrozen(resolve().settings)).toBe(true)
})

test.for<[string, string, string, unknown]>([
  [
    'PROBE_MODEL',
    'local/tesseract, openrouter/meta/llama:free,local/tesseract',
    'models',
    ['local/tesseract', 'openrouter/meta/llama:free'],
  ],
  ['PROBE_SAMPLES', '12', 'samples', 12],
  ['PROBE_ENVELOPE_USD', '0.055', 'envelopeUsd', 0.055],
  ['PROBE_ENVELOPE_USD', '0', 'envelopeUsd', 0],
  ['PROBE_OUT', 'elsewhere', 'out', 'elsewhere'],
  ['PROBE_FIXTURES', '/abs/f', 'fixtures', '/abs/f'],
  ['PROBE_CONCURRENCY', '64', 'concurrency', 64],
  ['PROBE_RUNG', 'json_mode', 'rung', 'json_mode'],
  ['PROBE_SHARD', ' 2/4 ', 'shard', '2/4'],
  ['PROBE_LEDGER', 'rediss://:p@h:7/3?run=a&lease=5', 'ledger', 'rediss://:p@h:7/3?run=a&lease=5'],
  ['PROBE_TIMEOUT_MS', '1500', 'timeoutMs', 1500],
  ['PROBE_JOURNAL', 'j', 'journal', 'j'],
  ['PROBE_MAX_OUTPUT_TOKENS', '2048', 'maxOutputTokens', 2048],
  ['PROBE_CACHE_DELAY_MS', '0', 'cacheDelayMs', 0],
])('%s=%s goes before the plugin option', ([variable, text, name, expected]) => {
  const option = {
    models: ['local/other'],
    samples: 3,
    envelopeUsd: 9,
    out: 'o',
    fixtures: 'f',
    concurrency: 2,
    rung: 'native',
    shard: '1/3',
    ledger: 'redis://h',
    timeoutMs: 9,
    journal: 'x',
    maxOutputTokens: 7,
    cacheDelayMs: 8,
  } as const
  const { settings, problems } = resolve(option, { [variable]: text })
  expect(problems).toEqual([])
  expect(settings[name as keyof typeof settings]).toEqual(expected)
  expect(resolve(option).settings[name as keyof typeof settings]).toEqual(option[name as keyof typeof option])
})

test.for<[string, string]>([
  ['PROBE_SAMPLES', '0'],
  ['PROBE_SAMPLES', '2.5'],
  ['PROBE_SAMPLES', 'five'],
  ['PROBE_SAMPLES', '1e3'],
  ['PROBE_SAMPLES', '-1'],
  ['PROBE_ENVELOPE_USD', '-1'],
  ['PROBE_ENVELOPE_USD', '$5'],
  ['PROBE_ENVELOPE_USD', 'Infinity'],
  ['PROBE_ENVELOPE_USD', '1,5'],
  ['PROBE_CONCURRENCY', '0'],
  ['PROBE_RUNG', 'nativ'],
  ['PROBE_TIMEOUT_MS', '0'],
  ['PROBE_SHARD', '0/4'],
  ['PROBE_SHARD', '5/4'],
  ['PROBE_SHARD', '1/0'],
  ['PROBE_SHARD', '2'],
  ['PROBE_SHARD', '1/2000'],
])('%s=%s is a problem that names the variable and what is allowed', ([variable, text]) => {
  const { problems } = resolve({}, { [variable]: text })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatchObject({ code: 'OPTION_INVALID', file: 'environment', field: variable })
  expect(problems[0]!.message).toContain(text)
  expect(problems[0]!.allowed).toBeTruthy()
})

test('a bad plugin option names the option', () => {
  const { problems } = resolve({ samples: Number.NaN, models: [] })
  expect(problems.map(({ file, field }) => [file, field])).toEqual([
    ['probes() options', 'models'],
    ['probes() options', 'samples'],
  ])
})

test('a malformed model key is a problem, wherever it comes from', () => {
  expect(resolve({}, { PROBE_MODEL: 'gpt-5' }).problems).toMatchObject([{ code: 'MODEL_KEY_INVALID' }])
  expect(resolve({ models: ['OpenAI/gpt'] }).problems).toMatchObject([{ code: 'MODEL_KEY_INVALID' }])
})

test('misspelt variables and options are not passed over', () => {
  const { problems } = resolve({ sample: 3 } as ProbesOptions, { PROBE_MODELS: 'local/tesseract' })
  expect(problems).toMatchObject([
    { code: 'OPTION_INVALID', file: 'probes() options', field: 'sample', fix: 'did you mean samples?' },
    {
      code: 'OPTION_INVALID',
      file: 'environment',
      field: 'PROBE_MODELS',
      allowed: expect.stringContaining('PROBE_MODEL,'),
      fix: 'did you mean PROBE_MODEL?',
    },
  ])
})

test('an empty variable counts as not set', () => {
  expect(resolve({}, { PROBE_SAMPLES: ' ' })).toMatchObject({ settings: { samples: 5 }, problems: [] })
})

test('keys and addresses are found by provider name', () => {
  const environment = readEnvironment({ OPENAI_API_KEY: 'sk-1', MY_HOST_BASE_URL: 'http://x', EMPTY_API_KEY: '' })
  expect(environment.apiKey('openai')).toBe('sk-1')
  expect(environment.apiKey('empty')).toBeNull()
  expect(environment.baseUrl('my-host')).toBe('http://x')
  expect(environment.keys).toEqual(['sk-1'])
})

test('the summary of a job has a file where the environment names one', () => {
  expect(readEnvironment({ GITHUB_STEP_SUMMARY: '/tmp/s.md' }).summaryFile).toBe('/tmp/s.md')
  expect(readEnvironment({ GITHUB_STEP_SUMMARY: ' ' }).summaryFile).toBeNull()
})

test.for<[string, unknown, string]>([
  ['providers that are no list', { providers: 5 }, 'providers'],
  ['a provider that is none', { providers: [null] }, 'providers[0]'],
  ['a provider without a name', { providers: [{ classes: [], call() {}, price() {} }] }, 'providers[0]'],
  ['a provider that calls nothing', { providers: [{ name: 'x', classes: ['image'] }] }, 'providers[0]'],
  [
    'a provider that would never call',
    { providers: [{ name: 'x', classes: ['image'], call() {}, price() {}, maxConcurrency: 0 }] },
    'providers[0]',
  ],
  ['a negative price', { prices: { 'm/x': { inputUsdPerMTok: -1, outputUsdPerMTok: 1 } } }, "prices['m/x']"],
  ['a price that is none', { prices: { 'm/x': 3 } }, "prices['m/x']"],
  ['prices that are no object', { prices: [] }, 'prices'],
  ['a renderer that is no function', { renderForm: 'kits/render.ts' }, 'renderForm'],
  ['samples as bigint', { samples: 5n }, 'samples'],
])('%s is a problem of the options', ([, options, field]) => {
  const { settings, problems } = resolve(options as ProbesOptions)
  expect(problems).toMatchObject([{ code: 'OPTION_INVALID', file: 'probes() options', field }])
  expect(settings.providers).toEqual([])
  expect(settings.prices).toEqual({})
})

test('options that are no object are a problem', () => {
  expect(resolve(null as never).problems).toMatchObject([{ code: 'OPTION_INVALID', file: 'probes() options' }])
})

test('a model named twice is one', () => {
  expect(resolve({ models: ['m/x', 'm/x'] }).settings.models).toEqual(['m/x'])
})
