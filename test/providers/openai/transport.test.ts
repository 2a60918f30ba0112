import { testTransport } from '../transport-contract.ts'
import { chat, providerAt } from './chat-server.ts'

testTransport({
  providerAt: (origin) => providerAt(`${origin}/v1`, { apiKey: 'key-of-vera' }),
  path: '/v1/chat/completions',
  keyHeader: (headers) => headers.authorization,
  key: 'Bearer key-of-vera',
  reply: chat({ content: 'read' }),
})
