import type { Static } from 'typebox'
import type { DiscrepancySchema } from './discrepancy-shape.ts'
import type {
  AdapterSchema,
  FileSchema,
  FixtureRowSchema,
  ProbedSchema,
  RefusedSchema,
  RegistryModelSchema,
  RegistrySchema,
  StandingClaimsSchema,
} from './registry-shape.ts'

export { REGISTRY_VERSION, type DiscrepancyKind } from './registry-words.ts'

/** The claims that stand: one of each kind. */
export type StandingClaims = Static<typeof StandingClaimsSchema>
/** What the adapter of a provider can ask for. */
export type AdapterMap = Static<typeof AdapterSchema>
/** A result file that is in the registry. */
export type UsedFile = Static<typeof FileSchema>
/** What was measured on one fixture. */
export type FixtureRow = Static<typeof FixtureRowSchema>
/** What was measured of a model in a class. */
export type Probed = Static<typeof ProbedSchema>
/** What does not fit together, with what shows it. */
export type Discrepancy = Static<typeof DiscrepancySchema>
/** All that is known of a model. */
export type RegistryModel = Static<typeof RegistryModelSchema>
/** A file that is not in the registry, or only in part. */
export type Refused = Static<typeof RefusedSchema>
/** What vendors declare beside what was measured. */
export type Registry = Static<typeof RegistrySchema>
