import type { NanoUsd } from './money.ts'

/**
 * What became of a wish to hold money: `held`; `wait`: it does not fit, and may when calls in flight are settled;
 * `never`: it does not fit, and nothing is in flight that could make room; `lost`: nobody can tell any more.
 */
export type Hold = 'held' | 'wait' | 'never' | 'lost'

/**
 * The money of one model in one run: hold a call's worst case before it is sent, settle to what it cost. As long as no
 * call costs more than was held for it, spent and held together never exceed the envelope.
 */
export interface Ledger {
  readonly envelope: NanoUsd
  /** Spent so far, as far as is known here; unknown spend counted at its bound. */
  readonly accrued: NanoUsd
  /** Holds `amount` for one call, if it fits beside everything spent and held. */
  hold(amount: NanoUsd): Promise<Hold>
  /** Says that what is held is about to be spent. False: it is held no longer, and has to be held again. */
  confirm(amount: NanoUsd): Promise<boolean>
  /** Gives back what was held and not confirmed. */
  release(amount: NanoUsd): Promise<void>
  /** Turns what was held and confirmed into what was really spent. */
  settle(held: NanoUsd, spent: NanoUsd): Promise<void>
  /** Calls back once, after something was settled: what had to wait may fit. */
  onRoom(wake: () => void): void
  close(): Promise<void>
}

/** The ledger of one process. */
export class LocalLedger implements Ledger {
  readonly envelope: NanoUsd
  #accrued: NanoUsd
  #held: NanoUsd = 0
  #waiting: (() => void)[] = []

  /** @param spentBefore part of the envelope that is gone already. */
  constructor(envelope: NanoUsd, spentBefore: NanoUsd = 0) {
    this.envelope = envelope
    this.#accrued = spentBefore
  }

  get accrued(): NanoUsd {
    return this.#accrued
  }

  async hold(amount: NanoUsd): Promise<Hold> {
    if (this.#accrued + this.#held + amount > this.envelope) return this.#held > 0 ? 'wait' : 'never'
    this.#held += amount
    return 'held'
  }

  async confirm(): Promise<boolean> {
    return true
  }

  release(amount: NanoUsd): Promise<void> {
    return this.settle(amount, 0)
  }

  async settle(held: NanoUsd, spent: NanoUsd): Promise<void> {
    this.#held -= held
    this.#accrued += spent
    for (const wake of this.#waiting.splice(0)) wake()
  }

  onRoom(wake: () => void): void {
    this.#waiting.push(wake)
  }

  async close(): Promise<void> {}
}
