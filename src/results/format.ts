import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import type { Static } from 'typebox'
import { compileOwn } from '../grade/own-schema.ts'
import { ProbeError } from '../model/errors.ts'
import { isRecord } from '../model/record.ts'
import schema from '../../schemas/result.schema.json' with { type: 'json' }
import { pointer, type Finding } from './finding.ts'
import type { ResultSchema } from './result-shape.ts'

export { FORMAT_VERSION, STOP_REASONS, type StopReason } from './format-words.ts'

/** A result file: one model, one class, one run. */
export type ResultFile = Static<typeof ResultSchema>

/** What it says beside its samples. */
export type ResultHead = Omit<ResultFile, 'raw'>

const { raw: rawShape, ...headShapes } = schema.properties

/** All but the samples. */
const headMatcher = whenNeeded({ ...schema, properties: { ...headShapes, raw: { type: 'object' } } })
/** The samples of one fixture. */
const samplesMatcher = whenNeeded(rawShape.patternProperties['^.*$'])

/** Compiles a shape when it is first needed: a run's first call need not wait, and a thread needs but one of them. */
function whenNeeded(shape: object): () => ValidateFunction {
  let compiled: ValidateFunction | null = null
  return () => (compiled ??= compileOwn(shape, { allErrors: true }))
}

/** Where a value differs from the shape of a result file; empty when it does not. */
export function resultProblems(value: unknown, file: string): ProbeError[] {
  return shapeProblems(value).map(
    ({ path, message }) => new ProbeError('RESULT_INVALID', message, { file, field: path }),
  )
}

function shapeProblems(value: unknown): Finding[] {
  const { raw } = (value ?? {}) as { readonly raw?: unknown }
  const samples = isRecord(raw) ? Object.entries(raw) : []
  return [
    ...problemsOf(headMatcher(), value, ''),
    ...samples.flatMap(([id, own]) => shapeProblemsOfSamples(own, pointer('/raw', id))),
  ]
}

/** The same of a file without its samples. */
export function shapeProblemsOfHead(head: unknown): Finding[] {
  return problemsOf(headMatcher(), head, '')
}

/**
 * The same of what stands in `raw` for one fixture.
 * @param path where that is.
 */
export function shapeProblemsOfSamples(value: unknown, path: string): Finding[] {
  return problemsOf(samplesMatcher(), value, path)
}

function problemsOf(matches: ValidateFunction, value: unknown, path: string): Finding[] {
  if (matches(value)) return []
  return (matches.errors ?? []).map((error) => ({ path: path + error.instancePath, message: textOf(error) }))
}

function textOf({ message = 'is not valid', params }: ErrorObject): string {
  const { additionalProperty: name } = params as { additionalProperty?: string }
  return name === undefined ? message : `${message}: ${name}`
}
