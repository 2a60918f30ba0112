import { describe, expect, test } from 'vitest'
import { compileSchema } from '../../src/grade/conform.ts'
import { gradeStructured } from '../../src/grade/structured.ts'
import type { FinishReason, ModelReply } from '../../src/model/call.ts'
import type { JsonSchema } from '../../src/model/fixture.ts'
import { BLANK_REPLY } from '../../src/providers/blank-reply.ts'
import { readCases } from './read-cases.ts'

interface StructuredCase {
  readonly name: string
  readonly schema: JsonSchema
  readonly reply: { readonly text: string; readonly finishReason: FinishReason }
  readonly expectedValues: Record<string, unknown> | null
  /** `violations` by keyword, `mismatches` by path; `parseProblem` true when there is one. */
  readonly grade: Record<string, unknown>
}

describe('gradeStructured', () => {
  test.each(readCases<StructuredCase>('structured'))('%s', (_name, { schema, reply, expectedValues, grade }) => {
    const { violations, mismatches, parseProblem, ...rest } = gradeStructured({
      reply: replyWith(reply),
      schema: compileSchema(schema),
      expectedValues: expectedValues ?? undefined,
    })
    const seen = {
      ...rest,
      violations: violations.map(({ keyword }) => keyword),
      mismatches: mismatches.map(({ path }) => path),
      ...(parseProblem === undefined ? {} : { parseProblem: parseProblem.length > 0 }),
    }
    expect(seen).toStrictEqual(grade)
  })

  test('compares integers beyond 2^53 by their digits', () => {
    const schema = compileSchema({ type: 'object', properties: { id: { type: 'integer' } } })
    const grade = (text: string) =>
      gradeStructured({ reply: replyWith({ text }), schema, expectedValues: { id: 9007199254740993n } })
    expect(grade('{"id":9007199254740993}').valueAccuracy).toBe(1)
    expect(grade('{"id":9007199254740992}')).toMatchObject({
      schemaConform: true,
      valueAccuracy: 0,
      mismatches: [{ path: 'id', expected: '9007199254740993', actual: '9007199254740992' }],
    })
  })

  test('a grade is plain data', () => {
    const schema = compileSchema({ type: 'object' })
    const reply = replyWith({ text: '{"id":9007199254740993}' })
    const grade = gradeStructured({ reply, schema, expectedValues: { id: 1n } })
    expect(JSON.parse(JSON.stringify(grade))).toEqual(structuredClone(grade))
  })
})

function replyWith(part: { text: string; finishReason?: FinishReason }): ModelReply {
  return { ...BLANK_REPLY, finishReason: 'stop', ...part }
}
