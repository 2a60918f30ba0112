import { expect, test } from 'vitest'
import { durationText, progressHead, progressOfModels, type ModelProgress } from '../../reporters/progress.ts'

function model(overrides: Partial<ModelProgress> = {}): ModelProgress {
  return {
    modelKey: 'openai/x',
    planned: 200,
    most: 200,
    done: 34,
    bought: 34,
    unscored: 0,
    lost: 0,
    spentUsd: 0.125,
    envelopeUsd: 2,
    calls: { open: 12, limit: 20, pausedMs: 0 },
    ...overrides,
  }
}

const RUN = { probeClass: 'schema', place: [1, 1], leftMs: null } as const

test('the head counts the samples of all models', () => {
  const models = [model(), model({ modelKey: 'own/y', planned: 50, most: 50, done: 7, unscored: 2, lost: 3 })]
  expect(progressHead({ ...RUN, models })).toBe('schema: 41 of 250 samples, 2 unscored, 3 cannot be measured')
})

test('time left is told where it is known, and of which class where there are several', () => {
  const models = [model()]
  expect(progressHead({ ...RUN, models, leftMs: 150_000 })).toBe('schema: 34 of 200 samples, about 3 min left')
  expect(progressHead({ ...RUN, models, leftMs: 400 })).toBe('schema: 34 of 200 samples, about 10 s left')
  expect(progressHead({ ...RUN, place: [2, 3], models, leftMs: 150_000 })).toBe(
    'schema (class 2 of 3): 34 of 200 samples, about 3 min left of it',
  )
})

test('where the number of samples is not fixed, number and time are the most there can be', () => {
  const run = { ...RUN, models: [model({ most: 930 })], leftMs: 150_000 }
  expect(progressHead(run)).toBe('schema: 34 of at most 930 samples, at most about 3 min left')
})

test('a model has its spend, its calls and the pace of its account', () => {
  expect(progressOfModels({ ...RUN, models: [model()] }, 6)).toEqual([
    'openai/x: $0.125 of $2.00, 12 calls open, 20 allowed',
  ])
  const paused = model({ calls: { open: 1, limit: 10, pausedMs: 7200, retrying: 2 } })
  expect(progressOfModels({ ...RUN, models: [paused] }, 6)).toEqual([
    'openai/x: $0.125 of $2.00, 1 call open, paused for 8 s, 2 waiting to be tried again',
  ])
  expect(progressOfModels({ ...RUN, models: [model({ calls: null })] }, 6)).toEqual([
    'openai/x: $0.125 of $2.00, not called yet',
  ])
})

test('of several models each has its samples, too; those that are done come last, and what does not fit is counted', () => {
  const models = [
    model({ modelKey: 'own/a', done: 190, lost: 10 }),
    model({ modelKey: 'own/b' }),
    model({ modelKey: 'own/c', most: 930 }),
  ]
  expect(progressOfModels({ ...RUN, models }, 3)).toEqual([
    'own/b: 34 of 200, $0.125 of $2.00, 12 calls open, 20 allowed',
    'own/c: 34 of at most 930, $0.125 of $2.00, 12 calls open, 20 allowed',
    'own/a: 190 of 200, $0.125 of $2.00, 10 cannot be measured',
  ])
  expect(progressOfModels({ ...RUN, models }, 2).slice(1)).toEqual(['… and 2 more models'])
  expect(progressOfModels({ ...RUN, models }, 1)).toEqual([])
  expect(progressOfModels({ ...RUN, models }, 0)).toEqual([])
})

test.for([
  [0, '1 s'],
  [9001, '10 s'],
  [10_001, '20 s'],
  [90_000, '90 s'],
  [90_001, '2 min'],
  [5_400_000, '90 min'],
  [5_400_001, '1 h 40 min'],
  [7_200_000, '2 h'],
] as const)('%i ms are %s', ([ms, text]) => {
  expect(durationText(ms)).toBe(text)
})
