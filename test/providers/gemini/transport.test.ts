import { expect, test } from 'vitest'
import { factsOf, faultOf, requestOf } from '../../support/wire-server.ts'
import { testTransport } from '../transport-contract.ts'
import { candidate, KEY, providerAt } from './gemini-server.ts'

testTransport({
  providerAt,
  path: '/v1beta/models/tiny-vision:generateContent',
  keyHeader: (headers) => headers['x-goog-api-key'],
  key: KEY,
  reply: candidate([{ text: 'read' }]),
})

test('what the SDK will not send is a fault that costs nothing', async () => {
  const { signal } = new AbortController()
  const fault = await faultOf(providerAt().call(requestOf(), { model: 'a?b', signal }))
  const billing = { kind: 'none' }
  expect(factsOf(fault)).toEqual({ failureClass: 'bad_response', billing, retryable: false, retryAfterMs: null })
  expect(fault.message).toBe('invalid model parameter')
})
