import Type, { type TOptional, type TSchema } from 'typebox'
import { CHECK_NAME } from '../model/sample-limits.ts'
import { Amount } from '../model/sample-shape.ts'
import { ClusteredIntervalSchema } from './cluster-shape.ts'
import { IntervalSchema, RateSchema } from './rate-shape.ts'
import { RATES, type RateName } from './rate-table.ts'

const orNull = <T extends TSchema>(type: T, description: string) => Type.Union([type, Type.Null()], { description })
const Count = Type.Integer({ minimum: 0 })
const Share = Type.Number({ minimum: 0, maximum: 1 })

const Latency = Type.Object({ p50: Amount, p90: Amount, max: Amount }, { additionalProperties: false })

/** Shape of a rate over several fixtures: `cluster` is null when no sample is in it. */
export const PooledRateSchema = Type.Object(
  { ...RateSchema.properties, cluster: Type.Union([ClusteredIntervalSchema, Type.Null()]) },
  { additionalProperties: false },
)

const FLAT_FIELDS = {
  samples: Type.Integer({ minimum: 0, description: 'All samples in raw.' }),
  scored: Count,
  unscored: Type.Integer({ minimum: 0, description: 'Samples that a fault spoiled; they are in no rate.' }),
  parseRate: orNull(Share, 'Rate of parse.'),
  conformRate: orNull(Share, 'Rate of conform; null without a schema.'),
  conformCi95: orNull(IntervalSchema, '95 % Wilson interval of conform.'),
  valueAccuracyMean: orNull(Share, 'Mean share of expected values matched, over conformant samples that have any.'),
  cachedShareMean: Type.Optional(
    orNull(Share, 'Mean share of the input that repeated calls read from cache, over scored samples; caching alone.'),
  ),
  meanCostUsd: orNull(Amount, 'US dollars per sample, over all samples; unknown cost counts at its bound.'),
  meanLatencyMs: orNull(Amount, 'Milliseconds, over scored samples.'),
  latencyMs: orNull(Latency, 'Milliseconds, over scored samples.'),
}

type RateFields<T extends TSchema> = { [Name in RateName]: TOptional<T> }

function rateFields<T extends TSchema>(type: T): RateFields<T> {
  return Object.fromEntries(Object.keys(RATES).map((name) => [name, Type.Optional(type)])) as RateFields<T>
}

/** Rates of custom checks, by name. */
function checkRates<T extends TSchema>(type: T) {
  return Type.Optional(
    Type.Record(Type.String({ pattern: CHECK_NAME }), type, {
      additionalProperties: false,
      description: 'Custom checks, over the scored samples on which they gave a verdict; absent where there are none.',
    }),
  )
}

/** Shape of the statistics of one fixture. Rates that do not apply to the class are absent. */
export const StatsBlockSchema = Type.Object(
  { ...FLAT_FIELDS, ...rateFields(RateSchema), checks: checkRates(RateSchema) },
  { additionalProperties: false },
)

/** Shape of the statistics of several fixtures together. */
export const PooledBlockSchema = Type.Object(
  {
    fixtures: Type.Integer({ minimum: 0, description: 'Fixtures in the pool.' }),
    ...FLAT_FIELDS,
    ...rateFields(PooledRateSchema),
    checks: checkRates(PooledRateSchema),
  },
  { additionalProperties: false },
)
