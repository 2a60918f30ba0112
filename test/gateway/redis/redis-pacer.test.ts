import { expect, onTestFinished, test } from 'vitest'
import { parseLedgerAddress } from '../../../src/gateway/redis/address.ts'
import { RedisConnection } from '../../../src/gateway/redis/connection.ts'
import { ACQUIRE, ADVANCE, RENEW_SLOTS } from '../../../src/gateway/redis/pace-scripts.ts'
import { RedisPacer } from '../../../src/gateway/redis/redis-pacer.ts'
import { startRedis } from '../../support/redis-server.ts'

const LEASE_MS = 30_000
const CLEAN = { kind: 'clean' } as const
const NOBODY = (): void => undefined

/** Pacers of one account, on a clock of their own that stands still until it is set. */
async function account() {
  const server = await startRedis()
  const connection = new RedisConnection(parseLedgerAddress(server.url)!, [ACQUIRE, ADVANCE, RENEW_SLOTS])
  const keys = ['pace', 'slots', 'tickets', 'asked'].map((name) => `{account}:${name}`)
  const time = { now: 1_000_000 }
  const opened: RedisPacer[] = []
  const open = (bound: number): RedisPacer => {
    const pacer = new RedisPacer({ connection, keys, bound, leaseMs: LEASE_MS, now: () => time.now })
    opened.push(pacer)
    return pacer
  }
  onTestFinished(async () => {
    await Promise.all(opened.map((pacer) => pacer.close()))
    connection.close()
  })
  const limit = async (): Promise<number> => {
    const [text] = await connection.run(
      { text: "return { redis.call('GET', KEYS[1]) }", sha1: '0'.repeat(40) },
      keys,
      [],
    )
    return (JSON.parse(text!) as { limit: number }).limit
  }
  return { server, open, time, limit }
}

test('what is open in one process counts in the other, until it is given back', async () => {
  const { open } = await account()
  const [a, b] = [open(2), open(2)]
  expect([await a.acquire(NOBODY), await b.acquire(NOBODY)]).toEqual([true, true])
  expect(await a.acquire(NOBODY)).toBe(false)
  const woken = new Promise<void>((resolve) => void a.acquire(resolve))
  b.release(CLEAN)
  await woken
  expect(await a.acquire(NOBODY)).toBe(true)
  expect(await b.acquire(NOBODY)).toBe(false)
})

test('a slot that gets free goes to the process that has waited, not to the one that asks faster', async () => {
  const { open } = await account()
  const [fast, patient] = [open(1), open(1)]
  await fast.acquire(NOBODY)
  expect(await patient.acquire(NOBODY)).toBe(false)
  fast.release(CLEAN)
  await fast.close()
  expect(await fast.acquire(NOBODY)).toBe(false)
  expect(await patient.acquire(NOBODY)).toBe(true)
})

test('who waited and has not asked for a second is not waited for', async () => {
  const { open, time } = await account()
  const [one, gone] = [open(1), open(1)]
  await one.acquire(NOBODY)
  expect(await gone.acquire(NOBODY)).toBe(false)
  one.release(CLEAN)
  await one.close()
  await gone.close()
  time.now += 1000
  expect(await one.acquire(NOBODY)).toBe(true)
})

test('what one is told of the account all keep: the pause and the cut', async () => {
  const { open, time, limit } = await account()
  const [told, other] = [open(16), open(16)]
  await told.acquire(NOBODY)
  expect(await limit()).toBe(16)
  told.release({ kind: 'rate_limited', retryAfterMs: 5000 })
  await told.close()
  expect(await limit()).toBe(8)
  expect(told.now()).toEqual({ limit: 8, pausedMs: 5000 })
  expect(await other.acquire(NOBODY)).toBe(false)
  time.now += 4999
  expect(await other.acquire(NOBODY)).toBe(false)
  time.now += 1
  expect(await other.acquire(NOBODY)).toBe(true)
  expect(told.report()).toMatchObject({ rateLimited: 1, clean: 0 })
})

test('no answer is lost when many processes tell of theirs at once', async () => {
  const { open, limit } = await account()
  const pacers = [open(1000), open(1000), open(1000), open(1000)]
  for (const pacer of pacers) for (let count = 0; count < 5; count += 1) expect(await pacer.acquire(NOBODY)).toBe(true)
  for (const pacer of pacers) for (let count = 0; count < 5; count += 1) pacer.release(CLEAN)
  await Promise.all(pacers.map((pacer) => pacer.close()))
  // It begins with 20; each clean answer makes room for one more.
  expect(await limit()).toBe(40)
  expect(pacers.map((pacer) => pacer.report().clean)).toEqual([5, 5, 5, 5])
})

test('slots of a process that died are free after the lease', async () => {
  const { open, time } = await account()
  const [died, other] = [open(2), open(2)]
  await died.acquire(NOBODY)
  await died.acquire(NOBODY)
  time.now += LEASE_MS - 1
  expect(await other.acquire(NOBODY)).toBe(false)
  time.now += 1
  expect(await other.acquire(NOBODY)).toBe(true)
})

test('a process keeps to its own bound too', async () => {
  const { open } = await account()
  const [many, few] = [open(10), open(1)]
  expect(await many.acquire(NOBODY)).toBe(true)
  expect(await few.acquire(NOBODY)).toBe(true)
  expect(await few.acquire(NOBODY)).toBe(false)
  expect(await many.acquire(NOBODY)).toBe(true)
})

test('without its server it holds nobody up', async () => {
  const { server, open } = await account()
  const pacer = open(1)
  expect(await pacer.acquire(NOBODY)).toBe(true)
  pacer.release(CLEAN)
  await pacer.close()
  await server.stop()
  expect(await pacer.acquire(NOBODY)).toBe(true)
  expect(await pacer.acquire(NOBODY)).toBe(false)
  pacer.release(CLEAN)
  expect(await pacer.acquire(NOBODY)).toBe(true)
})

test('the end of a run does not wait for a server that is gone, slot by slot', async () => {
  let asked = 0
  const connection = { run: () => Promise.reject(new Error(`no answer to ${++asked}`)) }
  const pacer = new RedisPacer({ connection, keys: ['pace'], bound: 40, leaseMs: LEASE_MS })
  for (let slot = 0; slot < 40; slot += 1) expect(await pacer.acquire(NOBODY)).toBe(true)
  for (let slot = 0; slot < 40; slot += 1) pacer.release(CLEAN)
  await pacer.close()
  expect(asked).toBe(40)
})
