import { PROBE_CLASSES, type ProbeClass } from '../model/fixture.ts'
import { compose, type Composed } from './compose.ts'
import type { Claims } from './declared-format.ts'
import { discrepanciesOf } from './discrepancies.ts'
import type { AdapterMap, RegistryModel } from './format.ts'
import { probedOf, type Freshness } from './probed.ts'
import type { Source } from './sources.ts'
import { standingClaims } from './standing.ts'

/** What is known of a model beside its result files. */
export interface ModelFacts {
  readonly key: string
  /** Null: nobody claims anything of it. */
  readonly claims: Claims | null
  /** What its adapter can ask for; null: it has none. */
  readonly adapter: AdapterMap | null
}

/** A model as it stands in a registry, and what became of its files. */
export interface Entry {
  readonly key: string
  readonly model: RegistryModel
  /** Files that are in it. */
  readonly used: readonly string[]
  /** Files of which newer or fuller ones have all. */
  readonly superseded: readonly string[]
}

/**
 * What is declared and what was measured of one model.
 * @param sources its result files.
 */
export function entryOf({ key, claims, adapter }: ModelFacts, sources: readonly Source[], freshness: Freshness): Entry {
  const declared = claims === null ? null : standingClaims(claims)
  const byClass = Map.groupBy(sources, ({ probeClass }) => probeClass)
  const composed = PROBE_CLASSES.flatMap((probeClass): [ProbeClass, Composed][] => {
    const own = byClass.get(probeClass)
    return own === undefined ? [] : [[probeClass, compose(own)]]
  })
  const names = (files: (one: Composed) => readonly Source[]): string[] =>
    composed.flatMap(([, one]) => files(one).map(({ file }) => file))
  const probed = composed.map(([probeClass, one]) => [probeClass, probedOf(probeClass, one, freshness)] as const)
  return {
    key,
    model: {
      declared,
      adapter,
      probed: Object.fromEntries(probed),
      discrepancies: discrepanciesOf(
        declared,
        Object.fromEntries(composed.map(([probeClass, { fixtures }]) => [probeClass, fixtures])),
        adapter,
      ),
    },
    used: names(({ used }) => used),
    superseded: names(({ superseded }) => superseded),
  }
}
