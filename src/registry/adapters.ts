import { parseModelKey } from '../model/model-key.ts'
import { createProviderSet } from '../providers/provider-set.ts'
import type { Provider } from '../providers/provider.ts'
import type { AdapterMap } from './format.ts'

/** Adapters are asked what they can do, and call nothing: a made-up key and address will do to make them. */
const PRETENCE = {
  apiKey: () => 'not-a-key',
  baseUrl: (provider: string) => (provider === 'compatible' ? 'http://localhost' : null),
}

/** What the adapters of this package can ask for, by model key; null for a provider without one. */
export function adapterMaps(): (modelKey: string) => AdapterMap | null {
  const set = createProviderSet({ environment: PRETENCE })
  const known = new Set(set.names)
  return (modelKey) => {
    const { provider, model } = parseModelKey(modelKey)
    return known.has(provider) ? mapOf(set.get(provider), model) : null
  }
}

function mapOf({ classes, nativeRung = 'enforced', cachePolicy }: Provider, model: string): AdapterMap {
  return { classes: [...classes], nativeRung, cacheMinTokens: cachePolicy?.(model)?.minTokens ?? null }
}
