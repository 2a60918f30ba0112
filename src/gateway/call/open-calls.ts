import type { JournalEntry } from '../journal/journal-entry.ts'
import { entryOf, entryOfOpen, type PendingAsk } from './pending-ask.ts'

/** Calls that were sent, until what came of them is written down. */
export class OpenCalls {
  readonly #runs = new Map<Promise<void>, PendingAsk>()
  readonly #outcomes = new Map<PendingAsk, JournalEntry>()

  /** @param run ends when the call is over. */
  add(pending: PendingAsk, run: Promise<void>): void {
    const noted = run.finally(() => this.#runs.delete(noted))
    this.#runs.set(noted, pending)
  }

  get size(): number {
    return this.#runs.size
  }

  /** Notes what came of a call. @returns its entry for the journal. */
  note(pending: PendingAsk, outcome: JournalEntry['outcome']): JournalEntry {
    const entry = entryOf(pending, outcome)
    this.#outcomes.set(pending, entry)
    return entry
  }

  /** What came of a call is written down, or will be tried again. */
  forget(pending: PendingAsk): void {
    this.#outcomes.delete(pending)
  }

  /** Entries of all that is not written down; calls in flight as if they were never answered. */
  unwritten(): JournalEntry[] {
    const inFlight = [...this.#runs.values()].filter((pending) => !this.#outcomes.has(pending))
    return [...this.#outcomes.values(), ...inFlight.flatMap((pending) => entryOfOpen(pending) ?? [])]
  }

  /** Resolves when no call is open. */
  async idle(): Promise<void> {
    while (this.#runs.size > 0) await Promise.all(this.#runs.keys())
  }
}
