import { BLANK_REPLY } from '../../src/providers/blank-reply.ts'
import { postJson } from '../../src/providers/post-json.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { testTransport } from './transport-contract.ts'

const KEY = 'key-of-a-bare-adapter-0031'

/** The least that an adapter over `postJson` can be. */
function bareProvider(origin: string): Provider {
  return {
    name: 'bare',
    classes: ['schema'],
    simulated: false,
    price: () => null,
    priceSource: 'none',
    async call({ prompt }, { model, signal }) {
      const headers = { 'x-key': KEY }
      const { body } = await postJson({ url: `${origin}/say`, headers, body: { model, prompt }, apiKey: KEY, signal })
      return { ...BLANK_REPLY, text: String(body['said']) }
    },
  }
}

testTransport({
  providerAt: bareProvider,
  path: '/say',
  keyHeader: (headers) => headers['x-key'],
  key: KEY,
  reply: { said: 'read' },
})
