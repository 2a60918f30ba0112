import { messageOf } from '../model/errors.ts'
import { isPlainObject } from './plain.ts'

/** An expectation that is not a literal. */
export type Matcher =
  | { readonly kind: 'oneOf'; readonly alternatives: readonly unknown[] }
  | { readonly kind: 'tolerance'; readonly value: number | bigint; readonly abs: number | bigint }
  | { readonly kind: 'pattern'; readonly pattern: RegExp }

/** An expectation as read: a literal, a matcher, or what is wrong with it. */
export type Expectation =
  | { readonly kind: 'literal'; readonly value: unknown }
  | Matcher
  | { readonly kind: 'invalid'; readonly problem: string }

const MATCHER_NAMES = ['$oneOf', '$tolerance', '$pattern']

/** The forms an expectation may take, for messages. */
export const ALLOWED_EXPECTATIONS = 'a literal, {"$oneOf": […]}, {"$tolerance": [value, abs]} or {"$pattern": "…"}'

/**
 * Tells literals from matchers. An object whose only key begins with `$`, or that mixes a matcher with other keys, is
 * a mistake rather than a literal: it would never match and blame the model.
 */
export function readExpectation(expected: unknown): Expectation {
  if (!isPlainObject(expected)) return readLiteral(expected)
  const keys = Object.keys(expected)
  const name = keys.find((key) => MATCHER_NAMES.includes(key))
  if (name !== undefined && keys.length > 1) return invalid(`${name} cannot stand beside other keys`)
  if (name === '$oneOf') return readOneOf(expected[name])
  if (name === '$tolerance') return readTolerance(expected[name])
  if (name === '$pattern') return readPattern(expected[name])
  const [only] = keys
  if (keys.length === 1 && only?.startsWith('$')) return invalid(`${only} is not a matcher`)
  return { kind: 'literal', value: expected }
}

/** First thing wrong with an expectation, nested ones included; null when there is nothing. */
export function expectationProblem(expected: unknown): string | null {
  const read = readExpectation(expected)
  if (read.kind === 'invalid') return read.problem
  const inner = read.kind === 'oneOf' ? read.alternatives : read.kind === 'literal' ? membersOf(read.value) : []
  for (const member of inner) {
    const problem = expectationProblem(member)
    if (problem !== null) return problem
  }
  return null
}

function membersOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return isPlainObject(value) ? Object.values(value) : []
}

function readLiteral(value: unknown): Expectation {
  if (value === null || Array.isArray(value)) return { kind: 'literal', value }
  if (typeof value === 'number' && !Number.isFinite(value)) return invalid(`${value} is not a JSON number`)
  if (['string', 'boolean', 'number', 'bigint'].includes(typeof value)) return { kind: 'literal', value }
  return invalid(`${typeof value === 'object' ? 'such an object' : typeof value} is not a JSON value`)
}

function readOneOf(list: unknown): Expectation {
  if (!Array.isArray(list) || list.length === 0) return invalid('$oneOf takes a list of at least one alternative')
  return { kind: 'oneOf', alternatives: list }
}

function readTolerance(pair: unknown): Expectation {
  const [value, abs] = Array.isArray(pair) && pair.length === 2 ? pair : []
  if (!isNumeric(value) || !isNumeric(abs) || abs < 0) {
    return invalid('$tolerance takes [value, abs], two numbers, the second not negative')
  }
  return { kind: 'tolerance', value, abs }
}

function readPattern(source: unknown): Expectation {
  if (typeof source !== 'string') return invalid('$pattern takes a string')
  try {
    return { kind: 'pattern', pattern: new RegExp(source, 'u') }
  } catch (error) {
    return invalid(`$pattern: ${messageOf(error)}`)
  }
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))
}

function invalid(problem: string): Expectation {
  return { kind: 'invalid', problem }
}
