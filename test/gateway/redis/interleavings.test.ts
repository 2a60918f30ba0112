import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startRedis } from '../../support/redis-server.ts'
import { LEASE_MS, sharedLedger } from '../../support/shared-ledger.ts'

const CLIENTS = 3
const ENVELOPE = 100

/** One step of one client. Amounts are of few sizes, so that holds of one size meet. */
const step = fc.record({
  client: fc.nat({ max: CLIENTS - 1 }),
  what: fc.constantFrom('hold', 'hold', 'hold', 'confirm', 'settle', 'settle', 'release', 'renew', 'pass'),
  amount: fc.constantFrom(7, 20, 45),
  /** Share of the hold that is really spent. */
  spent: fc.constantFrom(0, 0.5, 1),
  ms: fc.constantFrom(1000, LEASE_MS / 2, LEASE_MS),
})

interface Reserved {
  readonly client: number
  readonly amount: number
  stage: 'held' | 'sent' | 'lapsed'
  until: number
}

/** The ledger as a list of holds, written for clarity: no totals are kept, all are added up. */
class Model {
  holds: Reserved[] = []
  booked = 0
  now: number

  constructor(now: number) {
    this.now = now
  }

  get held(): number {
    return sum(this.holds.filter(({ stage }) => stage !== 'lapsed'))
  }

  get accrued(): number {
    return this.booked + sum(this.holds.filter(({ stage }) => stage === 'lapsed'))
  }

  lapse(): void {
    for (const hold of this.holds) if (hold.stage === 'sent' && hold.until <= this.now) hold.stage = 'lapsed'
    this.holds = this.holds.filter(({ stage, until }) => stage !== 'held' || until > this.now)
  }

  hold(client: number, amount: number): 'held' | 'wait' | 'never' {
    this.lapse()
    if (this.accrued + this.held + amount > ENVELOPE) return this.held > 0 ? 'wait' : 'never'
    this.holds.push({ client, amount, stage: 'held', until: this.now + LEASE_MS })
    return 'held'
  }
}

const sum = (holds: readonly Reserved[]): number => holds.reduce((total, { amount }) => total + amount, 0)

test('whatever the order of holds, confirmations, settlements and leases that run out: as in a plain model', async () => {
  const server = await startRedis()
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const { open, time } = await sharedLedger(server, `run-${run++}`, ENVELOPE, 1)
      const clients = Array.from({ length: CLIENTS }, () => open(1))
      // What each client believes it has, last taken first, as holds of one size are interchangeable.
      const believed: Reserved[] = []
      const model = new Model(time.now)
      const find = (client: number, stage: 'held' | 'sent', amount: number): Reserved | undefined =>
        believed.findLast((hold) => hold.client === client && hold.amount === amount && beliefs.get(hold) === stage)
      const beliefs = new Map<Reserved, 'held' | 'sent'>()
      const forget = (hold: Reserved): void => {
        believed.splice(believed.indexOf(hold), 1)
        model.holds = model.holds.filter((other) => other !== hold)
      }
      for (const { client, what, amount, spent, ms } of steps) {
        const ledger = clients[client]!
        if (what === 'pass') {
          time.now += ms
          model.now = time.now
        } else if (what === 'renew') {
          await ledger.renew()
          for (const hold of model.holds)
            if (hold.client === client && hold.stage !== 'lapsed') hold.until = model.now + LEASE_MS
        } else if (what === 'hold') {
          const expected = model.hold(client, amount)
          expect(await ledger.hold(amount)).toBe(expected)
          if (expected === 'held') {
            const hold = model.holds.at(-1)!
            believed.push(hold)
            beliefs.set(hold, 'held')
          }
        } else if (what === 'settle') {
          const hold = find(client, 'sent', amount)
          if (hold === undefined) continue
          model.lapse()
          forget(hold)
          const cost = Math.floor(amount * spent)
          model.booked += cost
          await ledger.settle(amount, cost)
        } else {
          const hold = find(client, 'held', amount)
          if (hold === undefined) continue
          model.lapse()
          const alive = model.holds.includes(hold)
          if (what === 'release' || !alive) forget(hold)
          if (what === 'release') await ledger.release(amount)
          else {
            expect(await ledger.confirm(amount)).toBe(alive)
            // Moved to the end: it is the last one sent.
            if (alive) {
              believed.splice(believed.indexOf(hold), 1)
              believed.push(hold)
              beliefs.set(hold, 'sent')
              hold.stage = 'sent'
              hold.until = model.now + LEASE_MS
            }
          }
        }
        expect(model.accrued + model.held).toBeLessThanOrEqual(ENVELOPE)
      }
      // What is left says how much is spent and held: the largest amount that still fits, and what is told of it.
      model.lapse()
      const free = ENVELOPE - model.accrued - model.held
      const last = open(1)
      expect(await last.hold(free + 1)).toBe(model.held > 0 ? 'wait' : 'never')
      expect(last.accrued).toBe(model.accrued)
      if (free > 0) expect(await last.hold(free)).toBe('held')
    }),
    { numRuns: 150 },
  )
})

test('many clients at once, in any order of arrival: spent and held never exceed the envelope', async () => {
  const server = await startRedis()
  const { open, connection, keys } = await sharedLedger(server, 'crowd', 1000, 4)
  const watched = { text: "return redis.call('HMGET', KEYS[1], 'accrued', 'held')", sha1: 'f'.repeat(40) }
  const taken = [0, 0, 0, 0]
  let most = 0
  const work = async (index: number): Promise<void> => {
    const ledger = open(index + 1)
    for (;;) {
      const word = await ledger.hold(10)
      if (word === 'never') return
      if (word === 'wait') {
        await new Promise<void>((resolve) => ledger.onRoom(resolve))
        continue
      }
      await ledger.confirm(10)
      const [accrued, held] = await connection.run(watched, keys, [])
      most = Math.max(most, Number(accrued ?? 0) + Number(held ?? 0))
      const cost = (taken[index]! * 3) % 11 === 0 ? 10 : 6
      taken[index]! += cost
      await ledger.settle(10, cost)
    }
  }
  // Two workers a shard.
  await Promise.all([0, 1, 2, 3, 0, 1, 2, 3].map(work))
  const total = taken.reduce((sum, one) => sum + one, 0)
  expect(most).toBeLessThanOrEqual(1000)
  expect(total).toBeLessThanOrEqual(1000)
  // It ends only when a call of 10 no longer fits.
  expect(total).toBeGreaterThan(990)
  // Each had its quarter, but for less than a call.
  for (const own of taken) expect(own).toBeGreaterThan(240)
})
