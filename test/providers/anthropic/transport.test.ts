import { testTransport } from '../transport-contract.ts'
import { KEY, message, providerAt } from './messages-server.ts'

testTransport({
  providerAt,
  path: '/v1/messages',
  keyHeader: (headers) => headers['x-api-key'],
  key: KEY,
  reply: message(),
})
