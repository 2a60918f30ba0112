import { expect, test } from 'vitest'
import { secretStripper } from '../../src/pool/secrets.ts'

const strip = secretStripper(['PROBE_LEDGER', 'acme_login'], ['sk-canary', ''])

test.for([
  'OPENAI_API_KEY',
  'VITE_GEMINI_API_KEY',
  'SOME_APIKEY',
  'AWS_SECRET_ACCESS_KEY',
  'GITHUB_TOKEN',
  'DB_PASSWORD',
  'openai_api_key',
  'PROBE_LEDGER',
  'ACME_LOGIN',
  'OLLAMA_BASE_URL',
])('%s does not reach a worker', (name) => {
  expect(strip({ [name]: 'something' })).toEqual({})
})

test.for(['PATH', 'HOME', 'LANG', 'PROBE_SAMPLES', 'KEYBOARD', 'TOKENIZERS_PARALLELISM', 'MONKEY'])(
  '%s does',
  (name) => {
    expect(strip({ [name]: 'something' })).toEqual({ [name]: 'something' })
  },
)

test('a key under another name, or inside another value, does not reach a worker', () => {
  expect(
    strip({
      HARMLESS: 'sk-canary',
      HEADER: 'Bearer sk-canary',
      PROXY: 'http://me:word@host/',
      OTHER: 'fine',
      UNSET: undefined,
    }),
  ).toEqual({
    OTHER: 'fine',
  })
})

test('a short key takes only what is equal to it', () => {
  const stripShort = secretStripper([], ['root', 'o'])
  expect(stripShort({ HOME: '/root', PATH: '/usr/local/bin', SAME: 'root' })).toEqual({
    HOME: '/root',
    PATH: '/usr/local/bin',
  })
})
