import { ProbeError } from '../model/errors.ts'
import { OWN_SERVERS } from './openai/own-servers.ts'
import type { Credentials, Provider } from './provider.ts'
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
  ...OWN_SERVERS,
}

export function createProviderSet(options: ProviderSetOptions): ProviderSet {
  const made = new Map((options.custom ?? []).map((provider) => [provider.name, provider]))
  const names = [...new Set([...made.keys(), ...Object.keys(BUILT_IN)])].toSorted()
  return {
    names,
    get(name) {
      let provider = made.get(name)
      if (provider === undefined) {
        const make = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined
        if (make === undefined) throw unknownProvider(name, names)
        made.set(name, (provider = make(options.environment)))
      }
      return provider
    },
    async close() {
      await Promise.all([...made.values()].map((provider) => provider.close?.()))
    },
  }
}

function unknownProvider(name: string, names: readonly string[]): ProbeError {
  return new ProbeError('PROVIDER_UNKNOWN', `there is no provider "${name}"`, {
    allowed: names.join(', '),
    fix: 'correct the part before the slash, or add the provider in the plugin options',
  })
}
