import { expect, test } from 'vitest'
import { CONFIRM, HOLD } from '../../../src/gateway/redis/ledger-scripts.ts'
import { RedisLedger } from '../../../src/gateway/redis/redis-ledger.ts'
import { startRedis } from '../../support/redis-server.ts'
import { LEASE_MS, sharedLedger } from '../../support/shared-ledger.ts'

test('what one holds counts for the other until it is settled', async () => {
  const { open } = await sharedLedger(await startRedis(), 'm', 100, 1)
  const [a, b] = [open(1), open(1)]
  expect(await a.hold(60)).toBe('held')
  expect(await b.hold(41)).toBe('wait')
  expect(await b.hold(40)).toBe('held')
  expect([await a.confirm(60), await b.confirm(40)]).toEqual([true, true])
  await b.settle(40, 0)
  await a.settle(60, 10)
  expect(await b.hold(91)).toBe('never')
  expect(b.accrued).toBe(10)
  expect(await a.hold(90)).toBe('held')
  await a.release(90)
  expect(await b.hold(90)).toBe('held')
})

test('large amounts are counted to the nano-dollar', async () => {
  const most = Number.MAX_SAFE_INTEGER
  const { open } = await sharedLedger(await startRedis(), 'm', most, 1)
  const ledger = open(1)
  expect(await ledger.hold(most - 1)).toBe('held')
  await ledger.confirm(most - 1)
  await ledger.settle(most - 1, most - 1)
  expect(await ledger.hold(2)).toBe('never')
  expect(ledger.accrued).toBe(most - 1)
  expect(await ledger.hold(1)).toBe('held')
})

test('a hold nobody renews is free again after its lease if it was not sent, and counts as spent if it was', async () => {
  const { open, time } = await sharedLedger(await startRedis(), 'm', 100, 1)
  const [gone, here] = [open(1), open(1)]
  await gone.hold(30)
  await gone.hold(50)
  await gone.confirm(50)
  time.now += LEASE_MS - 1
  expect(await here.hold(21)).toBe('wait')
  time.now += 1
  // 50 may have been billed; 30 were never on their way.
  expect(await here.hold(51)).toBe('never')
  expect(here.accrued).toBe(50)
  expect(await here.hold(50)).toBe('held')
})

test('who comes back after its lease sends nothing on its hold, and what it had sent is booked once', async () => {
  const { open, time } = await sharedLedger(await startRedis(), 'm', 100, 1)
  const [late, other] = [open(1), open(1)]
  await late.hold(40)
  await late.hold(60)
  await late.confirm(60)
  time.now += LEASE_MS
  expect(await other.hold(40)).toBe('held')
  expect(await late.confirm(40)).toBe(false)
  await late.settle(60, 7)
  expect(await other.hold(53)).toBe('held')
  expect(await other.hold(1)).toBe('wait')
  expect(other.accrued).toBe(7)
})

test('a confirmation that is sent again after the lease has run out confirms nothing', async () => {
  const { open, time, connection, keys } = await sharedLedger(await startRedis(), 'm', 100, 1)
  const say = async (script: typeof HOLD, ...args: string[]) =>
    (await connection.run(script, keys, [String(time.now), String(LEASE_MS), 'id', ...args]))[0]
  expect(await say(HOLD, '60', '1', '1')).toBe('held')
  expect(await say(CONFIRM)).toBe('sent')
  expect(await say(CONFIRM)).toBe('sent')
  time.now += LEASE_MS
  expect(await say(CONFIRM)).toBe('lapsed')
  expect(await open(1).hold(41)).toBe('never')
})

test('a renewed lease does not run out', async () => {
  const { open, time } = await sharedLedger(await startRedis(), 'm', 100, 1)
  const [owner, other] = [open(1), open(1)]
  await owner.hold(100)
  for (let round = 0; round < 3; round += 1) {
    time.now += LEASE_MS - 1
    await owner.renew()
  }
  expect(await other.hold(1)).toBe('wait')
  expect(await owner.confirm(100)).toBe(true)
})

test('a message that is sent again counts once', async () => {
  const { open, connection, keys } = await sharedLedger(await startRedis(), 'm', 100, 1)
  const twice = {
    run: async (...message: Parameters<typeof connection.run>) => {
      await connection.run(...message)
      return connection.run(...message)
    },
  }
  const other = open(1)
  const ledger = new RedisLedger({
    connection: twice,
    keys,
    envelope: 100,
    accrued: 0,
    shard: { index: 1, of: 1 },
    leaseMs: LEASE_MS,
    now: () => 1_000_000,
  })
  expect(await ledger.hold(60)).toBe('held')
  expect(await ledger.confirm(60)).toBe(true)
  await ledger.settle(60, 25)
  await ledger.settle(0, 5)
  await ledger.close()
  expect(await other.hold(71)).toBe('never')
  expect(other.accrued).toBe(30)
})

test('who had to wait is called once, soon after another process has settled', async () => {
  const { open } = await sharedLedger(await startRedis(), 'm', 100, 1)
  const [a, b] = [open(1), open(1)]
  await a.hold(100)
  await a.confirm(100)
  expect(await b.hold(1)).toBe('wait')
  const woken = new Promise<void>((resolve) => b.onRoom(resolve))
  await a.settle(100, 10)
  await woken
  expect(await b.hold(90)).toBe('held')
})

test('an emptied ledger is not begun again: nothing more is held', async () => {
  const { open, connection, keys } = await sharedLedger(await startRedis(), 'm', 100, 1)
  const ledger = open(1)
  expect(await ledger.hold(10)).toBe('held')
  await connection.run({ text: "return { redis.call('DEL', unpack(KEYS)) }", sha1: '0'.repeat(40) }, keys, [])
  expect(await ledger.confirm(10)).toBe(false)
  expect(await ledger.hold(10)).toBe('lost')
})

test('no shard takes what another can still claim of its share, while it is at work or may yet come', async () => {
  const { open, time } = await sharedLedger(await startRedis(), 'm', 100, 2)
  const [first, second] = [open(1), open(2)]
  for (let count = 0; count < 5; count += 1) expect(await first.hold(10)).toBe('held')
  // Its half is taken; the other half is the second's, who has not come yet.
  expect(await first.hold(10)).toBe('wait')
  for (let count = 0; count < 4; count += 1) expect(await second.hold(10)).toBe('held')
  expect(await first.hold(10)).toBe('wait')
  // The second needs more than is left of its share: it cannot use it alone, and others may.
  expect(await second.hold(11)).toBe('wait')
  expect(await first.hold(10)).toBe('held')
  time.now += 1
})

test('a share nobody has asked for during a lease is free for all', async () => {
  const { open, time } = await sharedLedger(await startRedis(), 'm', 100, 4)
  const only = open(3)
  await only.hold(25)
  expect(await only.hold(25)).toBe('wait')
  time.now += LEASE_MS - 1
  await only.renew()
  expect(await only.hold(25)).toBe('wait')
  time.now += 1
  expect(await only.hold(75)).toBe('held')
})

test('a shard that is done leaves the rest of its share to the others', async () => {
  const { open } = await sharedLedger(await startRedis(), 'm', 100, 2)
  const [first, second] = [open(1), open(2)]
  await first.hold(10)
  await first.confirm(10)
  await first.settle(10, 10)
  expect(await second.hold(90)).toBe('wait')
  await first.close()
  expect(await second.hold(90)).toBe('held')
})
