import { ProbeError } from '../../model/errors.ts'
import type { Shard } from '../../model/shard.ts'
import type { Ledger } from '../money/ledger.ts'
import { toUsd, type NanoUsd } from '../money/money.ts'
import type { Pacer } from '../pace/pacer.ts'
import type { SharedRun } from '../shared-run.ts'
import type { LedgerAddress } from './address.ts'
import { RedisConnection } from './connection.ts'
import { RedisLedger } from './redis-ledger.ts'
import { RedisPacer } from './redis-pacer.ts'
import { CONFIRM, HOLD, JOIN, LEAVE, LOOK, RENEW, SETTLE } from './ledger-scripts.ts'
import { ACQUIRE, ADVANCE, RENEW_SLOTS } from './pace-scripts.ts'

const SCRIPTS = [JOIN, LOOK, HOLD, CONFIRM, SETTLE, RENEW, LEAVE, ACQUIRE, ADVANCE, RENEW_SLOTS]

/** A run that several processes share in one Redis. */
export class RedisRun implements SharedRun {
  readonly #address: LedgerAddress
  readonly #envelope: NanoUsd
  readonly #shard: Shard
  readonly #connection: RedisConnection
  readonly #run: string
  /** What models had spent when they were joined. */
  readonly #joined = new Map<string, NanoUsd>()
  readonly #ledgers: RedisLedger[] = []

  /** @param envelope of the whole run, each model its own. */
  constructor(address: LedgerAddress, envelope: NanoUsd, shard: Shard | null) {
    this.#address = address
    this.#envelope = envelope
    this.#shard = shard ?? { index: 1, of: 1 }
    this.#connection = new RedisConnection(address, SCRIPTS)
    this.#run = address.run ?? new Date().toISOString().slice(0, 10)
  }

  async join(modelKey: string): Promise<void> {
    if (this.#joined.has(modelKey)) return
    const args = ['', String(this.#address.leaseMs), String(this.#envelope), String(this.#shard.of)]
    const there = await this.#connection.run(JOIN, this.#ledgerKeys(modelKey), args)
    this.#refuseOther(modelKey, there)
    this.#joined.set(modelKey, Number(there[2]))
  }

  async look(modelKey: string): Promise<NanoUsd> {
    const args = ['', String(this.#address.leaseMs)]
    const there = await this.#connection.run(LOOK, this.#ledgerKeys(modelKey), args)
    this.#refuseOther(modelKey, there)
    // Of a ledger that nobody has opened yet nothing is spent.
    return Number(there[2] ?? 0)
  }

  #refuseOther(modelKey: string, [envelope, shards]: readonly string[]): void {
    if (envelope === undefined) return
    const there = `the run ${this.#run} at ${this.#address.shown} has for ${modelKey}`
    if (Number(envelope) !== this.#envelope) throw otherRun(`${there} an envelope of $${toUsd(Number(envelope))}`)
    if (Number(shards) !== this.#shard.of) throw otherRun(`${there} ${shards} shards`)
  }

  ledger(modelKey: string): Ledger {
    const accrued = this.#joined.get(modelKey)
    // Opened again here, a ledger that was lost in between would begin from nothing.
    if (accrued === undefined) throw new ProbeError('LEDGER_UNREACHABLE', `${modelKey} is not in the shared ledger`)
    const ledger = new RedisLedger({
      connection: this.#connection,
      keys: this.#ledgerKeys(modelKey),
      envelope: this.#envelope,
      accrued,
      shard: this.#shard,
      leaseMs: this.#address.leaseMs,
    })
    this.#ledgers.push(ledger)
    return ledger
  }

  pacer(account: string, bound: number): Pacer {
    const { leaseMs } = this.#address
    const keys = this.#keys(account, ['pace', 'slots', 'tickets', 'asked'])
    return new RedisPacer({ connection: this.#connection, keys, bound, leaseMs })
  }

  async close(): Promise<void> {
    await Promise.all(this.#ledgers.map((ledger) => ledger.close()))
    this.#connection.close()
  }

  #ledgerKeys(modelKey: string): string[] {
    return this.#keys(modelKey, ['state', 'holds', 'leases', 'settled'])
  }

  /** All of a script in one slot of a cluster. */
  #keys(whose: string, names: readonly string[]): string[] {
    const prefix = `modelrig-probes:{${this.#run}:${encodeURIComponent(whose)}}`
    return names.map((name) => `${prefix}:${name}`)
  }
}

function otherRun(what: string): ProbeError {
  return new ProbeError('OPTION_INVALID', what, {
    field: 'PROBE_LEDGER',
    fix: 'give all machines the same envelope and the same n of --shard i/n; for another run name it: ?run=NAME',
  })
}
