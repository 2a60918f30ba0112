import { randomUUID } from 'node:crypto'
import type { PaceNow, Pacing } from '../../model/pacing.ts'
import { PaceLog } from '../pace/pace-log.ts'
import { initialPace, nextPace, pauseLeft, type PaceState } from '../pace/pace-policy.ts'
import type { Pacer, PaceSignal } from '../pace/pacer.ts'
import type { RedisConnection } from './connection.ts'
import { ACQUIRE, ADVANCE, RENEW_SLOTS } from './pace-scripts.ts'
import type { Script } from './script.ts'

const POLL_MS = { least: 25, most: 100 }
/** A pause can end sooner than it was told: it is looked at again. */
const LONGEST_POLL_MS = 5000

export interface RedisPacerOptions {
  readonly connection: Pick<RedisConnection, 'run'>
  /** Keys of the account. */
  readonly keys: readonly string[]
  /** Most calls that may ever be open at once. */
  readonly bound: number
  readonly leaseMs: number
  /** Time in milliseconds. Default: the server's own. */
  readonly now?: () => number
}

/**
 * The slots of one account, shared by all processes of a run: what one is told of the account's limits, all keep. The
 * pace is the server's, the policy is computed here and set if nobody else has set it meanwhile. Without its server it
 * lets everything through: nothing is sent then, since the ledger is there too.
 */
export class RedisPacer implements Pacer {
  readonly #options: RedisPacerOptions
  readonly #process = randomUUID()
  readonly #log: PaceLog
  readonly #initial: string
  /** The pace when this process last changed or read it, and the server's time less that of this process. */
  #seen: PaceState
  #aheadMs = 0
  readonly #slots: string[] = []
  #untracked = 0
  readonly #waiting = new Set<() => void>()
  #poll: NodeJS.Timeout | null = null
  readonly #heartbeat: NodeJS.Timeout
  /** The server did not answer when it was last asked. */
  #lost = false
  #closed = false
  /** Advances are made in turn. */
  #advanced: Promise<void> = Promise.resolve()

  constructor(options: RedisPacerOptions) {
    this.#options = options
    const state = initialPace(options.bound)
    this.#initial = JSON.stringify(state)
    this.#seen = state
    this.#log = new PaceLog(state, Date.now())
    this.#heartbeat = setInterval(() => void this.#renew(), options.leaseMs / 3).unref()
  }

  async acquire(wake: () => void): Promise<boolean> {
    if (this.#slots.length + this.#untracked >= this.#options.bound) {
      this.#waiting.add(wake)
      return false
    }
    const id = randomUUID()
    const [word, pauseMs] = await this.#ask(ACQUIRE, [this.#process, id, this.#initial])
    if (word === 'open') this.#slots.push(id)
    else if (word === 'wait') this.#wakeLater(wake, Number(pauseMs))
    else this.#untracked += 1
    return word !== 'wait'
  }

  release(signal: PaceSignal): void {
    const id = this.#slots.pop()
    if (id === undefined) this.#untracked -= 1
    this.#advanced = this.#advanced.then(() => this.#advance(id ?? '', signal))
  }

  now(): PaceNow {
    const now = this.#options.now?.() ?? Date.now() + this.#aheadMs
    return { limit: this.#seen.limit, pausedMs: pauseLeft(this.#seen, now) }
  }

  report(): Pacing {
    return this.#log.report()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#heartbeat)
    if (this.#poll !== null) clearTimeout(this.#poll)
    this.#waiting.clear()
    await this.#advanced
  }

  async #advance(id: string, signal: PaceSignal): Promise<void> {
    // At the end nobody waits, for each slot once more, for a server that is gone: its leases run out.
    if (this.#closed && this.#lost) return
    let [word, text = '', time] = await this.#ask(ADVANCE, [id, '', ''])
    while (word === 'is' && text !== '') {
      const [state, now] = [JSON.parse(text) as PaceState, Number(time)]
      const next = nextPace(state, signal, now)
      this.#seen = next
      this.#aheadMs = now - Date.now()
      const nextText = JSON.stringify(next)
      const [became, other = '', later] = nextText === text ? ['set'] : await this.#ask(ADVANCE, ['', text, nextText])
      if (became === 'set') this.#log.note(signal, state, next, now)
      ;[word, text, time] = [became, other, later]
    }
    this.#wakeAll()
  }

  #wakeLater(wake: () => void, pauseMs: number): void {
    this.#waiting.add(wake)
    const { least, most } = POLL_MS
    const ms = Math.min(pauseMs, LONGEST_POLL_MS) + least + Math.random() * (most - least)
    this.#poll ??= setTimeout(() => this.#wakeAll(), ms)
  }

  #wakeAll(): void {
    if (this.#poll !== null) clearTimeout(this.#poll)
    this.#poll = null
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }

  async #renew(): Promise<void> {
    if (this.#slots.length > 0) await this.#ask(RENEW_SLOTS, this.#slots)
  }

  /** The server's words, or `lost`. */
  async #ask(script: Script, args: readonly string[]): Promise<readonly (string | undefined)[]> {
    const { connection, keys, leaseMs, now } = this.#options
    const time = now === undefined ? '' : String(now())
    try {
      const answer = await connection.run(script, keys, [time, String(leaseMs), ...args])
      this.#lost = false
      return answer
    } catch {
      this.#lost = true
      return ['lost']
    }
  }
}
