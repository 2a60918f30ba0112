import { ProbeError } from '../../model/errors.ts'
import { FREE, type Credentials, type Provider } from '../provider.ts'
import { createChatProvider } from './chat-provider.ts'
import type { ChatDialect } from './dialect.ts'
import { addressOf, keyOf } from '../endpoint.ts'

interface ServerKind {
  /** Where it listens by default; null: nowhere in particular. */
  readonly address: string | null
  readonly dialect: ChatDialect
}

/** Servers people run themselves, spoken to in the OpenAI Chat Completions format. */
const SERVERS: Readonly<Record<string, ServerKind>> = {
  ollama: { address: 'http://localhost:11434/v1', dialect: {} },
  vllm: { address: 'http://localhost:8000/v1', dialect: {} },
  lmstudio: { address: 'http://localhost:1234/v1', dialect: { jsonObject: false } },
  compatible: { address: null, dialect: {} },
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/
/** This machine, a private network (RFC 1918, RFC 4193), or a name that only a local network can resolve. */
const OWN_NETWORK =
  /^(localhost|[^.:[\]]+|.+\.(local|lan|internal|home\.arpa)|127(\.\d+){3}|10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|\[(::1|f[cd].+)\])$/

/** Makers of the providers for people's own servers, by name. */
export const OWN_SERVERS: Readonly<Record<string, (credentials: Credentials) => Provider>> = Object.fromEntries(
  Object.entries(SERVERS).map(([name, server]) => [name, (credentials) => ownServer(name, server, credentials)]),
)

function ownServer(name: string, { address, dialect }: ServerKind, credentials: Credentials): Provider {
  const variable = `${name.toUpperCase()}_BASE_URL`
  const given = credentials.baseUrl(name) ?? address
  if (given === null) {
    throw new ProbeError('OPTION_INVALID', `${name}/… needs the address of a server`, {
      file: 'environment',
      field: variable,
      allowed: 'an http or https address, with its version path, like http://localhost:8080/v1',
    })
  }
  const url = addressOf(given, { field: variable })
  // A model server of one's own sends no bill. Any other may (a proxy in the next room passes bills on), so unless it
  // runs right here it needs a price.
  const free = (address === null ? LOOPBACK : OWN_NETWORK).test(url.hostname)
  return createChatProvider({
    name,
    baseUrl: url.href,
    apiKey: keyOf(credentials.apiKey(name), { field: `${name.toUpperCase()}_API_KEY` }),
    classes: ['schema', 'caching', 'image'],
    price: () => (free ? FREE : null),
    priceSource: 'own server',
    server: { address: `${url.origin}${url.pathname}`, movedBy: variable },
    dialect,
  })
}
