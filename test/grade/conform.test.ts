import { describe, expect, test } from 'vitest'
import { checkConform, compileSchema } from '../../src/grade/conform.ts'
import type { JsonSchema } from '../../src/model/fixture.ts'
import { readCases } from './read-cases.ts'

interface ConformCase {
  readonly name: string
  readonly schema: JsonSchema
  /** JSON text of the answer. */
  readonly answer?: string
  /** Path and keyword of each violation. */
  readonly violations?: readonly (readonly [string, string])[]
  /** Part of the message that refuses the schema. */
  readonly invalid?: string
}

const rows = readCases<ConformCase>('conform')

describe('checkConform', () => {
  test.each(rows.filter(([, row]) => row.answer !== undefined))('%s', (_name, { schema, answer, violations }) => {
    const result = checkConform(compileSchema(schema), JSON.parse(answer ?? ''))
    expect(result.violations.map(({ path, keyword }) => [path, keyword])).toEqual(violations)
    expect(result.ok).toBe(violations?.length === 0)
  })

  test('tells at most ten violations', () => {
    const schema = compileSchema({ type: 'object', additionalProperties: { type: 'string' } })
    const answer = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, index]))
    expect(checkConform(schema, answer).violations).toHaveLength(10)
  })

  test('does not change the answer', () => {
    const schema = compileSchema({
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'string', default: 'x' } },
      additionalProperties: false,
    })
    const answer = { a: '5', c: 1 }
    checkConform(schema, answer)
    expect(answer).toEqual({ a: '5', c: 1 })
  })

  test('names the extra property and the allowed values, and keeps long ones short', () => {
    const schema = compileSchema({ type: 'object', properties: { a: { enum: ['x'] } }, additionalProperties: false })
    const { violations } = checkConform(schema, { a: 'y', ['k'.repeat(5000)]: 1 })
    expect(violations.find(({ keyword }) => keyword === 'enum')?.message).toContain('["x"]')
    const extra = violations.find(({ keyword }) => keyword === 'additionalProperties')
    expect(extra?.message).toMatch(/: "kkk.*…$/)
    expect(extra?.message.length).toBeLessThanOrEqual(300)
  })

  test('results of one schema do not change when it judges again', () => {
    const schema = compileSchema({ type: 'object', required: ['a'] })
    const first = checkConform(schema, {})
    checkConform(schema, { a: 1 })
    expect(first.violations).toHaveLength(1)
  })
})

describe('compileSchema', () => {
  test.each(rows.filter(([, row]) => row.invalid !== undefined))('refuses: %s', (_name, { schema, invalid }) => {
    const problem = expect.objectContaining({
      code: 'FIXTURE_INVALID',
      field: 'schema',
      message: expect.stringContaining(invalid ?? ''),
    })
    expect(() => compileSchema(schema)).toThrow(problem)
  })

  test('takes the same $id twice, and keeps the two apart', () => {
    const first = compileSchema({ $id: 'https://ex.test/a', type: 'object', properties: { a: { type: 'string' } } })
    const second = compileSchema({ $id: 'https://ex.test/a', type: 'object', properties: { a: { type: 'number' } } })
    expect([checkConform(first, { a: 'x' }).ok, checkConform(second, { a: 'x' }).ok]).toEqual([true, false])
  })

  test('tells what to write for nullable', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', nullable: true } } }
    expect(() => compileSchema(schema)).toThrow(expect.objectContaining({ fix: expect.stringContaining('"null"') }))
  })
})
