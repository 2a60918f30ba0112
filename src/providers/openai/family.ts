import type { ProbeClass } from '../../model/fixture.ts'
import type { Credentials, Provider } from '../provider.ts'
import { createChatProvider } from './chat-provider.ts'
import type { ChatDialect } from './dialect.ts'
import { addressOf, requiredKey } from '../endpoint.ts'

interface Host {
  readonly baseUrl: string
  /** Name in the bundled price list; absent: it is not there. */
  readonly priceList?: string
  readonly classes: readonly ProbeClass[]
  readonly dialect: ChatDialect
}

const SEEING: readonly ProbeClass[] = ['schema', 'caching', 'image']
const SEEING_AND_SEARCHING: readonly ProbeClass[] = ['schema', 'grounding', 'caching', 'image']

/**
 * Hosts spoken to in OpenAI's formats. Where it is not known whether a host enforces a schema, it is asked to: one that
 * refuses is left for JSON mode at the first refusal, and one that does not is unproven still.
 */
const HOSTS: Readonly<Record<string, Host>> = {
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    priceList: 'openai',
    classes: SEEING_AND_SEARCHING,
    dialect: {
      limitField: 'max_completion_tokens',
      jsonSchema: 'enforced',
      cacheKey: { in: 'body', name: 'prompt_cache_key' },
      search: 'responses',
      toolCallsBound: true,
    },
  },
  deepseek: {
    baseUrl: 'https://api.deepseek.com',
    priceList: 'deepseek',
    classes: ['schema', 'caching'],
    // Its chat refuses `json_schema` (justrach/codegraff#543), its Responses ignore `web_search`.
    dialect: { jsonSchema: false, usage: 'deepseek', cachesByItself: true },
  },
  xai: {
    baseUrl: 'https://api.x.ai/v1',
    priceList: 'x-ai',
    classes: SEEING_AND_SEARCHING,
    dialect: { cacheKey: { in: 'header', name: 'x-grok-conv-id' }, usage: 'xai', search: 'responses' },
  },
  openrouter: {
    baseUrl: 'https://openrouter.ai/api/v1',
    priceList: 'openrouter',
    classes: SEEING_AND_SEARCHING,
    // It passes breakpoints on to Anthropic (openrouter.ai/docs/features/prompt-caching).
    dialect: { usage: 'openrouter', search: 'web_plugin', cacheBreakpoints: /^anthropic\// },
  },
  deepinfra: { baseUrl: 'https://api.deepinfra.com/v1/openai', classes: SEEING, dialect: {} },
  fireworks: {
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    priceList: 'fireworks',
    classes: SEEING,
    // Its caches are a replica's own; a call without affinity meets any of them (BerriAI/litellm#35754).
    dialect: { cacheKey: { in: 'header', name: 'x-session-affinity' } },
  },
  groq: { baseUrl: 'https://api.groq.com/openai/v1', priceList: 'groq', classes: SEEING, dialect: {} },
  together: { baseUrl: 'https://api.together.xyz/v1', priceList: 'together', classes: SEEING, dialect: {} },
  mistral: { baseUrl: 'https://api.mistral.ai/v1', priceList: 'mistral', classes: SEEING, dialect: {} },
}

/** Makers of the providers for hosted models, by name. */
export const FAMILY: Readonly<Record<string, (credentials: Credentials) => Provider>> = Object.fromEntries(
  Object.entries(HOSTS).map(([name, host]) => [name, (credentials) => hosted(name, host, credentials)]),
)

function hosted(name: string, { baseUrl, priceList, classes, dialect }: Host, credentials: Credentials): Provider {
  const apiKey = requiredKey(name, credentials)
  const url = addressOf(credentials.baseUrl(name) ?? baseUrl, { field: `${name.toUpperCase()}_BASE_URL` })
  return createChatProvider({
    name,
    baseUrl: url.href,
    apiKey,
    classes,
    price: () => null,
    priceSource: 'none',
    priceList,
    dialect,
  })
}
