import { expect, onTestFinished, test } from 'vitest'
import type { Sample } from '../../src/model/sample.ts'
import { LookThreads } from '../../src/results/look-threads.ts'
import type { Looked, LookOrder } from '../../src/results/look.ts'
import type { GradedBy } from '../../src/results/grader.ts'
import { sample } from '../support/samples.ts'

const QUICK: GradedBy = { hash: 'quick', schema: { type: 'object', required: ['total'] }, expectedValues: { total: 7 } }
const SLOW: GradedBy = {
  hash: 'slow',
  schema: { type: 'object', properties: { total: { type: 'string', pattern: '^(a+)+$' } } },
  expectedValues: undefined,
}
/** Not to be applied: what it is graded by is wrong. */
const BROKEN: GradedBy = { hash: 'broken', schema: { type: 'strange' }, expectedValues: undefined }

const endless = (length: number): string => `{"total":"${'a'.repeat(length)}!"}`
const GOOD = '{"total":"aaa"}'

function threads(most = 2): LookThreads {
  const own = new LookThreads({ deadlineMs: 400, most })
  onTestFinished(() => own.close())
  return own
}

function order(id: string, gradedBy: GradedBy): LookOrder {
  const due = { samplesPerFixture: 10_000, complete: true, shard: null, place: 0 }
  return { id, within: { probeClass: 'schema', due, gradedBy } }
}

/** Samples that were graded right, whatever they say. */
const saying = (outputs: readonly string[]): Sample[] =>
  outputs.map((output, index) => sample(index, { output, valueAccuracy: null }))

async function looked(own: LookThreads, id: string, by: GradedBy, outputs: readonly string[]): Promise<Looked> {
  const look = await own.look(order(id, by), { value: saying(outputs) })
  if ('misshapen' in look) throw new Error(JSON.stringify(look.misshapen))
  return look
}

/** Positions of samples by a part of their path. */
const places = (paths: readonly string[] = []): number[] => paths.map((path) => Number(path.split('/')[3]))

test('each fixture is graded by its own schema, whatever else is looked at beside it', async () => {
  const own = threads()
  const strict = { ...QUICK, hash: 'strict', schema: { type: 'object', required: ['sum'] } }
  const many = Array.from({ length: 1201 }, (_, index) => `{"total":${index % 3 === 0 ? 7 : index + 8}}`)
  const [a, b, c] = await Promise.all([
    looked(own, 'a', QUICK, many),
    looked(own, 'b', strict, ['{"total":7}']),
    looked(own, 'c', QUICK, ['{"total":7}']),
  ])
  // The samples say that no values were compared: two of three differ by 0, every third by 1.
  expect([a.regrade!.regraded, a.regrade!.differing.length]).toEqual([1201, 1201])
  expect(a.regrade!.differing.filter(({ actual }) => actual === 1)).toHaveLength(401)
  expect(b.regrade!.differing.map(({ path }) => path)).toContain('/raw/b/0/schemaConform')
  expect(c.regrade!.differing).toMatchObject([{ path: '/raw/c/0/valueAccuracy', actual: 1 }])
})

test('after two stalls what was graded before the second has its grade, and the rest is not tried', async () => {
  const { regrade } = await looked(threads(), 'a', SLOW, [endless(40), GOOD, endless(41), '{"total":"a"}'])
  expect([regrade!.regraded, places(regrade!.left.no_grade_in_time)]).toEqual([1, [0, 2, 3]])
})

test('an output that stalls late costs its own grade, and no other fixture anything', async () => {
  const own = threads(1)
  const many = Array.from({ length: 700 }, (_, index) => `{"total":"aaa"}${' '.repeat(index)}`)
  const [slow, quick] = await Promise.all([
    looked(own, 'a', SLOW, many.toSpliced(620, 1, endless(40))),
    looked(own, 'b', QUICK, ['{"total":7}']),
  ])
  expect([slow.regrade!.regraded, places(slow.regrade!.left.no_grade_in_time)]).toEqual([699, [620]])
  expect(quick.regrade!.regraded).toBe(1)
})

test('a fixture that cannot be applied is told, and what stalls after it is still found', async () => {
  const own = threads(1)
  const [broken, slow] = await Promise.allSettled([
    looked(own, 'a', BROKEN, ['{}', '{"a":1}']),
    looked(own, 'b', SLOW, ['{"total":"a"}', endless(40)]),
  ])
  expect(broken).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('type') } })
  expect(slow).toMatchObject({ status: 'fulfilled', value: { regrade: { regraded: 1 } } })
})

test('of samples that are none by their shape only that is told', async () => {
  const look = await threads().look(order('a', QUICK), { value: [{ ...sample(0), scored: 'yes' }] })
  expect(look).toEqual({ misshapen: [{ path: '/raw/a/0/scored', message: 'must be boolean' }] })
})

test('what is nested too deep to be handed over, or told of, is refused, and keeps nothing else from being looked at', async () => {
  const own = threads(1)
  const nested = (depth: number): Promise<unknown> => {
    const actual = JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown
    const mismatches = [{ path: 'total', expected: 7, actual }]
    return own.look(order(`of ${depth}`, QUICK), { value: [sample(0, { valueAccuracy: 0.5, mismatches } as never)] })
  }
  const last = (): Promise<Looked> => looked(own, 'b', QUICK, ['{"total":7}'])
  const all = await Promise.allSettled([nested(2500), last(), nested(50_000), last()])
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
})
