import Type from 'typebox'
import type { Interval } from './wilson.ts'

const Share = Type.Number({ minimum: 0, maximum: 1 })

/** Shape of an interval. Written as an array, since the `items` list of a tuple is not JSON Schema 2020-12. */
export const IntervalSchema = Type.Unsafe<Interval>(Type.Array(Share, { minItems: 2, maxItems: 2 }))

/** Shape of a rate as it stands in a result file. */
export const RateSchema = Type.Object(
  {
    successes: Type.Integer({ minimum: 0 }),
    n: Type.Integer({ minimum: 0, description: 'Samples that the rate is over.' }),
    rate: Type.Union([Share, Type.Null()], { description: 'Null when n is 0.' }),
    ci95: Type.Union([IntervalSchema, Type.Null()], { description: 'Wilson score interval; null when n is 0.' }),
    bounds: Type.Optional(
      Type.Unsafe<Interval>({
        ...IntervalSchema,
        description: 'The rate if all samples that faults spoiled had failed, and had passed; absent without such.',
      }),
    ),
  },
  { additionalProperties: false },
)
