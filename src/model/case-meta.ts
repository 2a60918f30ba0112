import type { Refusal } from './call.ts'
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
  /** Samples the case was to take. */
  readonly samplesWanted: number
  readonly samples: Sample[]
  /** Price source and reality of the model, null until a call was answered. */
  facts: { readonly priceSource: string; readonly simulated: boolean } | null
  /** Why samples are missing, or null. */
  refusal: Refusal | null
}
