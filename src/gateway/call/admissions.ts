import type { AskQueue } from './ask-queue.ts'
import type { PendingAsk } from './pending-ask.ts'

/**
 * Takes asks from a queue, one at a time and in its order: what is decided of one holds until it is carried out. An ask that
 * has to wait goes back, and everything behind it waits along.
 */
export class Admissions {
  readonly #queue: AskQueue
  readonly #admit: (head: PendingAsk) => Promise<boolean>
  #isAtIt = false
  #changedSinceLook = false

  /** @param admit sends or refuses an ask; false: it has to wait. */
  constructor(queue: AskQueue, admit: (head: PendingAsk) => Promise<boolean>) {
    this.#queue = queue
    this.#admit = admit
  }

  /** Something has changed: looks at the queue, now or when it is done with the ask in hand. */
  readonly look = (): void => {
    this.#changedSinceLook = true
    if (!this.#isAtIt) void this.#admitAll()
  }

  async #admitAll(): Promise<void> {
    this.#isAtIt = true
    while (this.#changedSinceLook) {
      this.#changedSinceLook = false
      for (let head = this.#queue.pop(); head !== undefined; head = this.#queue.pop()) {
        if (await this.#admit(head)) continue
        this.#queue.push(head)
        break
      }
    }
    this.#isAtIt = false
  }
}
