import Type from 'typebox'
import { CanarySchema } from '../model/canary-shape.ts'
import { PROBE_CLASSES } from '../model/probe-class.ts'
import { SampleSchema } from '../model/sample-shape.ts'
import { RUNGS } from './format-words.ts'

const Text = Type.String({ maxLength: 1000 })

/** Shape of the account of a case, as it comes from a worker. */
export const CaseMetaSchema = Type.Object({
  modelKey: Type.String({ pattern: '^[a-z0-9][a-z0-9-]*/.+$', maxLength: 200 }),
  probeClass: Type.Enum([...PROBE_CLASSES]),
  fixtureId: Text,
  fixtureHash: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  family: Text,
  difficulty: Type.Enum(['standard', 'hard']),
  domain: Text,
  subtype: Type.Union([Text, Type.Null()]),
  hasSchema: Type.Boolean(),
  samplesWanted: Type.Integer({ minimum: 1 }),
  samplesDue: Type.Integer({ minimum: 0 }),
  until: Type.Union([Type.Number({ minimum: 0, maximum: 0.5 }), Type.Null()]),
  shard: Type.Union([Type.String({ pattern: '^\\d+/\\d+$' }), Type.Null()]),
  rung: Type.Union([Type.Enum([...RUNGS]), Type.Null()]),
  maxOutputTokens: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  thresholds: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 })),
  samples: Type.Array(SampleSchema),
  canary: Type.Union([CanarySchema, Type.Null()]),
  facts: Type.Union([Type.Object({ priceSource: Text, simulated: Type.Boolean() }), Type.Null()]),
  refusal: Type.Union([Type.Object({ code: Text, message: Type.String() }), Type.Null()]),
})
