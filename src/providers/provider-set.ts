import { closest } from '../model/closest.ts'
import { ProbeError } from '../model/errors.ts'
import { createAnthropicProvider } from './anthropic/provider.ts'
import { cachePolicyOf } from './cache-policies.ts'
import { createGeminiProvider } from './gemini/provider.ts'
import { FAMILY } from './openai/family.ts'
import { OWN_SERVERS } from './openai/own-servers.ts'
import type { Credentials, Provider } from './provider.ts'
import { searchPriceOf } from './search-prices.ts'
import { createSimProvider } from './sim/provider.ts'
import { createTesseractProvider } from './tesseract/provider.ts'

export interface ProviderSetOptions {
  readonly environment: Credentials
  /** The user's own providers; a name that is built in already is theirs to replace. */
  readonly custom?: readonly Provider[]
}

/** The providers of a run, each made when it is first needed. */
export interface ProviderSet {
  /** Names that can stand before the slash of a model key. */
  readonly names: readonly string[]
  /** @throws ProbeError `PROVIDER_UNKNOWN`, or what keeps a known provider from being used. */
  get(name: string): Provider
  close(): Promise<void>
}

const BUILT_IN: Readonly<Record<string, (credentials: Credentials) => Provider>> = {
  local: createTesseractProvider,
  sim: createSimProvider,
  gemini: createGeminiProvider,
  anthropic: createAnthropicProvider,
  ...FAMILY,
  ...OWN_SERVERS,
}

/** A built-in provider with what is known of it beside its adapter: what its searches cost, how it caches. */
function builtIn(name: string, credentials: Credentials): Provider | null {
  const make = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined
  if (make === undefined) return null
  const provider = make(credentials)
  const cachePolicy = (model: string) => provider.cachePolicy?.(model) ?? cachePolicyOf(name, model)
  const searchPrice = (model: string) => searchPriceOf(name, model)
  return { ...provider, cachePolicy, searchPrice }
}

export function createProviderSet(options: ProviderSetOptions): ProviderSet {
  const made = new Map((options.custom ?? []).map((provider) => [provider.name, provider]))
  const names = [...new Set([...made.keys(), ...Object.keys(BUILT_IN)])].toSorted()
  return {
    names,
    get(name) {
      let provider = made.get(name)
      if (provider === undefined) {
        provider = builtIn(name, options.environment) ?? undefined
        if (provider === undefined) throw unknownProvider(name, names)
        made.set(name, provider)
      }
      return provider
    },
    async close() {
      await Promise.all([...made.values()].map((provider) => provider.close?.()))
    },
  }
}

function unknownProvider(name: string, names: readonly string[]): ProbeError {
  const near = closest(name, names)
  const correct = near === undefined ? 'correct the part before the slash, or' : `did you mean ${near}? If not,`
  return new ProbeError('PROVIDER_UNKNOWN', `there is no provider "${name}"`, {
    allowed: names.join(', '),
    fix: `${correct} add the provider in the plugin options`,
  })
}
