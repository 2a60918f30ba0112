import { expect, test } from 'vitest'
import type { Progress } from '../../src/model/case-meta.ts'
import { tellLost, tellPlanned } from '../../src/probe/outlook.ts'
import type { ProbeCase } from '../../src/probe/probe-case.ts'
import { mostSamplesUntil } from '../../src/stats/until.ts'
import { sample } from '../support/samples.ts'

function caseOf(modelKey: string, samples: number): ProbeCase {
  const taken = Array.from({ length: samples }, (_, index) => sample(index))
  return { meta: { modelKey, samples: taken } } as unknown as ProbeCase
}

function teller(until: number | null) {
  const told: Progress[] = []
  const settings = { probeClass: 'image' as const, until }
  return { told, settings, tell: (progress: Progress) => void told.push(progress) }
}

test('samples to come are told by model, with the most there can be', () => {
  const [a, b, other] = [caseOf('own/x', 0), caseOf('own/x', 0), caseOf('own/y', 0)]
  const due = [a, a, a, b, b, b, other].map((probeCase) => ({ probeCase }))
  const about = { kind: 'planned', probeClass: 'image' }
  const fixed = teller(null)
  tellPlanned(due, fixed)
  expect(fixed.told).toEqual([
    { ...about, modelKey: 'own/x', samples: 6, most: 6 },
    { ...about, modelKey: 'own/y', samples: 1, most: 1 },
  ])
  const until = teller(0.1)
  tellPlanned(due, until)
  expect(mostSamplesUntil(0.1)).toBe(93)
  expect(until.told).toMatchObject([
    { samples: 6, most: 186 },
    { samples: 1, most: 93 },
  ])
})

test('what does not come is told when all that was asked for is over', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { told, ...to } = teller(null)
  const one = tellLost({ probeCase: caseOf('own/x', 2), taking: [Promise.resolve(), Promise.resolve(), promise] }, to)
  await Promise.resolve()
  expect(told).toEqual([])
  resolve()
  await one
  await tellLost({ probeCase: caseOf('own/x', 2), taking: [promise, promise] }, to)
  expect(told).toEqual([{ kind: 'lost', modelKey: 'own/x', samples: 1 }])
})
