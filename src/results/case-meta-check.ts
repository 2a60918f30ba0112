import type { ValidateFunction } from 'ajv/dist/2020.js'
import { compileOwn } from '../grade/own-schema.ts'
import type { CaseMeta } from '../model/case-meta.ts'
import type { Sample } from '../model/sample.ts'
import schema from './case-meta.schema.json' with { type: 'json' }

let compiled: { readonly meta: ValidateFunction<CaseMeta>; readonly sample: ValidateFunction<Sample> } | null = null

/** Samples alone take as long to compile as all the rest, and are looked at alone anyway. */
const WITHOUT_SAMPLES = { ...schema, properties: { ...schema.properties, samples: { type: 'array' } } }

/** Whether a value is the account of a case: its shape, and no sample twice. */
export function isCaseMeta(value: unknown): value is CaseMeta {
  if (!checks().meta(value) || !value.samples.every(isSample)) return false
  return new Set(value.samples.map(({ index }) => index)).size === value.samples.length
}

/** Whether a value is a sample. */
export function isSample(value: unknown): value is Sample {
  return checks().sample(value)
}

function checks() {
  compiled ??= {
    meta: compileOwn<CaseMeta>(WITHOUT_SAMPLES),
    sample: compileOwn<Sample>(schema.properties.samples.items),
  }
  return compiled
}
