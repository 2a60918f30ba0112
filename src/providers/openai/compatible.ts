import { ProbeError } from '../../model/errors.ts'
import { PROBE_CLASSES, type ProbeClass } from '../../model/fixture.ts'
import type { Price, Provider } from '../provider.ts'
import { createChatProvider } from './chat-provider.ts'
import type { ChatDialect } from './dialect.ts'
import { addressOf, keyOf } from '../endpoint.ts'

/** A server that speaks OpenAI Chat Completions, as a user describes it. */
export interface CompatibleOptions {
  /** Stands before the slash of its model keys: lowercase letters, digits and dashes. */
  readonly name: string
  /** Address with its version path, like `https://models.example.org/v1`. */
  readonly baseUrl: string
  /** Sent as a bearer token. @default none is sent */
  readonly apiKey?: string
  /** What a call costs. `FREE` for what sends no bill. */
  readonly price: Price | ((model: string) => Price | null)
  /** What it can be probed for. @default all but `grounding`, and that too where the dialect has a search */
  readonly classes?: readonly ProbeClass[]
  /** What it takes of the format, and how it counts. @default plain Chat Completions */
  readonly dialect?: ChatDialect
}

/** Names that a header, or a field of a body, can have without taking the place of one that is needed. */
const MARK_NAME = /^(?!(authorization|accept|content-type|host)$)[a-z][\w-]*$/i

/**
 * A provider for a server that is not built in, to be put among the `providers` of the plugin's options:
 *
 * ```ts
 * compatibleProvider({
 *   name: 'our-proxy',
 *   baseUrl: 'https://models.example.org/v1',
 *   apiKey: process.env.OUR_PROXY_KEY ?? '',
 *   price: { inputUsdPerMTok: 0.4, outputUsdPerMTok: 1.6 },
 * })
 * ```
 * @throws ProbeError `OPTION_INVALID`, naming the option.
 */
export function compatibleProvider(options: CompatibleOptions): Provider {
  const { name, price, dialect = {} } = options
  const at = (option: string) => ({ file: 'compatibleProvider', field: option })
  if (typeof name !== 'string' || !/^[a-z0-9][a-z0-9-]*$/.test(name)) {
    throw new ProbeError('OPTION_INVALID', 'cannot stand before the slash of a model key', {
      ...at('name'),
      allowed: 'lowercase letters, digits and dashes, no dash first',
    })
  }
  const able = PROBE_CLASSES.filter((one) => one !== 'grounding' || dialect.search !== undefined)
  const beyond = options.classes?.find((one) => !able.includes(one))
  if (beyond !== undefined) {
    throw new ProbeError('OPTION_INVALID', `${name} cannot be probed for "${beyond}"`, {
      ...at('classes'),
      allowed: able.join(', '),
      ...(beyond === 'grounding' && { fix: 'say in dialect.search how its search is switched on' }),
    })
  }
  if (dialect.cacheKey !== undefined && !MARK_NAME.test(dialect.cacheKey.name)) {
    throw new ProbeError('OPTION_INVALID', 'is no name for a field or a header of ours', {
      ...at('dialect.cacheKey.name'),
      allowed: 'letters, digits, dashes and underscores, and no header that is sent anyway',
    })
  }
  if (![undefined, 'enforced', 'unproven', false].includes(dialect.jsonSchema)) {
    throw new ProbeError('OPTION_INVALID', 'does not say what comes of asking for a schema', {
      ...at('dialect.jsonSchema'),
      allowed: "'enforced', 'unproven' or false",
    })
  }
  return createChatProvider({
    name,
    baseUrl: addressOf(options.baseUrl, at('baseUrl')).href,
    apiKey: keyOf(options.apiKey ?? null, at('apiKey')),
    classes: options.classes ?? able,
    price: typeof price === 'function' ? price : () => price,
    priceSource: 'user',
    dialect,
  })
}
