import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import Type from 'typebox'
import { CanarySchema } from '../model/canary.ts'
import type { CaseMeta } from '../model/case-meta.ts'
import { PROBE_CLASSES } from '../model/fixture.ts'
import { RUNGS } from './format.ts'
import { SampleSchema, type Sample } from '../model/sample.ts'

const Text = Type.String({ maxLength: 1000 })

const CaseMetaSchema = Type.Object({
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

let compiled: { readonly meta: ValidateFunction<CaseMeta>; readonly sample: ValidateFunction<Sample> } | null = null

/** Whether a value is the account of a case: its shape, and no sample twice. */
export function isCaseMeta(value: unknown): value is CaseMeta {
  if (!checks().meta(value)) return false
  return new Set(value.samples.map(({ index }) => index)).size === value.samples.length
}

/** Whether a value is a sample. */
export function isSample(value: unknown): value is Sample {
  return checks().sample(value)
}

function checks() {
  if (compiled === null) {
    const ajv = new Ajv2020({ strict: false })
    compiled = { meta: ajv.compile<CaseMeta>(CaseMetaSchema), sample: ajv.compile<Sample>(SampleSchema) }
  }
  return compiled
}
