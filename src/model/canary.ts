import type { Static } from 'typebox'
import type { CanarySchema } from './canary-shape.ts'

/** The one call that shows whether a server enforces the schemas it takes, as stored in result files. */
export type Canary = Static<typeof CanarySchema>
