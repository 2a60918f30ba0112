import type { Static } from 'typebox'
import { ProbeError } from '../model/errors.ts'
import { isRecord } from '../model/record.ts'
import schema from '../../schemas/result.schema.json' with { type: 'json' }
import { pointer, type Finding } from './finding.ts'
import type { ResultSchema } from './result-shape.ts'
import { Shape } from './shape.ts'

export { FORMAT_VERSION, STOP_REASONS, type StopReason } from './format-words.ts'

/** A result file: one model, one class, one run. */
export type ResultFile = Static<typeof ResultSchema>

/** What it says beside its samples. */
export type ResultHead = Omit<ResultFile, 'raw'>

const { raw: rawShape, ...headShapes } = schema.properties

const samplesShape = rawShape.patternProperties['^.*$']

const OBJECT = { type: 'object' }
const HEAD = new Shape({ ...schema, properties: { ...headShapes, raw: OBJECT } })

/** What follows from the samples, as far as counting it again takes it to be as it should. */
const TO_BE_COUNTED = {
  stats: {
    type: 'array',
    items: { type: 'object', properties: { fixtureId: { type: 'string' } }, required: ['fixtureId'] },
  },
  overall: OBJECT,
  by_family: OBJECT,
  by_difficulty: OBJECT,
  by_domain: OBJECT,
  by_subtype: OBJECT,
}
const OUTLINE = new Shape({ ...schema, properties: { ...headShapes, ...TO_BE_COUNTED, raw: OBJECT } })

/** Of one fixture. */
const SAMPLES = new Shape(samplesShape)
const SAMPLE = new Shape(samplesShape.items)

/** Problems of samples after which those of further ones are not told: of a file that is none, the first say enough. */
export const MOST_PROBLEMS = 1000

/** Where a value differs from the shape of a result file; empty when it does not. */
export function resultProblems(value: unknown, file: string): ProbeError[] {
  return shapeProblems(value).map(
    ({ path, message }) => new ProbeError('RESULT_INVALID', message, { file, field: path }),
  )
}

function shapeProblems(value: unknown): Finding[] {
  const { raw } = (value ?? {}) as { readonly raw?: unknown }
  const found = HEAD.problems(value, '')
  for (const [id, samples] of isRecord(raw) ? Object.entries(raw) : []) {
    if (found.length > MOST_PROBLEMS) break
    found.push(...shapeProblemsOfSamples(samples, pointer('/raw', id)))
  }
  return found
}

/** The same of a file without its samples. */
export function shapeProblemsOfHead(head: unknown): Finding[] {
  return HEAD.problems(head, '')
}

/**
 * Whether a file without its samples has the shape of one but for what follows from the samples. That is counted again, and
 * what is as it was counted has its shape.
 */
export function hasOutline(head: unknown): boolean {
  return OUTLINE.fits(head)
}

/**
 * The same of what stands in `raw` for one fixture.
 * @param path where that is.
 */
export function shapeProblemsOfSamples(value: unknown, path: string): Finding[] {
  if (SAMPLES.fits(value)) return []
  if (!Array.isArray(value)) return SAMPLES.problems(value, path)
  const found: Finding[] = []
  for (const [position, sample] of value.entries()) {
    if (found.length > MOST_PROBLEMS) break
    found.push(...SAMPLE.problems(sample, pointer(path, position)))
  }
  return found.length > 0 ? found : SAMPLES.problems(value, path)
}
