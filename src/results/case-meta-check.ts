import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { CaseMeta } from '../model/case-meta.ts'
import type { Sample } from '../model/sample.ts'
import schema from './case-meta.schema.json' with { type: 'json' }

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
    compiled = { meta: ajv.compile<CaseMeta>(schema), sample: ajv.compile<Sample>(schema.properties.samples.items) }
  }
  return compiled
}
