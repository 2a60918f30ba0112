import type { ProbeClass } from '../model/fixture.ts'
import type { Sample } from '../model/sample.ts'
import type { Counts } from '../stats/counts.ts'
import { pooledRate, type SpoiledCounts } from '../stats/pooled-rate.ts'
import type { PooledRate } from '../stats/block-types.ts'
import {
  countRate,
  countSpoiled,
  DECIDING_RATES,
  isConformant,
  RATES,
  ratesOf,
  type RateName,
} from '../stats/rate-table.ts'
import type { UsedFile } from './format.ts'

/** A rate that the registry tells: one of result files, or `right`. */
export type MeasureName = RateName | 'right'

/** The rates of a class, in the order they are shown. `right` is what `extraction` is for images. */
export const MEASURES: Readonly<Record<ProbeClass, readonly MeasureName[]>> = {
  schema: [...ratesOf({ probeClass: 'schema', hasSchema: true }), 'right'],
  grounding: ratesOf({ probeClass: 'grounding', hasSchema: false }),
  caching: ratesOf({ probeClass: 'caching', hasSchema: false }),
  image: ratesOf({ probeClass: 'image', hasSchema: true }),
}

/** The same without what is in all of them: of groups. */
export function groupMeasures(probeClass: ProbeClass): readonly MeasureName[] {
  return MEASURES[probeClass].filter((name) => name !== 'parse')
}

/** The rate that says how a model does on the hard fixtures of a class. */
export const HARD_MEASURE: Readonly<Record<ProbeClass, MeasureName>> = {
  schema: 'right',
  grounding: DECIDING_RATES.grounding[0],
  caching: DECIDING_RATES.caching[0],
  image: DECIDING_RATES.image[0],
}

/** Counts a rate over the samples of one fixture, and what faults spoiled of it. */
export function countMeasure(name: MeasureName, samples: readonly Sample[]): SpoiledCounts {
  if (name !== 'right') return { ...countRate(name, samples), unscored: countSpoiled(name, samples) }
  return expectsValues(samples)
    ? { ...countRate('extraction', samples), unscored: countSpoiled('extraction', samples) }
    : { successes: 0, n: 0, unscored: 0 }
}

/** A fixture without expected values has no right answer; without a conformant answer it cannot be told, and counts. */
function expectsValues(samples: readonly Sample[]): boolean {
  const conformant = samples.filter((sample) => sample.scored && isConformant(sample))
  return conformant.length === 0 || conformant.some(({ valueAccuracy }) => valueAccuracy !== null)
}

/** What a model was really asked for, and what came of it: what its vendor's claim is held against. */
export interface Mechanism {
  /** What had to be asked for. */
  readonly what: string
  /** What is counted. */
  readonly measure: string
  /** Whether a scored sample can show anything of it. */
  readonly counts: (sample: Sample) => boolean
  /** Whether it asked for it. */
  readonly exercised: (sample: Sample) => boolean
  readonly succeeds: (sample: Sample) => boolean
}

/** An image is readable to whoever finds more than half of what is written on it: by guessing nobody does. */
const READABLE_SHARE = 0.5

export const MECHANISMS: Readonly<Record<ProbeClass, Mechanism>> = {
  schema: {
    what: 'the answer was served on the native rung',
    measure: 'answers that conform',
    counts: RATES.conform.counts,
    exercised: ({ rung }) => rung === 'native',
    succeeds: RATES.conform.succeeds,
  },
  grounding: {
    what: 'the request switched a search on',
    measure: 'answers with a citation that the provider attributes to a search',
    counts: RATES.grounded.counts,
    exercised: ({ searchRequested }) => searchRequested === true,
    succeeds: RATES.grounded.succeeds,
  },
  caching: {
    what: 'both calls were tied to one cache',
    measure: 'repeated calls that were served from cache',
    counts: RATES.cacheHit.counts,
    exercised: ({ cacheMarker }) => typeof cacheMarker === 'string',
    succeeds: RATES.cacheHit.succeeds,
  },
  image: {
    what: 'the image was sent',
    measure: 'answers with more than half of the values on the image',
    // JSON of another shape than the schema's was not compared: it may hold all that is on the image.
    counts: ({ parseOk, valueAccuracy }) => !parseOk || valueAccuracy !== null,
    exercised: ({ sentImages }) => (sentImages?.length ?? 0) > 0,
    succeeds: ({ valueAccuracy }) => (valueAccuracy ?? 0) > READABLE_SHARE,
  },
}

/** Where a sample stands, as far as it bears on what was asked for. */
export interface AskedIn extends Pick<UsedFile, 'askedRung'> {
  /** Whether the server was found to hold to schemas; null: nobody looked. */
  readonly canaryEnforced: boolean | null
}

/** Asking for schemas on the native rung: being refused, or ignored, is an answer, too. */
export const NATIVE_RUNG = {
  what: 'a schema was sent on the native rung, with it or as the canary of its run',
  // Whoever asks for JSON mode is given it.
  counts: ({ rung }: Sample, { askedRung }: AskedIn): boolean =>
    (rung === 'native' || rung === 'json_mode') && askedRung !== 'json_mode',
  exercised: ({ rung, rungFallback }: Sample, { canaryEnforced }: AskedIn): boolean =>
    rung === 'native' ||
    rungFallback === 'schema_rejected' ||
    (rungFallback === 'schema_not_enforced' && canaryEnforced === false),
  isServed: ({ rung }: Sample): boolean => rung === 'native',
} as const

/** The rate of such counts over fixtures. */
export function poolCounts(clusters: readonly Counts[]): PooledRate {
  return pooledRate(clusters.map((own) => ({ ...own, unscored: 0 })))
}
