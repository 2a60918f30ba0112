import { expect, test } from 'vitest'
import { AdaptivePacer } from '../../src/gateway/pace/adaptive-pacer.ts'
import { LocalLedger, type Hold, type Ledger } from '../../src/gateway/money/ledger.ts'
import type { SharedRun } from '../../src/gateway/shared-run.ts'
import { CallPlan } from '../../src/gateway/plan/call-plan.ts'
import { scriptedProvider } from '../../src/providers/scripted.ts'
import { askFor, CENT, gatewayOf } from '../support/gateway.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const CENT_NANO = 10_000_000

/** A ledger elsewhere that notes what it is asked, and at times answers otherwise than a local one. */
function elsewhere(answers: { hold?: () => Hold | null; confirm?: () => boolean }, spentElsewhere = 0) {
  const clock = new VirtualClock()
  const local = new LocalLedger(100 * CENT_NANO)
  const asked: string[] = []
  const ledger: Ledger = {
    envelope: local.envelope,
    get accrued() {
      return local.accrued
    },
    async hold(amount) {
      asked.push('hold')
      return answers.hold?.() ?? local.hold(amount)
    },
    async confirm() {
      asked.push('confirm')
      return answers.confirm?.() ?? true
    },
    async release(amount) {
      asked.push('release')
      await local.release(amount)
    },
    async settle(held, spent) {
      asked.push(`settle ${spent / CENT_NANO}`)
      await local.settle(held, spent)
    },
    onRoom: (wake) => local.onRoom(wake),
    async close() {},
  }
  const shared: SharedRun = {
    async join() {},
    look: async () => spentElsewhere,
    ledger: () => ledger,
    pacer: (_, bound) => new AdaptivePacer(bound, clock),
    async close() {
      asked.push('close')
    },
  }
  return { clock, shared, asked }
}

test('a hold that cannot be confirmed is held anew, and the call is sent once', async () => {
  let confirmed = 0
  const { clock, shared, asked } = elsewhere({ confirm: () => ++confirmed > 1 })
  let calls = 0
  const provider = scriptedProvider({ price: CENT, reply: () => `${++calls}` })
  const { gateway } = gatewayOf([provider], { clock, shared })
  const outcome = await clock.runUntil(gateway.ask(askFor('a', 0)))
  expect([outcome.kind, calls]).toEqual(['reply', 1])
  expect(asked).toEqual(['hold', 'confirm', 'hold', 'confirm', 'settle 1'])
  await gateway.close()
  expect(asked.at(-1)).toBe('close')
})

test('when nobody can tell what is left, nothing more is sent; what is in flight is answered', async () => {
  let holds = 0
  const { clock, shared } = elsewhere({ hold: () => (++holds > 2 ? 'lost' : null) })
  let calls = 0
  const provider = scriptedProvider({
    price: CENT,
    async reply() {
      calls += 1
      await clock.sleep(100)
      return 'x'
    },
  })
  const { gateway, journal } = gatewayOf([provider], { clock, shared })
  const asks = ['a', 'b', 'c', 'd'].map((id) => gateway.ask(askFor(id, 0)))
  const outcomes = await clock.runUntil(Promise.all(asks))
  expect(outcomes.map(({ kind }) => kind)).toEqual(['reply', 'reply', 'refused', 'refused'])
  expect(outcomes.slice(2)).toMatchObject([
    { error: { code: 'LEDGER_UNREACHABLE' } },
    { error: { code: 'LEDGER_UNREACHABLE' } },
  ])
  expect([calls, holds, journal.entries.length]).toEqual([2, 3, 2])
})

test('a run that is stopped while a hold is confirmed sends nothing, and gives the money back', async () => {
  const stop = { now: (): void => undefined }
  const { clock, shared, asked } = elsewhere({
    confirm() {
      stop.now()
      return true
    },
  })
  const provider = scriptedProvider({
    price: CENT,
    reply() {
      throw new Error('was called')
    },
  })
  const { gateway } = gatewayOf([provider], { clock, shared })
  stop.now = () => gateway.interrupt()
  expect(await clock.runUntil(gateway.ask(askFor('a', 0)))).toMatchObject({ error: { code: 'INTERRUPTED' } })
  expect(asked).toEqual(['hold', 'confirm', 'settle 0'])
})

test('what costs nothing needs no ledger elsewhere', async () => {
  const { clock, shared, asked } = elsewhere({ hold: () => 'lost' })
  const { gateway } = gatewayOf([scriptedProvider({ reply: () => 'x' })], { clock, shared })
  expect(await clock.runUntil(gateway.ask(askFor('a', 0)))).toMatchObject({ kind: 'reply' })
  expect(asked).toEqual([])
})

test('a plan knows what is spent elsewhere already', async () => {
  const { clock, shared, asked } = elsewhere({}, 3 * CENT_NANO)
  const provider = scriptedProvider({ price: CENT, reply: () => 'x' })
  const { gateway } = gatewayOf([provider], { clock, shared, plan: new CallPlan() })
  await gateway.joinLedger('scripted/model')
  await gateway.ask(askFor('a', 0))
  expect([gateway.spentUsd('scripted/model'), asked]).toEqual([0.03, []])
})
