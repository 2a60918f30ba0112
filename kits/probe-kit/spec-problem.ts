import { ProbeError, SetupError, type ErrorDetail } from '../../src/model/errors.ts'

/** What would have been accepted, and what to do. */
export type SpecDetail = Pick<ErrorDetail, 'allowed' | 'fix'>

/** A mistake in a form specification: which file, which field (`sections.2.fields.0.value`), what. */
export function specProblem(file: string, field: string, message: string, detail: SpecDetail = {}): ProbeError {
  const place = field === '' ? { file } : { file, field }
  return new ProbeError('FIXTURE_INVALID', message, { ...place, ...detail })
}

/** Stops with every mistake found; the message names file and field of each. */
export function failSpec(problems: readonly ProbeError[]): never {
  throw new SetupError(problems)
}
