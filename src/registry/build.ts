import type { ProbeClass } from '../model/fixture.ts'
import { PROBE_CLASSES } from '../model/fixture.ts'
import { HARNESS_VERSION } from '../model/version.ts'
import { compose, type Composed } from './compose.ts'
import type { DeclaredFile } from './declared-format.ts'
import { discrepanciesOf } from './discrepancies.ts'
import { REGISTRY_VERSION, type AdapterMap, type Refused, type Registry, type RegistryModel } from './format.ts'
import { probedOf, type Freshness } from './probed.ts'
import type { Source } from './sources.ts'
import { standingClaims } from './standing.ts'

/** What a registry is built from. */
export interface RegistryInput extends Freshness {
  readonly declared: DeclaredFile
  readonly sources: readonly Source[]
  readonly refused: readonly Refused[]
  /** What the adapter of a model can ask for. */
  readonly adapterOf: (modelKey: string) => AdapterMap | null
}

/** The registry of these claims and results: every model of either, by key. */
export function buildRegistry(input: RegistryInput): Registry {
  const { declared, sources, refused, now, staleAfterDays } = input
  const byModel = Map.groupBy(sources, ({ modelKey }) => modelKey)
  const keys = [...new Set([...Object.keys(declared.models), ...byModel.keys()])].toSorted()
  const built = keys.map((key) => modelOf(key, byModel.get(key) ?? [], input))
  return {
    formatVersion: REGISTRY_VERSION,
    harnessVersion: HARNESS_VERSION,
    builtAt: now.toISOString(),
    staleAfterDays,
    simulated: sources.some(({ simulated }) => simulated),
    files: {
      given: sources.length + refused.length,
      used: built.reduce((sum, { used }) => sum + used, 0),
      superseded: built.reduce((sum, { superseded }) => sum + superseded, 0),
      refused: refused.toSorted((a, b) => (a.file < b.file ? -1 : 1)),
    },
    models: Object.fromEntries(built.map(({ key, model }) => [key, model])),
  }
}

interface Built {
  readonly key: string
  readonly model: RegistryModel
  readonly used: number
  readonly superseded: number
}

function modelOf(key: string, sources: readonly Source[], { declared, adapterOf, ...freshness }: RegistryInput): Built {
  const claims = Object.hasOwn(declared.models, key) ? standingClaims(declared.models[key]!) : null
  const byClass = Map.groupBy(sources, ({ probeClass }) => probeClass)
  const composed = PROBE_CLASSES.flatMap((probeClass): [ProbeClass, Composed][] => {
    const own = byClass.get(probeClass)
    return own === undefined ? [] : [[probeClass, compose(own)]]
  })
  const count = (files: (one: Composed) => readonly Source[]): number =>
    composed.reduce((sum, [, one]) => sum + files(one).length, 0)
  const adapter = adapterOf(key)
  const probed = composed.map(([probeClass, one]) => [probeClass, probedOf(probeClass, one, freshness)] as const)
  return {
    key,
    model: {
      declared: claims,
      adapter,
      probed: Object.fromEntries(probed),
      discrepancies: discrepanciesOf(
        claims,
        Object.fromEntries(composed.map(([probeClass, { fixtures }]) => [probeClass, fixtures])),
        adapter,
      ),
    },
    used: count(({ used }) => used),
    superseded: count(({ superseded }) => superseded),
  }
}
