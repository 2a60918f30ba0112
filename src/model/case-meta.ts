import type { Refusal, Rung } from './call.ts'
import type { Canary } from './canary.ts'
import type { ProbeClass } from './fixture.ts'
import type { Sample } from './sample.ts'

/**
 * What a probe test case carries on its task's `meta` under `probe`: plain data that reaches reporters, the
 * JSON report and blob reports. Samples are added as they are measured.
 */
export interface CaseMeta {
  readonly modelKey: string
  readonly probeClass: ProbeClass
  readonly fixtureId: string
  readonly fixtureHash: string
  readonly family: string
  readonly difficulty: 'standard' | 'hard'
  readonly domain: string
  readonly subtype: string | null
  readonly hasSchema: boolean
  /** Samples the run is to take of it, all shards together; with `until` those it has asked for so far. */
  samplesWanted: number
  /** Those of them that are to be taken here: all, where the run has no shards. */
  samplesDue: number
  /** Half-width of the interval that the case is sampled until; null: it has a fixed number of samples. */
  readonly until: number | null
  /** Part of the run that was measured here, like `1/4`; null: all of it. */
  readonly shard: string | null
  /** Options that make other requests of the same fixture; null: not known. */
  readonly rung: 'auto' | Rung | null
  readonly maxOutputTokens: number | null
  /** Least rates the case is to reach, 0 to 1, by the name of a rate or custom check. */
  readonly thresholds: Readonly<Record<string, number>>
  readonly samples: Sample[]
  /** How the model's server was found to treat schemas, where that had to be found out; else null. */
  canary: Canary | null
  /** Price source and reality of the model, null until they are known. */
  facts: { readonly priceSource: string; readonly simulated: boolean } | null
  /** Why samples are missing, or null. */
  refusal: Refusal | null
}

/** What makes a case the only one of its kind in a run. */
export function caseKey({ modelKey, probeClass, fixtureId }: CaseMeta): string {
  return `${modelKey} ${probeClass} ${fixtureId}`
}

/**
 * What a worker tells while it measures: how many samples of a model it is going to take, and how many of those will
 * not come; a case it has begun, as it is now, how many samples it asks for beyond those, or one more sample of it.
 */
export type Progress =
  | Planned
  | { readonly kind: 'lost'; readonly modelKey: string; readonly samples: number }
  | { readonly kind: 'case'; readonly meta: CaseMeta }
  | { readonly kind: 'due'; readonly key: string; readonly samples: number }
  | { readonly kind: 'sample'; readonly key: string; readonly sample: Sample }

/** Samples of a model, beside those it was told of before. */
export interface Planned {
  readonly kind: 'planned'
  /** Of the project, which need not be that of a fixture in it. */
  readonly probeClass: ProbeClass
  readonly modelKey: string
  readonly samples: number
  /** Where the number is not fixed, the most there can be; else the same. */
  readonly most: number
}
