import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import type { Static } from 'typebox'
import { compileOwn } from '../grade/own-schema.ts'
import { ProbeError } from '../model/errors.ts'
import schema from '../../schemas/result.schema.json' with { type: 'json' }
import type { Finding } from './finding.ts'
import { quickCheckOf, type QuickCheck } from './quick-check.ts'
import type { ResultSchema } from './result-shape.ts'

export { FORMAT_VERSION, STOP_REASONS, type StopReason } from './format-words.ts'

/** A result file: one model, one class, one run. */
export type ResultFile = Static<typeof ResultSchema>

/** What it says beside its samples. */
export type ResultHead = Omit<ResultFile, 'raw'>

let compiled: ValidateFunction<ResultFile> | null = null

/** Where a value differs from the shape of a result file; empty when it does not. */
export function resultProblems(value: unknown, file: string): ProbeError[] {
  // Compiled when first needed: it takes a tenth of a second, which a run's first call need not wait for.
  compiled ??= compileOwn<ResultFile>(schema, { allErrors: true })
  const matches = compiled
  if (matches(value)) return []
  return (matches.errors ?? []).map(
    (error) => new ProbeError('RESULT_INVALID', textOf(error), { file, field: error.instancePath }),
  )
}

function textOf({ message = 'is not valid', params }: ErrorObject): string {
  const { additionalProperty: name } = params as { additionalProperty?: string }
  return name === undefined ? message : `${message}: ${name}`
}

let quick: QuickCheck | null = null

/**
 * The same for a value that was read from JSON, several times as fast where nothing is wrong: first it is only asked
 * whether there is. That takes a required field that is undefined for one that is there, as no JSON has it.
 */
export function readProblems(value: unknown, file: string): ProbeError[] {
  quick ??= quickCheckOf(schema)
  return quick.Check(value) ? [] : resultProblems(value, file)
}

const samplesSchema = schema.properties.raw.patternProperties['^.*$']
let compiledSamples: ValidateFunction | null = null
let quickSamples: QuickCheck | null = null

/**
 * The same for what stands in `raw` for one fixture.
 * @param path where that is.
 */
export function shapeProblemsOfSamples(value: unknown, path: string): Finding[] {
  quickSamples ??= quickCheckOf(samplesSchema)
  if (quickSamples.Check(value)) return []
  compiledSamples ??= compileOwn(samplesSchema, { allErrors: true })
  if (compiledSamples(value)) return []
  return (compiledSamples.errors ?? []).map((error) => ({ path: path + error.instancePath, message: textOf(error) }))
}
