import { priceProblem } from '../gateway/money/price-problem.ts'
import { ProbeError } from '../model/errors.ts'
import { PROBE_CLASSES } from '../model/fixture.ts'
import type { Price, Provider } from '../providers/provider.ts'

const PLACE = 'probes() options'
const NAME = /^[a-z0-9][a-z0-9-]*$/

export interface ProviderOptions {
  readonly providers: readonly Provider[]
  readonly prices: Readonly<Record<string, Price>>
}

/** The providers and prices of the options that can be used; what is wrong with the others goes to `problems`. */
export function resolveProviders(providers: unknown, prices: unknown, problems: ProbeError[]): ProviderOptions {
  return { providers: checkedProviders(providers, problems), prices: checkedPrices(prices, problems) }
}

function checkedProviders(providers: unknown, problems: ProbeError[]): Provider[] {
  if (providers === undefined) return []
  if (!Array.isArray(providers)) {
    problems.push(problem('providers', 'is not a list', 'a list of providers'))
    return []
  }
  return providers.filter((provider: unknown, index): provider is Provider => {
    const why = whyNoProvider(provider)
    if (why !== null) problems.push(problem(`providers[${index}]`, why, 'an object of the type Provider'))
    return why === null
  })
}

function whyNoProvider(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return `is ${String(value)}`
  const { name, classes, call, price, maxConcurrency } = value as Record<keyof Provider, unknown>
  if (typeof name !== 'string' || !NAME.test(name)) return 'has no name of lowercase letters, digits and dashes'
  const known: readonly unknown[] = PROBE_CLASSES
  if (!Array.isArray(classes) || !classes.every((one) => known.includes(one)))
    return `${name}: classes is no list of classes`
  if (typeof call !== 'function' || typeof price !== 'function') return `${name}: call and price are functions`
  if (maxConcurrency !== undefined && !(Number.isSafeInteger(maxConcurrency) && (maxConcurrency as number) >= 1)) {
    return `${name}: maxConcurrency is ${String(maxConcurrency)}, not a whole number from 1`
  }
  return null
}

function checkedPrices(prices: unknown, problems: ProbeError[]): Record<string, Price> {
  if (prices === undefined) return {}
  if (typeof prices !== 'object' || prices === null || Array.isArray(prices)) {
    problems.push(problem('prices', 'is not an object', 'prices by model key'))
    return {}
  }
  const good = Object.entries(prices as Record<string, unknown>).filter(([modelKey, price]) => {
    const why = priceProblem(price)
    if (why !== null) problems.push(problem(`prices['${modelKey}']`, why, 'amounts in US dollars, 0 or more'))
    return why === null
  })
  return Object.fromEntries(good) as Record<string, Price>
}

function problem(field: string, message: string, allowed: string): ProbeError {
  return new ProbeError('OPTION_INVALID', message, { file: PLACE, field, allowed })
}
