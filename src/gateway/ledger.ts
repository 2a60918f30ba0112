import type { NanoUsd } from './money.ts'

/**
 * The money of one model in one run: reserve a call's worst case before it is sent, settle to what it cost.
 * As long as no call costs more than was reserved for it, `accrued + reserved` never exceeds the envelope.
 */
export class Ledger {
  readonly envelope: NanoUsd
  #accrued: NanoUsd = 0
  #reserved: NanoUsd = 0

  constructor(envelope: NanoUsd) {
    this.envelope = envelope
  }

  /** Spent so far, unknown spend counted at its bound. */
  get accrued(): NanoUsd {
    return this.#accrued
  }

  /** Held for calls in flight. */
  get reserved(): NanoUsd {
    return this.#reserved
  }

  /** Whether `amount` fits beside everything spent and held. */
  fits(amount: NanoUsd): boolean {
    return this.#accrued + this.#reserved + amount <= this.envelope
  }

  /**
   * Holds `amount` for one call.
   * @throws RangeError when it does not fit: the caller asks first.
   */
  reserve(amount: NanoUsd): void {
    if (!this.fits(amount)) throw new RangeError(`${amount} nano-dollars do not fit the envelope`)
    this.#reserved += amount
  }

  /** Turns a reservation into what was really spent. */
  settle(reserved: NanoUsd, spent: NanoUsd): void {
    this.#reserved -= reserved
    this.#accrued += spent
  }
}
