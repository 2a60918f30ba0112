import type { Clock } from '../../src/gateway/clock.ts'

interface Alarm {
  readonly at: number
  readonly order: number
  readonly callback: () => void
}

/** A clock that stands still until it is told to run: time passes only between events. */
export class VirtualClock implements Clock {
  #now = 0
  #order = 0
  readonly #alarms = new Set<Alarm>()
  readonly random: () => number

  constructor(random: () => number = () => 0.5) {
    this.random = random
  }

  now(): number {
    return this.#now
  }

  after(ms: number, callback: () => void): () => void {
    const alarm = { at: this.#now + ms, order: this.#order++, callback }
    this.#alarms.add(alarm)
    return () => this.#alarms.delete(alarm)
  }

  /** Resolves `ms` later on this clock. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  /** Lets time pass, event after event, until `done` settles. Throws when nothing is left to wait for. */
  async runUntil<T>(done: Promise<T>): Promise<T> {
    let settled = false
    const watched = done.finally(() => (settled = true))
    watched.catch(() => undefined)
    for (;;) {
      await idle()
      if (settled) return watched
      const next = [...this.#alarms].toSorted((a, b) => a.at - b.at || a.order - b.order)[0]
      if (next === undefined) throw new Error('deadlock: nothing is left that could happen')
      this.#alarms.delete(next)
      this.#now = next.at
      next.callback()
    }
  }
}

/** All promise callbacks that are due, and those they make due, have run. */
function idle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
