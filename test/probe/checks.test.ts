import { expect, test } from 'vitest'
import { runChecks, type Check } from '../../src/probe/checks.ts'
import { sample } from '../support/samples.ts'

const FIXTURE = { id: 'a', class: 'schema', domain: 'general', prompt: 'p' } as const
const ANSWER = { value: { total: 7 }, output: '{"total":7}' }

const run = (checks: Record<string, Check<never>>, answer: typeof ANSWER | null = ANSWER) =>
  runChecks(checks as Record<string, Check>, answer, sample(0), FIXTURE, 50)

test('what is late has no verdict: by waiting, by computing, by a pattern without end', async () => {
  const { verdicts, broken } = await run({
    waits: () => new Promise(() => {}),
    computes: () => {
      for (;;);
    },
    matches: () => /^(a+)+$/.test(`${'a'.repeat(40)}!`),
    right: () => true,
  })
  expect(verdicts).toEqual({ waits: null, computes: null, matches: null, right: true })
  expect(broken).toEqual(['waits', 'computes', 'matches'].map((name) => [name, 'gave no verdict within 50 ms']))
})

test.for<[string, Check<never>, string]>([
  [
    'an error',
    () => {
      throw new TypeError('no')
    },
    'threw TypeError: no',
  ],
  [
    'a text',
    () => {
      throw 'no'
    },
    'threw no',
  ],
  [
    'nothing',
    () => {
      throw undefined
    },
    'threw undefined',
  ],
  [
    'what has no text',
    () => {
      throw Object.create(null)
    },
    'threw something without a text was thrown',
  ],
  ['a rejection', () => Promise.reject(new Error('later')), 'threw Error: later'],
])('what throws %s has no verdict', async ([, check, why]) => {
  expect(await run({ own: check })).toEqual({ verdicts: { own: null }, broken: [['own', why]] })
})

test('an answer that cannot be looked at fails, and no check is called', async () => {
  let calls = 0
  const { verdicts } = await run({ own: () => ((calls += 1), true) }, null)
  expect([verdicts, calls]).toEqual([{ own: false }, 0])
})
