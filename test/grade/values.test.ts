import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseReply } from '../../src/grade/parse.ts'
import { compareValues, expectedValuesProblems, lookUp, parsePath } from '../../src/grade/values.ts'
import type { Mismatch } from '../../src/model/sample.ts'
import { readCases } from './read-cases.ts'

interface ValuesCase {
  readonly name: string
  /** JSON texts, since digits count. */
  readonly expected: string
  readonly answer: string
  readonly matched?: number
  readonly mismatches?: readonly Mismatch[] | null
  /** Field of the error that refuses the expectations. */
  readonly invalid?: string
}

const rows = readCases<ValuesCase>('values')

describe('compareValues', () => {
  test.each(rows.filter(([, row]) => row.invalid === undefined))('%s', (_name, row) => {
    const expected = exact(row.expected) as Record<string, unknown>
    const total = Object.keys(expected).length
    const result = compareValues(expected, exact(row.answer))
    expect(result).toMatchObject({ matched: row.matched, total })
    expect(result.accuracy).toBe(total === 0 ? null : (row.matched ?? NaN) / total)
    expect(result.mismatches).toHaveLength(total - (row.matched ?? NaN))
    if (row.mismatches) expect(result.mismatches).toStrictEqual(row.mismatches)
    expect(expectedValuesProblems(expected)).toEqual([])
  })

  test.each(rows.filter(([, row]) => row.invalid !== undefined))('%s', (_name, row) => {
    const expected = exact(row.expected) as Record<string, unknown>
    const problem = expect.objectContaining({ code: 'FIXTURE_INVALID', field: row.invalid })
    expect(() => compareValues(expected, exact(row.answer))).toThrow(problem)
    expect(expectedValuesProblems(expected)).toEqual([problem])
  })

  test('expectations written in code: bigint, and values that JSON does not have', () => {
    expect(
      compareValues({ id: 12345678901234567890n, n: 5n }, exact('{"id":12345678901234567890,"n":5}')).matched,
    ).toBe(2)
    expect(compareValues({ id: 9007199254740993n }, { id: 9007199254740992n }).matched).toBe(0)
    expect(expectedValuesProblems({ a: NaN, b: undefined, c: new Date(0), d: 1, e: [Infinity] })).toHaveLength(4)
  })

  test('every JSON value matches itself, also after a round trip through text', () => {
    const value = fc.jsonValue({ maxDepth: 3 }).filter((json) => !JSON.stringify(json).includes('"$'))
    fc.assert(
      fc.property(value, (json) => {
        expect(compareValues({ '/v': json }, exact(JSON.stringify({ v: json }))).accuracy).toBe(1)
      }),
    )
  })

  test('no number matches a string, and matching goes both ways', () => {
    const scalar = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger(), fc.string())
    fc.assert(
      fc.property(scalar, scalar, (a, b) => {
        const forth = compareValues({ '/v': a }, { v: b }).matched
        expect(compareValues({ '/v': b }, { v: a }).matched).toBe(forth)
        if (typeof a !== typeof b) expect(forth).toBe(0)
        expect(compareValues({ '/v': String(a) }, { v: 5 }).matched).toBe(0)
      }),
    )
  })
})

describe('parsePath and lookUp', () => {
  test('a pointer names any key', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), (keys) => {
        const pointer = keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
        expect(parsePath(pointer)).toEqual(keys)
        const tree = keys.reduceRight<unknown>(
          (inner, key) => JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(inner)}}`),
          7,
        )
        expect(lookUp(tree, pointer)).toEqual({ found: true, value: 7 })
      }),
    )
  })

  test('tells null from nothing', () => {
    expect(lookUp({ a: null }, 'a')).toEqual({ found: true, value: null })
    expect(lookUp({ a: null }, 'b')).toEqual({ found: false })
    expect(lookUp({}, '__proto__')).toEqual({ found: false })
  })
})

function exact(text: string): unknown {
  const parsed = parseReply(text)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.exact
}
