/** Longer than any retry of a call takes. */
const PATIENCE_MS = 15 * 60_000
/** A model with slow answers may take so many of its deadlines. */
const DEADLINES = 3

/** How long a model is asked on while it answers nothing. */
export class Patience {
  readonly #mostMs: number
  /** When the first of the faults was met that no answer has followed; null: the last thing was an answer. */
  #since: number | null = null

  /** @param timeoutMs deadline of one attempt. */
  constructor(timeoutMs: number) {
    this.#mostMs = Math.max(PATIENCE_MS, DEADLINES * timeoutMs)
  }

  /** Takes note of an answer, or a fault. @param now in milliseconds. @returns whether it is at its end. */
  endsWith(answered: boolean, now: number): boolean {
    this.#since = answered ? null : (this.#since ?? now)
    return this.#since !== null && now - this.#since >= this.#mostMs
  }
}
