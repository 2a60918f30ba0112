import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashRequest } from '../../src/gateway/journal/request-hash.ts'
import type { CallRequest } from '../../src/model/call.ts'

const image = { bytes: new Uint8Array([1]), mediaType: 'image/png' as const, sha256: 'ab' }
const REQUEST: CallRequest = {
  prompt: 'p',
  images: [image],
  answerSchema: { b: 1, a: 2 },
  rung: 'auto',
  maxOutputTokens: 9,
  search: false,
  cacheKey: null,
}

test('the hash is SHA-256 of the canonical JSON of what is sent', () => {
  const canonical =
    '{"answerSchema":{"a":2,"b":1},"cacheKey":null,"images":[{"mediaType":"image/png","sha256":"ab"}],"maxOutputTokens":9,"modelKey":"m/x","prompt":"p","rung":"auto","search":false}'
  expect(hashRequest('m/x', REQUEST)).toBe(createHash('sha256').update(canonical).digest('hex'))
})

test.for<[string, string, CallRequest]>([
  ['model', 'm/y', REQUEST],
  ['prompt', 'm/x', { ...REQUEST, prompt: 'q' }],
  ['image', 'm/x', { ...REQUEST, images: [{ ...image, sha256: 'cd' }] }],
  ['schema', 'm/x', { ...REQUEST, answerSchema: { a: 3, b: 1 } }],
  ['rung', 'm/x', { ...REQUEST, rung: 'native' }],
  ['search', 'm/x', { ...REQUEST, search: true }],
  ['cache key', 'm/x', { ...REQUEST, cacheKey: 'k' }],
  ['limit', 'm/x', { ...REQUEST, maxOutputTokens: 10 }],
])('another %s makes another request', ([, modelKey, request]) => {
  expect(hashRequest(modelKey, request)).not.toBe(hashRequest('m/x', REQUEST))
})
