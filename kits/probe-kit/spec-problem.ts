import { ProbeError, SetupError } from '../../src/model/errors.ts'

/** A mistake in a form specification: which file, which field (`sections.2.fields.0.value`), what. */
export function specProblem(file: string, field: string, message: string, fix?: string): ProbeError {
  const place = field === '' ? { file } : { file, field }
  return new ProbeError('FIXTURE_INVALID', message, fix === undefined ? place : { ...place, fix })
}

/** Stops with every mistake found; the message names file and field of each. */
export function failSpec(problems: readonly ProbeError[]): never {
  throw new SetupError(problems)
}
