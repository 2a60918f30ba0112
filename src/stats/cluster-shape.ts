import Type from 'typebox'
import { IntervalSchema } from './rate-shape.ts'

/** Shape of a cluster-aware interval as it stands in a result file. */
export const ClusteredIntervalSchema = Type.Object(
  {
    clusters: Type.Integer({ minimum: 1, description: 'Fixtures with at least one sample in the rate.' }),
    designEffect: Type.Number({
      minimum: 1,
      maximum: Number.MAX_VALUE,
      description: 'Variance of the rate over what independent samples would have.',
    }),
    effectiveN: Type.Number({
      exclusiveMinimum: 0,
      maximum: Number.MAX_VALUE,
      description: 'Independent samples that would tell as much.',
    }),
    ci95: IntervalSchema,
  },
  { additionalProperties: false },
)
