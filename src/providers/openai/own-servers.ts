import { ProbeError } from '../../model/errors.ts'
import { FREE, type Credentials, type Provider } from '../provider.ts'
import { createChatProvider } from './chat-provider.ts'

/** Servers people run themselves, spoken to in the OpenAI Chat Completions format, and where they listen by default. */
const ADDRESSES: Readonly<Record<string, string | null>> = {
  ollama: 'http://localhost:11434/v1',
  vllm: 'http://localhost:8000/v1',
  lmstudio: 'http://localhost:1234/v1',
  compatible: null,
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

export const OWN_SERVERS: Readonly<Record<string, (credentials: Credentials) => Provider>> = Object.fromEntries(
  Object.entries(ADDRESSES).map(([name, address]) => [name, (credentials) => ownServer(name, address, credentials)]),
)

function ownServer(name: string, address: string | null, credentials: Credentials): Provider {
  const variable = `${name.toUpperCase()}_BASE_URL`
  const given = credentials.baseUrl(name) ?? address
  if (given === null) {
    throw new ProbeError('OPTION_INVALID', `${name}/… needs the address of a server`, {
      file: 'environment',
      field: variable,
      allowed: 'an http or https address, with its version path, like http://localhost:8080/v1',
    })
  }
  const url = URL.canParse(given) ? new URL(given) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ProbeError('OPTION_INVALID', 'is not an address', {
      file: 'environment',
      field: variable,
      allowed: 'an http or https address',
    })
  }
  // On this machine nobody sends a bill; elsewhere somebody may, so a price has to be given.
  const free = address !== null || LOOPBACK.test(url.hostname)
  return createChatProvider({
    name,
    baseUrl: given,
    apiKey: credentials.apiKey(name),
    price: free ? FREE : null,
    priceSource: 'own server',
  })
}
