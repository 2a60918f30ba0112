import { ProbeError } from '../model/errors.ts'

/** Keys and indexes from the root of an answer to one place in it. */
export type PathSteps = readonly string[]

/** What stands at a path. A value that is null is found; a missing one is not. */
export type LookUp = { readonly found: true; readonly value: unknown } | { readonly found: false }

const INDEX = /^(?:0|[1-9]\d*)$/

/**
 * Splits a path of `expectedValues`: a JSON Pointer (RFC 6901) when it begins with `/`, else dots
 * (`items.0.qty`). A key that holds a dot can be reached by the pointer only.
 * @throws ProbeError `FIXTURE_INVALID` when the path is malformed.
 */
export function parsePath(path: string): PathSteps {
  const problem = path.startsWith('/') ? pointerProblem(path) : dotsProblem(path)
  if (problem !== null) {
    throw new ProbeError('FIXTURE_INVALID', `"${path}" is not a path: ${problem}`, {
      field: `expectedValues.${path}`,
      allowed: 'dots with numeric indexes (items.0.qty), or a JSON Pointer (/items/0/qty)',
    })
  }
  if (!path.startsWith('/')) return path.split('.')
  return path
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function pointerProblem(path: string): string | null {
  return /~(?![01])/.test(path) ? 'a tilde is written ~0' : null
}

function dotsProblem(path: string): string | null {
  const steps = path.split('.')
  if (steps.includes('')) return 'a step is empty'
  if (steps.some((step) => /\[\d*\]/.test(step))) return 'an index is written as a step of its own, without brackets'
  return null
}

/** Follows a path. Only own properties and array elements count; strings are not looked into. */
export function lookUp(root: unknown, path: string | PathSteps): LookUp {
  const steps = typeof path === 'string' ? parsePath(path) : path
  let value = root
  for (const step of steps) {
    if (typeof value !== 'object' || value === null) return { found: false }
    if (Array.isArray(value) && !INDEX.test(step)) return { found: false }
    if (!Object.hasOwn(value, step)) return { found: false }
    value = (value as Readonly<Record<string, unknown>>)[step]
  }
  return { found: true, value }
}
