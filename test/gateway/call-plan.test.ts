import { expect, test } from 'vitest'
import { CallPlan } from '../../src/gateway/plan/call-plan.ts'
import { planRun } from '../../src/gateway/plan/run-plan.ts'
import { Replay } from '../../src/gateway/journal/replay.ts'
import { scriptedProvider } from '../../src/providers/scripted.ts'
import type { Ask } from '../../src/model/call.ts'
import { askFor, CENT, gatewayOf } from '../support/gateway.ts'

const NO_JOURNAL = '/nowhere/journal'

const silent = scriptedProvider({
  price: CENT,
  reply: () => {
    throw new Error('was called')
  },
})

test('a gateway that plans notes what it would send, in order, and refuses it', async () => {
  const plan = new CallPlan()
  const { gateway, journal } = gatewayOf([silent], { plan })
  const outcomes = await Promise.all([gateway.ask(askFor('a', 0)), gateway.ask(askFor('b', 0))])
  expect(outcomes).toMatchObject([{ error: { code: 'DRY_RUN' } }, { error: { code: 'DRY_RUN' } }])
  expect(plan.calls).toMatchObject([
    { fixtureId: 'a', modelKey: 'scripted/model', probeClass: 'image', sampleIndex: 0, step: 0, worst: 10_000_000 },
    { fixtureId: 'b' },
  ])
  expect([journal.entries, gateway.spentUsd('scripted/model')]).toEqual([[], 0])
})

test('an ask that no run would admit is no part of the plan', async () => {
  const plan = new CallPlan()
  const { gateway } = gatewayOf([silent], { plan })
  const outcomes = await Promise.all([
    gateway.ask(askFor('a', -1)),
    gateway.ask(askFor('a', 0, { modelKey: 'nobody/x' })),
    gateway.ask(askFor('a', 0, { replay: 'only' })),
  ])
  const codes = outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome.error.code : outcome.kind))
  expect(codes).toEqual(['OPTION_INVALID', 'PROVIDER_UNKNOWN', 'NOT_JOURNALED'])
  expect(plan.calls).toEqual([])
})

test('what is in the journal is answered from there, and counts for what it has cost', async () => {
  const replay = new Replay(NO_JOURNAL)
  const bought = gatewayOf([scriptedProvider({ price: CENT, reply: () => 'yes' })], { replay })
  await bought.gateway.ask(askFor('a', 0))

  const plan = new CallPlan()
  const { gateway } = gatewayOf([silent], { plan, replay })
  const [first, second] = await Promise.all([gateway.ask(askFor('a', 0)), gateway.ask(askFor('a', 1))])
  expect([first, second]).toMatchObject([{ kind: 'reply', record: { replayed: true } }, { kind: 'refused' }])
  const spentUsd = (modelKey: string): number => gateway.spentUsd(modelKey)
  const about = { journal: NO_JOURNAL, envelopeUsd: 0.015, spentUsd, concurrency: 4, isMost: false }
  expect(await planRun(plan.calls, about)).toMatchObject({
    classes: [{ calls: 1, worstUsd: 0.01, expected: null }],
    models: [{ spentUsd: 0.01, calls: 1, certain: 0 }],
  })
})

test.for([
  [0.01, 0],
  [0.03, 2],
  [0.05, 4],
  [0.07, 6],
] as const)('of pairs of calls at a cent each, $%d lets the plan and the run make %d', async ([envelopeUsd, made]) => {
  const pair = (index: number): [Ask, Ask] => {
    const ask = askFor('a', index, { probeClass: 'caching' })
    return [
      { ...ask, pair: 'first' },
      { ...ask, step: 1, pair: 'second' },
    ]
  }
  const plan = new CallPlan()
  const planning = gatewayOf([silent], { plan })
  for (const ask of [0, 1, 2, 3].flatMap(pair)) await planning.gateway.ask(ask)
  const about = { journal: NO_JOURNAL, envelopeUsd, spentUsd: () => 0, concurrency: 4, isMost: false }
  expect((await planRun(plan.calls, about)).models).toMatchObject([{ calls: 8, certain: made }])

  const real = gatewayOf([scriptedProvider({ price: CENT, reply: () => 'x' })], { envelopeUsd })
  for (const [first, second] of [0, 1, 2, 3].map(pair)) {
    const { kind } = await real.clock.runUntil(real.gateway.ask(first))
    if (kind === 'reply') await real.clock.runUntil(real.gateway.ask(second))
  }
  expect(real.journal.entries).toHaveLength(made)
})
