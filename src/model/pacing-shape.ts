import Type from 'typebox'
import { MOST_PACE_CHANGES } from './pace-changes.ts'

const Limit = Type.Integer({ minimum: 1 })

/** One change of how many calls may be open at once, or one pause. */
export const PaceChangeSchema = Type.Object(
  {
    at: Type.String({ description: 'UTC, ISO 8601; of steps in a row that are told as one, the first.' }),
    reason: Type.Enum(['start', 'clean', 'rate_limited', 'exhausted'], {
      description: 'Clean answers, refusals that piled up, or headers that said that nothing of a limit was left.',
    }),
    limit: Type.Integer({ minimum: 1, description: 'Most calls open at once from then on.' }),
    from: Type.Optional(Limit),
    pausedMs: Type.Optional(
      Type.Number({ minimum: 0, description: 'Nothing new was started for so long. Absent: there was no pause.' }),
    ),
  },
  { additionalProperties: false },
)

/** How calls to one provider account were paced: all its models and classes together, since the session began. */
export const PacingSchema = Type.Object(
  {
    bound: Type.Integer({ minimum: 1, description: 'Most calls that might have been open at once.' }),
    clean: Type.Integer({ minimum: 0, description: 'Attempts that were answered.' }),
    rateLimited: Type.Integer({ minimum: 0, description: 'Attempts that were refused as too many.' }),
    strained: Type.Integer({ minimum: 0, description: 'Attempts that met a provider, or a line, in trouble.' }),
    changes: Type.Array(PaceChangeSchema, { maxItems: MOST_PACE_CHANGES }),
    unlisted: Type.Integer({ minimum: 0, description: 'Changes beyond those.' }),
  },
  { additionalProperties: false },
)
