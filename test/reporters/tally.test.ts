import { expect, test } from 'vitest'
import { remainingOf, Tally } from '../../reporters/tally.ts'
import type { Planned } from '../../src/model/case-meta.ts'
import { sample } from '../support/samples.ts'

function planned(overrides: Partial<Planned> = {}): Planned {
  return { kind: 'planned', probeClass: 'schema', modelKey: 'own/x', samples: 6, most: 6, ...overrides }
}

test('samples are counted by model: there, bought, spoiled, lost', () => {
  const tally = new Tally()
  tally.plan(planned())
  tally.plan(planned({ modelKey: 'own/y', samples: 1, most: 1 }))
  tally.count('own/x', sample(0))
  tally.count('own/x', sample(1, { replayed: true }))
  tally.count('own/x', sample(2, { scored: false, failureClass: 'network' }))
  tally.count('own/x', sample(3, { scored: false, failureClass: 'cache_not_reported' }))
  tally.lose('own/x', 1)
  const [x, y] = tally.models()
  expect(x).toEqual({ modelKey: 'own/x', planned: 6, most: 6, done: 4, bought: 3, unscored: 1, lost: 1 })
  expect([remainingOf(x!), remainingOf(y!)]).toEqual([1, 1])
})

test('more of a model come on top; another class begins anew, and so does another run', () => {
  const tally = new Tally()
  tally.plan(planned({ most: 93 }))
  tally.plan(planned({ samples: 2, most: 2 }))
  expect(tally.models()).toMatchObject([{ planned: 8, most: 95 }])
  tally.plan(planned({ probeClass: 'image' }))
  expect([tally.probeClass, tally.models()]).toMatchObject(['image', [{ planned: 6, most: 6, done: 0 }]])
  tally.reset()
  expect([tally.probeClass, tally.models()]).toEqual([null, []])
})

test('what a probe file makes up is not shown', () => {
  const tally = new Tally()
  for (const wrong of [
    { modelKey: 'own/\u001B[2J' },
    { modelKey: 7 },
    { modelKey: 'x'.repeat(301) },
    { samples: -1 },
    { most: 0.5 },
    { probeClass: 'other' },
  ])
    tally.plan(planned(wrong as never))
  tally.count('own/x', sample(0))
  tally.lose('own/x', 1)
  expect([tally.probeClass, tally.models()]).toEqual([null, []])
  tally.plan(planned())
  tally.lose('own/x', Number.NaN)
  tally.lose('own/x', 1000)
  expect(tally.models()).toMatchObject([{ lost: 6 }])
})
