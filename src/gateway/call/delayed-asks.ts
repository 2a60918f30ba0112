import type { Clock } from '../clock.ts'
import type { PendingAsk } from './pending-ask.ts'

/** Retries and second calls that wait for their time; what they may cost is held for them. */
export class DelayedAsks {
  readonly #clock: Clock
  readonly #waiting = new Map<PendingAsk, () => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Those of them that are tried again after a fault. */
  get retries(): number {
    return [...this.#waiting.keys()].filter(({ lastFault }) => lastFault !== null).length
  }

  /** @param due is called after so many milliseconds, unless the wait is ended before. */
  add(pending: PendingAsk, delayMs: number, due: () => void): void {
    const cancel = this.#clock.after(delayMs, () => {
      this.#waiting.delete(pending)
      due()
    })
    this.#waiting.set(pending, cancel)
  }

  /** Ends all waits. @returns the asks, in the order in which they began to wait. */
  end(): PendingAsk[] {
    const ended = [...this.#waiting.keys()]
    for (const cancel of this.#waiting.values()) cancel()
    this.#waiting.clear()
    return ended
  }
}
