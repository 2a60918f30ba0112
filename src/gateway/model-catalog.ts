import type { ModelTraits } from '../model/call.ts'
import { ProbeError } from '../model/errors.ts'
import type { ProbeClass } from '../model/fixture.ts'
import { parseModelKey } from '../model/model-key.ts'
import type { ProviderSet } from '../providers/provider-set.ts'
import { FREE, type Price, type Provider } from '../providers/provider.ts'
import { priceProblem } from './money/price-problem.ts'
import { listedPricing, pricingOf, type Pricing } from './money/pricing.ts'

export interface CatalogOptions {
  readonly providers: ProviderSet
  /** Prices by model key that go before the providers' own. */
  readonly prices: Readonly<Record<string, Price>>
  /** Models the user chose. Probe files may name others only if they cost nothing. Null: all may be called. */
  readonly models: ReadonlySet<string> | null
}

/** More models than any run has. */
const MOST_PRICINGS = 1000

/** What is known of a model before it is called. */
export interface ModelFacts {
  readonly classes: readonly ProbeClass[]
  readonly pricing: Pricing
  readonly traits: Omit<ModelTraits, 'earlierRuns'>
}

/** What is known of models before they are called: whose they are, what they cost, what they can do. */
export class ModelCatalog {
  readonly #options: CatalogOptions
  readonly #pricings = new Map<string, Pricing>()

  constructor(options: CatalogOptions) {
    this.#options = options
  }

  /**
   * Facts about a model, found without calling it.
   * @throws ProbeError when the key is malformed, the provider or model unknown, a key or a price missing.
   */
  facts(modelKey: string): ModelFacts {
    const { provider, model } = this.resolve(modelKey)
    const pricing = this.#pricing(modelKey, provider, model)
    const { models } = this.#options
    if (models !== null && !models.has(modelKey) && pricing.paid) throw notChosen(modelKey, models)
    const { classes, simulated, nativeRung = 'enforced', answersFromKey = false } = provider
    const cache = asked(provider.name, () => provider.cachePolicy?.(model)) ?? null
    return { classes, pricing, traits: { priceSource: pricing.source, simulated, nativeRung, answersFromKey, cache } }
  }

  /** @throws ProbeError for a key that is none, or a provider or model that there is none of. */
  resolve(modelKey: string): { provider: Provider; model: string } {
    const { provider: name, model } = parseModelKey(modelKey)
    const provider = this.#options.providers.get(name)
    const objection = asked(name, () => provider.rejectModel?.(model)) ?? null
    if (objection !== null) throw new ProbeError('MODEL_UNKNOWN', `${modelKey}: ${objection}`)
    return { provider, model }
  }

  /** Looked up once: the list is long, and a probe file can ask as often as it likes. */
  #pricing(modelKey: string, provider: Provider, model: string): Pricing {
    let known = this.#pricings.get(modelKey)
    if (known === undefined) {
      known = this.#lookUpPricing(modelKey, provider, model)
      if (this.#pricings.size < MOST_PRICINGS) this.#pricings.set(modelKey, known)
    }
    return known
  }

  /** The user's price goes before the provider's own, and that before the bundled list. */
  #lookUpPricing(modelKey: string, provider: Provider, model: string): Pricing {
    const { prices } = this.#options
    const given = Object.hasOwn(prices, modelKey) ? prices[modelKey] : undefined
    const own = asked(provider.name, () => provider.price(model)) ?? null
    // Where one model of a server has a price, none of them is free because the server stands nearby.
    const bills =
      own === FREE && !provider.simulated && Object.keys(prices).some((key) => key.startsWith(`${provider.name}/`))
    const price = given ?? (bills ? null : own)
    const search = asked(provider.name, () => provider.searchPrice?.(model)) ?? undefined
    if (price === null) {
      const listed = provider.priceList === undefined ? null : listedPricing(provider.priceList, model, search)
      if (listed === null) throw priceMissing(modelKey)
      return listed
    }
    const wrong = priceProblem(price)
    if (wrong !== null) {
      throw new ProbeError('OPTION_INVALID', wrong, { file: 'probes() options', field: `price of ${modelKey}` })
    }
    return pricingOf(price, given === undefined ? provider.priceSource : 'user', search)
  }
}

/** What a provider answers about itself; one that throws instead cannot be used. */
function asked<T>(name: string, question: () => T): T {
  try {
    return question()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'it throws'
    throw new ProbeError('OPTION_INVALID', `provider ${name} cannot be used: ${why}`, { cause })
  }
}

function priceMissing(modelKey: string): ProbeError {
  return new ProbeError('PRICE_MISSING', `no price is known for ${modelKey}, so its spend cannot be bounded`, {
    fix: `give one in the plugin options: prices: { '${modelKey}': { inputUsdPerMTok: …, outputUsdPerMTok: … } }`,
  })
}

function notChosen(modelKey: string, models: ReadonlySet<string>): ProbeError {
  return new ProbeError('MODEL_NOT_CHOSEN', `${modelKey} costs money and is not among the models of the run`, {
    allowed: [...models].join(', '),
    fix: 'name it in PROBE_MODEL or in the plugin’s models',
  })
}
