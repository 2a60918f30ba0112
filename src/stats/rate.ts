import Type, { type Static } from 'typebox'
import { unscoredBounds } from './bounds.ts'
import { wilson, type Interval } from './wilson.ts'

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

/** A rate with what it is over and how far it can be trusted. */
export type Rate = Static<typeof RateSchema>

/**
 * The rate of successes with its 95 % Wilson interval; rate and interval are null when n is 0.
 * @param unscored samples that faults spoiled: with any, the rate has {@link unscoredBounds}.
 * @throws RangeError unless all are whole numbers with 0 <= successes <= n and 0 <= unscored.
 */
export function rateOf(successes: number, n: number, unscored: number = 0): Rate {
  const ci95 = wilson(successes, n)
  const rate = { successes, n, rate: n === 0 ? null : successes / n, ci95 }
  const bounds = unscored === 0 ? null : unscoredBounds({ successes, n }, unscored)
  return bounds === null ? rate : { ...rate, bounds }
}
