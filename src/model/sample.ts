import type { Static } from 'typebox'
import type { CitationSchema, MismatchSchema, SampleSchema, ViolationSchema, WrappingSchema } from './sample-shape.ts'

export { CACHE_MARKERS, type CacheMarker } from './cache-marker.ts'
export * from './failure.ts'
export { CHECK_NAME, MOST_SAMPLES } from './sample-limits.ts'

/** What stood around the JSON of a reply. */
export type Wrapping = Static<typeof WrappingSchema>
/** Where and how an answer does not conform. */
export type Violation = Static<typeof ViolationSchema>
/** An expected value that the answer does not have. */
export type Mismatch = Static<typeof MismatchSchema>
/** An address that an answer names. */
export type Citation = Static<typeof CitationSchema>
/** One measured attempt at one fixture by one model, as stored in `raw`. */
export type Sample = Static<typeof SampleSchema>
