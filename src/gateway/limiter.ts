import type { PaceSignal, Pacer } from './pacer.ts'

/** Slots for open calls of one provider account, shared by all its models. */
export class Limiter implements Pacer {
  readonly limit: number
  #open = 0
  /** Who waits for a slot, longest first, each once. */
  readonly #waiting = new Set<() => void>()

  constructor(limit: number) {
    this.limit = limit
  }

  /** Takes a slot if one is free; otherwise `wake` is called once when one may be, after those who asked before. */
  async acquire(wake: () => void): Promise<boolean> {
    if (this.#open >= this.limit) {
      this.#waiting.add(wake)
      return false
    }
    this.#open += 1
    return true
  }

  /** Gives a slot back and wakes as many as there is room for, longest wait first: models of an account take turns. */
  release(_signal: PaceSignal): void {
    this.#open -= 1
    const waiting = [...this.#waiting]
    for (const wake of waiting) {
      if (this.#open >= this.limit) return
      this.#waiting.delete(wake)
      wake()
    }
  }
}
