import { readExpectation } from './matcher.ts'
import { isPlainObject } from './plain.ts'

/** Float noise between two numbers that mean the same, relative to the larger. */
const RELATIVE_NOISE = 1e-9

/** Says of an answer's value whether it meets an expectation. */
export type Matches = (actual: unknown) => boolean

const never: Matches = () => false

/**
 * What an expectation asks of an answer's value, read once for all answers.
 *
 * Literals: numbers within 1e-9 relative, whole numbers exactly, integers beyond 2^53 by their digits, never a
 * numeric string; strings in NFC, trimmed, inner white space collapsed, letter case and citation marks ignored;
 * booleans and null exactly; arrays in order and objects with the same keys, member by member by the same rules.
 * Matchers: `$oneOf` any alternative; `$tolerance` a number within an absolute distance; `$pattern` a string in which
 * the regular expression (flag `u`, not anchored, letter case as written) finds something, the string being in NFC,
 * trimmed, and without citation marks. What is no expectation is never met.
 */
export function matcherOf(expected: unknown): Matches {
  const read = readExpectation(expected)
  switch (read.kind) {
    case 'literal':
      return literal(read.value)
    case 'oneOf':
      return oneOf(read.alternatives.map(matcherOf))
    case 'tolerance':
      return (actual) => isNumeric(actual) && withinTolerance(read.value, read.abs, actual)
    case 'pattern':
      return (actual) => typeof actual === 'string' && read.pattern.test(cleanText(actual).trim())
    case 'invalid':
      return never
  }
}

function oneOf(alternatives: readonly Matches[]): Matches {
  return (actual) => alternatives.some((matches) => matches(actual))
}

function literal(expected: unknown): Matches {
  if (isNumeric(expected)) return (actual) => isNumeric(actual) && sameNumber(expected, actual)
  if (typeof expected === 'string') return sameText(expected)
  if (Array.isArray(expected)) return sameList(expected.map(matcherOf))
  if (isPlainObject(expected)) return sameObject(expected)
  return (actual) => actual === expected
}

function sameText(expected: string): Matches {
  const folded = foldText(expected)
  return (actual) => typeof actual === 'string' && (actual === expected || foldText(actual) === folded)
}

function sameList(members: readonly Matches[]): Matches {
  return (actual) =>
    Array.isArray(actual) &&
    actual.length === members.length &&
    members.every((matches, index) => matches(actual[index]))
}

function sameObject(expected: Readonly<Record<string, unknown>>): Matches {
  const members = Object.entries(expected).map(([key, value]) => [key, matcherOf(value)] as const)
  return (actual) =>
    isPlainObject(actual) &&
    Object.keys(actual).length === members.length &&
    members.every(([key, matches]) => Object.hasOwn(actual, key) && matches(actual[key]))
}

function sameNumber(expected: number | bigint, actual: number | bigint): boolean {
  if (typeof expected === 'bigint') {
    return expected === (typeof actual === 'bigint' ? actual : digitsOf(actual))
  }
  // The expectation was given as a double, which has no further digits: the answer must round to the same one.
  if (typeof actual === 'bigint') return Number(actual) === expected
  // There is no noise between whole numbers: a telephone number that is off by one is another number.
  if (Number.isSafeInteger(expected) && Number.isSafeInteger(actual)) return expected === actual
  return Math.abs(expected - actual) <= RELATIVE_NOISE * Math.max(Math.abs(expected), Math.abs(actual))
}

/** The integer that the shortest decimal form of a double shows; null for a fraction. */
function digitsOf(value: number): bigint | null {
  if (!Number.isInteger(value)) return null
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length)
}

function withinTolerance(value: number | bigint, abs: number | bigint, actual: number | bigint): boolean {
  if (isWhole(value) && isWhole(abs) && isWhole(actual)) {
    const distance = BigInt(actual) - BigInt(value)
    return (distance < 0n ? -distance : distance) <= BigInt(abs)
  }
  const [centre, bound, given] = [Number(value), Number(abs), Number(actual)]
  // 0.4 lies within 0.1 of 0.3, although the double 0.4 - 0.3 is a little more than 0.1.
  const rounding = 4 * Number.EPSILON * Math.max(Math.abs(centre), Math.abs(given))
  return Math.abs(given - centre) <= bound + rounding
}

function isWhole(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value)
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

const CITATION_SPAN = /\uE200[^\uE200\uE201]*\uE201/g
const CITATION_MARK = /[\uE200-\uE202]/g

/** Providers put citation marks inside the strings of structured answers; they are not part of the value. */
function cleanText(text: string): string {
  return text.normalize('NFC').replace(CITATION_SPAN, '').replace(CITATION_MARK, '')
}

function foldText(text: string): string {
  const folded = cleanText(text).trim().replace(/\s+/g, ' ').toLowerCase()
  // A capital sigma lower-cases by its place in the word, so both small sigmas count as one.
  return folded.replaceAll('ς', 'σ')
}
