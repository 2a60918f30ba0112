import type { JsonSchema } from '../../../src/model/fixture.ts'
import { createGeminiProvider } from '../../../src/providers/gemini/provider.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { useWireServer } from '../../support/wire-server.ts'

export const ADDRESS = 'http://gemini.test:8124'
export const KEY = 'key-of-vera-20261202'
export const urlOf = (address: string, model = 'tiny-vision') => `${address}/v1beta/models/${model}:generateContent`

export const SCHEMA: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://forms.test/receipt',
  type: 'object',
  properties: { total: { type: ['number', 'null'], multipleOf: 0.5 }, $id: { $ref: '#/$defs/id' } },
  required: ['total'],
  additionalProperties: false,
  $defs: { id: { type: 'string', pattern: '^x' } },
}

export function providerAt(baseUrl: string | null = ADDRESS, apiKey: string | null = KEY): Provider {
  const only = (value: string | null) => (provider: string) => (provider === 'gemini' ? value : null)
  return createGeminiProvider({ apiKey: only(apiKey), baseUrl: only(baseUrl) })
}

/** A reply body with one candidate. */
export function candidate(parts: readonly object[], more: object = {}, rest: object = {}) {
  return { candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts }, ...more }], ...rest }
}

/** An msw server for the tests of a file. */
export const useGeminiServer = () => useWireServer(`${ADDRESS}/v1beta/models/*`)
