import { onTestFinished } from 'vitest'
import { RedisConnection } from '../../src/gateway/redis/connection.ts'
import { parseLedgerAddress } from '../../src/gateway/redis/address.ts'
import { RedisLedger } from '../../src/gateway/redis/redis-ledger.ts'
import { CONFIRM, HOLD, JOIN, LEAVE, RENEW, SETTLE } from '../../src/gateway/redis/ledger-scripts.ts'
import type { RedisServer } from './redis-server.ts'

/** How long a hold outlives its owner on the clock of `sharedLedger`. */
export const LEASE_MS = 30_000

/** Ledgers of one model on one server, and a clock of their own that stands still until it is set. */
export async function sharedLedger(server: RedisServer, name: string, envelope: number, shards: number) {
  const address = parseLedgerAddress(server.url)!
  const connection = new RedisConnection(address, [JOIN, HOLD, CONFIRM, SETTLE, RENEW, LEAVE])
  const time = { now: 1_000_000 }
  const keys = ['state', 'holds', 'leases', 'settled'].map((key) => `{${name}}:${key}`)
  await connection.run(JOIN, keys, [String(time.now), String(LEASE_MS), String(envelope), String(shards)])
  const opened: RedisLedger[] = []
  const open = (index: number): RedisLedger => {
    const shard = { index, of: shards }
    const options = { connection, keys, envelope, accrued: 0, shard, leaseMs: LEASE_MS, now: () => time.now }
    const ledger = new RedisLedger(options)
    opened.push(ledger)
    return ledger
  }
  onTestFinished(async () => {
    await Promise.all(opened.map((ledger) => ledger.close()))
    connection.close()
  })
  return { open, time, connection, keys }
}
