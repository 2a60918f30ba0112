import { expect, test } from 'vitest'
import { BLANK_REPLY } from '../../src/providers/blank-reply.ts'
import { Grader } from '../../src/probe/grader.ts'

const reply = (text: string) => ({ ...BLANK_REPLY, finishReason: 'stop' as const, text })
const HARMLESS = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
// Doubles its time with every character.
const CATASTROPHIC = { ...HARMLESS, properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
const CATASTROPHIC_KEYS = { type: 'object', patternProperties: { '^(a+)+$': { type: 'number' } } }

test('a reply is graded like anywhere else', async () => {
  const grader = new Grader()
  const job = { schema: HARMLESS, reply: reply('{"a": "x"}'), expectedValues: { a: 'y' } }
  expect(await grader.grade(job)).toMatchObject({ parseOk: true, schemaConform: true, valueAccuracy: 0 })
})

test('a catastrophic pattern, in the schema or in what is expected, costs its own reply and no other', async () => {
  const grader = new Grader(500)
  const harmless = { schema: HARMLESS, reply: reply('{"a": "x"}'), expectedValues: undefined }
  const attack = reply(`{"a": "${'a'.repeat(60)}!"}`)
  const grades = await Promise.all([
    grader.grade(harmless),
    grader.grade({ schema: CATASTROPHIC, reply: attack, expectedValues: undefined }),
    grader.grade(harmless),
    grader.grade({ schema: HARMLESS, reply: attack, expectedValues: { a: { $pattern: '^(a+)+$' } } }),
    grader.grade(harmless),
    grader.grade({ schema: CATASTROPHIC_KEYS, reply: reply(`{"${'a'.repeat(60)}!": 1}`), expectedValues: undefined }),
    grader.grade(harmless),
  ])
  expect(grades.map((grade) => grade?.schemaConform ?? null)).toEqual([true, null, true, null, true, null, true])
})

test('a fixture that cannot be applied is an error, not a time-out', async () => {
  const grader = new Grader()
  const job = { schema: { type: 'object', nonsense: 1 }, reply: reply('{}'), expectedValues: undefined }
  await expect(grader.grade(job)).rejects.toThrow('nonsense')
  expect(await grader.grade({ ...job, schema: HARMLESS })).toMatchObject({ parseOk: true })
})

test(
  'an answer key that would take forever, or all memory, costs itself and no other',
  { timeout: 60_000 },
  async () => {
    const grader = new Grader(1500)
    const endless = {
      type: 'object',
      properties: { a: { type: 'array', minItems: 4e9, items: { type: 'string' } } },
      required: ['a'],
    }
    const keys = await Promise.all([
      grader.answerKey({ schema: endless, expectedValues: undefined }),
      grader.answerKey({ schema: HARMLESS, expectedValues: { a: 'x' } }),
      grader.answerKey({ schema: HARMLESS, expectedValues: { a: { $pattern: '^a{200000000}$' } } }),
      grader.answerKey({ schema: HARMLESS, expectedValues: { 'b.4294967295.c': 1 } }),
      grader.answerKey({ schema: HARMLESS, expectedValues: { 'a.Infinity.b': 1 } }),
      grader.answerKey({ schema: HARMLESS, expectedValues: { a: 'y' } }),
    ])
    expect(keys).toEqual([null, KEY('x'), null, null, null, KEY('y')])
  },
)

const KEY = (a: string) => ({
  right: JSON.stringify({ a }),
  wrongValues: expect.any(String),
  nonConforming: expect.any(String),
})
