import { ProbeError } from '../model/errors.ts'
import type { Mismatch } from '../model/sample.ts'
import { matcherOf, type Matches } from './match.ts'
import { ALLOWED_EXPECTATIONS, expectationProblem } from './matcher.ts'
import { lookUp, parsePath, type PathSteps } from './path.ts'
import { toPlainJson } from './plain.ts'

export { lookUp, parsePath } from './path.ts'

/** How an answer compares with what was expected. */
export interface ValueComparison {
  /** Share of expected values matched, 0 to 1; null when none were expected. */
  readonly accuracy: number | null
  /** In the order of the expectations; plain JSON, integers beyond 2^53 as strings of digits. */
  readonly mismatches: Mismatch[]
  readonly matched: number
  readonly total: number
}

/**
 * Compares an answer with the expected values of a fixture, path by path.
 * Pass the `exact` tree of a parsed reply, and expectations read the same way, or integers beyond 2^53 lose digits.
 * A missing path never matches, not even null.
 * @throws ProbeError `FIXTURE_INVALID` when a path or an expectation is malformed.
 */
export function compareValues(expectedValues: Readonly<Record<string, unknown>>, exact: unknown): ValueComparison {
  const mismatches: Mismatch[] = []
  const entries = expectationsOf(expectedValues)
  for (const { path, steps, expected, matches } of entries) {
    const place = lookUp(exact, steps)
    if (place.found && matches(place.value)) continue
    const shown = { path, expected: toPlainJson(expected) }
    mismatches.push(place.found ? { ...shown, actual: toPlainJson(place.value) } : shown)
  }
  const total = entries.length
  const matched = total - mismatches.length
  return { accuracy: total === 0 ? null : matched / total, mismatches, matched, total }
}

interface ReadExpected {
  readonly path: string
  readonly steps: PathSteps
  readonly expected: unknown
  readonly matches: Matches
}

/** A fixture's expectations are read once, however many answers they are held against. */
const readBefore = new WeakMap<object, readonly ReadExpected[]>()

function expectationsOf(expectedValues: Readonly<Record<string, unknown>>): readonly ReadExpected[] {
  let read = readBefore.get(expectedValues)
  if (read === undefined) {
    read = Object.entries(expectedValues).map(([path, expected]) => {
      checkExpected(path, expected)
      return { path, steps: parsePath(path), expected, matches: matcherOf(expected) }
    })
    readBefore.set(expectedValues, read)
  }
  return read
}

/**
 * Everything wrong with the expected values of a fixture: malformed paths, unknown or malformed matchers, values
 * that JSON does not have. Empty when they can be compared.
 */
export function expectedValuesProblems(expectedValues: Readonly<Record<string, unknown>>): ProbeError[] {
  return Object.entries(expectedValues).flatMap(([path, expected]) => {
    try {
      checkExpected(path, expected)
      return []
    } catch (error) {
      if (error instanceof ProbeError) return [error]
      throw error
    }
  })
}

function checkExpected(path: string, expected: unknown): void {
  parsePath(path)
  const problem = expectationProblem(expected)
  if (problem === null) return
  throw new ProbeError('FIXTURE_INVALID', problem, { field: `expectedValues.${path}`, allowed: ALLOWED_EXPECTATIONS })
}
