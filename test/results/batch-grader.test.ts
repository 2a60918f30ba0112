import { expect, onTestFinished, test } from 'vitest'
import { BatchGrader, type GradedBy, type KeptReply } from '../../src/results/batch-grader.ts'

const QUICK: GradedBy = { key: 'quick', schema: { type: 'object', required: ['total'] }, expectedValues: { total: 7 } }
const SLOW: GradedBy = {
  key: 'slow',
  schema: { type: 'object', properties: { total: { type: 'string', pattern: '^(a+)+$' } } },
  expectedValues: undefined,
}
/** Not to be applied: what it is graded by is wrong. */
const BROKEN: GradedBy = { key: 'broken', schema: { type: 'strange' }, expectedValues: undefined }

const reply = (text: string): KeptReply => ({ text, finishReason: 'stop' })
const ENDLESS = reply(`{"total":"${'a'.repeat(40)}!"}`)

function grader(): BatchGrader {
  const own = new BatchGrader(400)
  onTestFinished(() => own.close())
  return own
}

test('grades stand where their replies stood, over many batches and several fixtures at once', async () => {
  const replies = Array.from({ length: 1201 }, (_, index) => reply(`{"total":${index % 3 === 0 ? 7 : index + 8}}`))
  const own = grader()
  const both = await Promise.all([
    own.grade(QUICK, replies),
    own.grade({ ...QUICK, key: 'other' }, replies.toReversed()),
  ])
  const right = replies.map((_, index) => index % 3 === 0)
  expect(both[0].map((grade) => grade!.valueAccuracy === 1)).toEqual(right)
  expect(both[1].map((grade) => grade!.valueAccuracy === 1)).toEqual(right.toReversed())
})

test('each fixture is graded by its own schema, whatever was graded before', async () => {
  const own = grader()
  const strict = { ...QUICK, key: 'strict', schema: { type: 'object', required: ['sum'] } }
  const graded = await Promise.all([QUICK, strict, QUICK].map((by) => own.grade(by, [reply('{"total":7}')])))
  expect(graded.flat().map((grade) => grade!.schemaConform)).toEqual([true, false, true])
})

test('after two stalls what was graded before the second has its grade, and the rest is not tried', async () => {
  const good = reply('{"total":"aaa"}')
  const graded = await grader().grade(SLOW, [ENDLESS, good, ENDLESS, good])
  expect(graded.map((grade) => grade?.schemaConform ?? null)).toEqual([null, true, null, null])
})

test('a reply that stalls late in its batch costs its own grade, and no other fixture anything', async () => {
  const good = Array.from({ length: 700 }, () => reply('{"total":"aaa"}'))
  const own = grader()
  const [slow, quick] = await Promise.all([
    own.grade(SLOW, good.toSpliced(620, 1, ENDLESS)),
    own.grade(QUICK, [reply('{"total":7}')]),
  ])
  expect(slow.flatMap((grade, position) => (grade === null ? [position] : []))).toEqual([620])
  expect(quick).toMatchObject([{ schemaConform: true, valueAccuracy: 1 }])
})

test('a fixture that cannot be applied is told, and what stalls after it is still found', async () => {
  const own = grader()
  const [broken, slow] = await Promise.allSettled([
    own.grade(BROKEN, [reply('{}'), reply('{}'), reply('{}')]),
    own.grade(SLOW, [reply('{"total":"a"}'), ENDLESS]),
  ])
  expect(broken).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('type') } })
  expect(slow).toMatchObject({ status: 'fulfilled', value: [{ schemaConform: true }, null] })
})

test('nothing to grade is nothing, and starts no thread', async () => {
  expect(await grader().grade(QUICK, [])).toEqual([])
})
