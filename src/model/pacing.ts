import type { Static } from 'typebox'
import type { PaceChangeSchema, PacingSchema } from './pacing-shape.ts'

export { MOST_PACE_CHANGES } from './pace-changes.ts'

/** One change of how many calls may be open at once, or one pause. */
export type PaceChange = Static<typeof PaceChangeSchema>

/** How one provider account is paced at this moment. */
export interface PaceNow {
  /** Most calls that may be open at once. */
  readonly limit: number
  /** Nothing new is started for so long, in milliseconds. */
  readonly pausedMs: number
}

/** How calls to one provider account were paced: all its models and classes together, since the session began. */
export type Pacing = Static<typeof PacingSchema>
