import Type from 'typebox'
import { PROBE_CLASSES } from '../model/probe-class.ts'

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()])
const Count = Type.Integer({ minimum: 0 })
const Share = Type.Number({ minimum: 0, maximum: 1 })
const Usd = Type.Number({ minimum: 0 })
/** Names have no line breaks: what stands at one that has would not be looked at. */
const perFixture = <T extends Parameters<typeof Type.Record>[1]>(type: T) =>
  Type.Record(Type.String(), type, { additionalProperties: false })

/** Shape of a sample of a file without `formatVersion`. */
export const OldSampleSchema = Type.Object({
  parseOk: Type.Boolean(),
  schemaConform: orNull(Type.Boolean()),
  valueAccuracy: orNull(Share),
  grounded: orNull(Type.Boolean()),
  citationCount: orNull(Count),
  cachedTokens: orNull(Count),
  tokensIn: orNull(Count),
  tokensOut: orNull(Count),
  costUsd: orNull(Usd),
  latencyMs: orNull(Usd),
  failureClass: orNull(Type.String()),
})

const OldRow = Type.Object({
  fixtureId: Type.String(),
  samples: Count,
  parseRate: orNull(Share),
  conformRate: orNull(Share),
  valueAccuracyMean: orNull(Share),
  conformCi95: orNull(Type.Array(Share, { minItems: 2, maxItems: 2 })),
  meanCostUsd: orNull(Usd),
})

/** Shape of a file as ModelRig publishes them. */
export const OldResultSchema = Type.Object({
  modelKey: Type.String({ pattern: '^[a-z0-9][a-z0-9-]*/.+$' }),
  class: Type.Enum([...PROBE_CLASSES]),
  date: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' }),
  harnessVersion: Type.String(),
  fixtureHashes: perFixture(Type.String({ pattern: '^[0-9a-f]{16}$' })),
  fixtureFamilies: Type.Optional(perFixture(Type.String())),
  fixtureDifficulties: Type.Optional(perFixture(Type.String())),
  fixtureSubtypes: Type.Optional(perFixture(Type.String())),
  stats: Type.Array(OldRow),
  totalCostUsd: Usd,
  raw: perFixture(Type.Array(OldSampleSchema)),
})
