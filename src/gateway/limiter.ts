/** Slots for open calls of one provider account, shared by all its models. */
export class Limiter {
  readonly limit: number
  #open = 0
  readonly #waiting = new Set<() => void>()

  constructor(limit: number) {
    this.limit = limit
  }

  /** Takes a slot if one is free; otherwise `wake` is called once when one may be. */
  acquire(wake: () => void): boolean {
    if (this.#open >= this.limit) {
      this.#waiting.add(wake)
      return false
    }
    this.#open += 1
    return true
  }

  /** Gives a slot back and wakes whoever waited, longest wait first. */
  release(): void {
    this.#open -= 1
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }
}
