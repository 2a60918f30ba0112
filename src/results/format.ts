import { createRequire } from 'node:module'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Static, TSchema } from 'typebox'
import { ProbeError } from '../model/errors.ts'
import schema from '../../schemas/result.schema.json' with { type: 'json' }
import type { ResultSchema } from './result-shape.ts'

export { FORMAT_VERSION, STOP_REASONS, type StopReason } from './format-words.ts'

/** A result file: one model, one class, one run. */
export type ResultFile = Static<typeof ResultSchema>

let compiled: ValidateFunction<ResultFile> | null = null

/** Where a value differs from the shape of a result file; empty when it does not. */
export function resultProblems(value: unknown, file: string): ProbeError[] {
  // Compiled when first needed: it takes a tenth of a second, which a run's first call need not wait for.
  compiled ??= new Ajv2020({ allErrors: true, strict: false }).compile<ResultFile>(schema)
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

let quick: { Check(value: unknown): boolean } | null = null

/**
 * The same for a value that was read from JSON, several times as fast where nothing is wrong: first it is only asked
 * whether there is. That takes a required field that is undefined for one that is there, as no JSON has it.
 */
export function readProblems(value: unknown, file: string): ProbeError[] {
  quick ??= quickCheck()
  return quick.Check(value) ? [] : resultProblems(value, file)
}

/** What it takes is hundreds of modules: who reads no file should not wait for them. */
function quickCheck(): { Check(value: unknown): boolean } {
  const { Compile } = createRequire(import.meta.url)('typebox/compile') as typeof import('typebox/compile')
  return Compile(schema as TSchema)
}
