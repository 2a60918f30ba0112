import { isRecord } from '../model/record.ts'
/** Something that a result file says and that is not so. */
export interface Finding {
  /** JSON Pointer into the file. */
  readonly path: string
  /** What is wrong, for people. */
  readonly message: string
  /** What the file says there; absent where it says nothing. */
  readonly recorded?: unknown
  /** What it should say; absent where that is nothing, or not known. */
  readonly actual?: unknown
}

/** What came of holding a file's numbers against its samples. */
export interface Verified<T> {
  /** The file; null where it has not the shape of one, and only that was looked at. */
  readonly result: T | null
  readonly findings: readonly Finding[]
}

/** Largest relative difference between two numbers that are still taken to be one: rounding, not a digit. */
export const TOLERANCE = 1e-9

/**
 * Every place in which a recorded value differs from the true one. A field that should not be there is one place, and
 * so is one that is missing.
 * @param path JSON Pointer of the value.
 * @param tolerance largest relative difference of numbers; 0: none.
 */
export function differences(recorded: unknown, actual: unknown, path: string, tolerance = TOLERANCE): Finding[] {
  // Almost always nothing is found, and no path has to be written.
  return agree(recorded, actual, tolerance) ? [] : named(recorded, actual, path, tolerance)
}

function named(recorded: unknown, actual: unknown, path: string, tolerance: number): Finding[] {
  if (Array.isArray(recorded) && Array.isArray(actual) && recorded.length === actual.length)
    return actual.flatMap((one, index) => differences(recorded[index], one, `${path}/${index}`, tolerance))
  if (isRecord(recorded) && isRecord(actual)) {
    const names = new Set([...Object.keys(actual), ...Object.keys(recorded)])
    return [...names].flatMap((name) =>
      differences(own(recorded, name), own(actual, name), pointer(path, name), tolerance),
    )
  }
  if (recorded === undefined) return [{ path, message: 'is missing', actual }]
  if (actual === undefined) return [{ path, message: 'follows from no sample', recorded }]
  return [{ path, message: 'does not follow from the samples', recorded, actual }]
}

/** Whether they are the same throughout; a key that holds undefined is as good as none. */
export function agree(recorded: unknown, actual: unknown, tolerance: number): boolean {
  if (Array.isArray(recorded) && Array.isArray(actual))
    return recorded.length === actual.length && actual.every((one, index) => agree(recorded[index], one, tolerance))
  if (isRecord(recorded) && isRecord(actual))
    return (
      Object.keys(actual).every((name) => agree(own(recorded, name), actual[name], tolerance)) &&
      Object.keys(recorded).every((name) => recorded[name] === undefined || Object.hasOwn(actual, name))
    )
  return isSame(recorded, actual, tolerance)
}

/** A JSON Pointer one step deeper. */
export function pointer(path: string, ...names: readonly (string | number)[]): string {
  const steps = names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`)
  return path + steps.join('')
}

/** Whether two numbers differ by no more than rounding. */
export function isClose(a: number, b: number, tolerance = TOLERANCE): boolean {
  return a === b || Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b))
}

/** The value of a key of the object itself: `constructor` may be the name of a group. */
function own(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function isSame(a: unknown, b: unknown, tolerance: number): boolean {
  return typeof a === 'number' && typeof b === 'number' ? isClose(a, b, tolerance) : a === b
}
