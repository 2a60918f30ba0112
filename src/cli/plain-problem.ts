import type { ErrorDetail, ProbeError } from '../model/errors.ts'

/** A problem for machines. */
export function plainProblem(problem: ProbeError): Omit<ErrorDetail, 'cause'> & { code: string; message: string } {
  const { code, message, file, field, allowed, fix } = problem
  return {
    code,
    message,
    ...(file !== undefined && { file }),
    ...(field !== undefined && { field }),
    ...(allowed !== undefined && { allowed }),
    ...(fix !== undefined && { fix }),
  }
}
