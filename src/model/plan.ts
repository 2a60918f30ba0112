import type { ProbeClass } from './fixture.ts'

/** What calls like those of a plan have cost before. */
export interface Expectation {
  /** US dollars of all planned calls together. */
  readonly usd: number
  /** Journaled calls that it rests on. */
  readonly journaledCalls: number
  /** US dollars of the cheapest and of the dearest of them. */
  readonly leastUsd: number
  readonly mostUsd: number
}

/** The calls that a run would make to a model for a class; retries are not counted. */
export interface PlannedClass {
  readonly modelKey: string
  readonly probeClass: ProbeClass
  readonly calls: number
  /** US dollars if every call cost its worst case. */
  readonly worstUsd: number
  /** Worst case of the dearest call, in US dollars. */
  readonly largestUsd: number
  /** Null: the journal has no such call. */
  readonly expected: Expectation | null
}

/** Where the calls to a model stop. */
export interface PlannedStop {
  /** Calls made before. */
  readonly calls: number
  readonly probeClass: ProbeClass
  /** Sample index of the first call that no longer fits. */
  readonly sampleIndex: number
}

/** What the envelope of a model allows of all its planned calls. */
export interface PlannedModel {
  readonly modelKey: string
  readonly envelopeUsd: number
  /** US dollars of it that are spent already: by what is replayed, or by others in a shared ledger. */
  readonly spentUsd: number
  readonly calls: number
  /** First calls that fit even if each costs its worst case. */
  readonly certain: number
  /** Those of them that can all be open at once: of two calls of a sample, the second waits for the first. */
  readonly atOnce: number
  /** Where they stop if calls cost what they did before; null: they do not. */
  readonly stop: PlannedStop | null
  /** Classes without a journaled call; `stop` is not known while there are any. */
  readonly unknown: readonly ProbeClass[]
  /** What would be refused since the whole envelope does not hold it, once a fixture. */
  readonly tooLarge: readonly {
    readonly probeClass: ProbeClass
    readonly fixtureId: string
    /** Calls that are only sent together. */
    readonly calls: number
    readonly worstUsd: number
  }[]
}

/** What a run would do. */
export interface RunPlan {
  readonly classes: readonly PlannedClass[]
  readonly models: readonly PlannedModel[]
  /** Most calls open at once per provider. */
  readonly concurrency: number
  /** The calls are the most there can be: the run has no fixed number of samples. */
  readonly isMost: boolean
}
