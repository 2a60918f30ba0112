import { randomUUID } from 'node:crypto'
import type { Shard } from '../../model/shard.ts'
import type { Hold, Ledger } from '../money/ledger.ts'
import type { NanoUsd } from '../money/money.ts'
import type { RedisConnection } from './connection.ts'
import { CONFIRM, HOLD, LEAVE, RENEW, SETTLE } from './ledger-scripts.ts'
import type { Script } from './script.ts'

const POLL_MS = { least: 50, most: 250 }

/** One model’s envelope in a Redis, and whose share of it this process has. */
export interface RedisLedgerOptions {
  readonly connection: Pick<RedisConnection, 'run'>
  /** Keys of the model's ledger. */
  readonly keys: readonly string[]
  readonly envelope: NanoUsd
  readonly accrued: NanoUsd
  readonly shard: Shard
  readonly leaseMs: number
  /** Time in milliseconds. Default: the server's own. */
  readonly now?: () => number
}

/**
 * The money of one model, shared by all processes that name the same run. Every step is taken by the server at once.
 * Each hold has a lease that is renewed while this process lives.
 */
export class RedisLedger implements Ledger {
  readonly envelope: NanoUsd
  readonly #options: RedisLedgerOptions
  #accrued: NanoUsd
  /** Ids by amount: holds of one amount and stage are as good as each other. */
  readonly #held = new Map<NanoUsd, string[]>()
  readonly #sent = new Map<NanoUsd, string[]>()
  readonly #unbooked = new Set<Promise<void>>()
  #waiting: (() => void)[] = []
  #poll: NodeJS.Timeout | null = null
  readonly #heartbeat: NodeJS.Timeout

  constructor(options: RedisLedgerOptions) {
    this.#options = options
    this.envelope = options.envelope
    this.#accrued = options.accrued
    this.#heartbeat = setInterval(() => void this.renew(), options.leaseMs / 3).unref()
  }

  get accrued(): NanoUsd {
    return this.#accrued
  }

  async hold(amount: NanoUsd): Promise<Hold> {
    if (amount === 0) return 'held'
    const { index, of } = this.#options.shard
    const id = randomUUID()
    const word = await this.#ask(HOLD, [id, String(amount), String(index), String(of)])
    if (word === 'held') add(this.#held, amount, id)
    return word === 'held' || word === 'wait' || word === 'never' ? word : 'lost'
  }

  async confirm(amount: NanoUsd): Promise<boolean> {
    if (amount === 0) return true
    const id = take(this.#held, amount)
    if (id === undefined) return false
    const word = await this.#ask(CONFIRM, [id])
    if (word === 'sent') add(this.#sent, amount, id)
    // Whatever became of the question: nothing is spent on this hold.
    else this.#book(id, 0)
    return word === 'sent'
  }

  async release(amount: NanoUsd): Promise<void> {
    const id = take(this.#held, amount)
    if (id !== undefined) this.#book(id, 0)
  }

  /** Does not wait for the server: an answer that is paid for must be journaled, whatever becomes of the ledger. */
  async settle(held: NanoUsd, spent: NanoUsd): Promise<void> {
    this.#accrued += spent
    this.#book(take(this.#sent, held) ?? randomUUID(), spent)
  }

  onRoom(wake: () => void): void {
    this.#waiting.push(wake)
    const { least, most } = POLL_MS
    this.#poll ??= setTimeout(() => this.#wakeAll(), least + Math.random() * (most - least))
  }

  /** Renews the leases of everything held here. */
  async renew(): Promise<void> {
    const ids = [...this.#held.values(), ...this.#sent.values()].flat()
    if (ids.length > 0) await this.#ask(RENEW, ids)
  }

  /** Waits, for as long as the server is waited for, until everything spent is booked; what is left of the share is free. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeat)
    if (this.#poll !== null) clearTimeout(this.#poll)
    while (this.#unbooked.size > 0) await Promise.all(this.#unbooked)
    await this.#ask(LEAVE, [String(this.#options.shard.index)])
  }

  #book(id: string, spent: NanoUsd): void {
    const booked = this.#deliver(id, spent).finally(() => this.#unbooked.delete(booked))
    this.#unbooked.add(booked)
  }

  /** A lease that runs out before its spend could be told leaves the worst case booked. */
  async #deliver(id: string, spent: NanoUsd): Promise<void> {
    await this.#ask(SETTLE, [id, String(spent), String(this.#options.shard.index)])
    this.#wakeAll()
  }

  #wakeAll(): void {
    if (this.#poll !== null) clearTimeout(this.#poll)
    this.#poll = null
    for (const wake of this.#waiting.splice(0)) wake()
  }

  /** The server's word, or `lost`. */
  async #ask(script: Script, args: readonly string[]): Promise<string> {
    const { connection, keys, leaseMs, now } = this.#options
    const time = now === undefined ? '' : String(now())
    try {
      const [word, accrued] = await connection.run(script, keys, [time, String(leaseMs), ...args])
      if (word !== 'gone') this.#accrued = Number(accrued)
      return word!
    } catch {
      return 'lost'
    }
  }
}

function add(pool: Map<NanoUsd, string[]>, amount: NanoUsd, id: string): void {
  const ids = pool.get(amount)
  if (ids === undefined) pool.set(amount, [id])
  else ids.push(id)
}

function take(pool: Map<NanoUsd, string[]>, amount: NanoUsd): string | undefined {
  const ids = pool.get(amount)
  const id = ids?.pop()
  if (ids?.length === 0) pool.delete(amount)
  return id
}
