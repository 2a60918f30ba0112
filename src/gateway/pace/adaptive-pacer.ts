import type { PaceNow, Pacing } from '../../model/pacing.ts'
import type { Clock } from '../clock.ts'
import { PaceLog } from './pace-log.ts'
import { initialPace, nextPace, pauseLeft, type PaceState } from './pace-policy.ts'
import type { Pacer, PaceSignal } from './pacer.ts'

/** The pacer of one process: waits and wakes as the policy has it. */
export class AdaptivePacer implements Pacer {
  readonly #clock: Clock
  readonly #log: PaceLog
  #state: PaceState
  #open = 0
  /** Who waits for a slot, longest first, each once. */
  readonly #waiting = new Set<() => void>()
  /** Ends the wait for the end of a pause. */
  #cancelAlarm: (() => void) | null = null
  #closed = false

  /** @param bound most calls that may ever be open at once. */
  constructor(bound: number, clock: Clock) {
    this.#clock = clock
    this.#state = initialPace(bound)
    this.#log = new PaceLog(this.#state, clock.now())
  }

  async acquire(wake: () => void): Promise<boolean> {
    if (this.#pauseMs() > 0 || this.#open >= this.#state.limit) {
      this.#waiting.add(wake)
      this.#setAlarm()
      return false
    }
    this.#open += 1
    return true
  }

  release(signal: PaceSignal): void {
    const [before, now] = [this.#state, this.#clock.now()]
    this.#open -= 1
    this.#state = nextPace(before, signal, now)
    this.#log.note(signal, before, this.#state, now)
    this.#wake()
  }

  now(): PaceNow {
    return { limit: this.#state.limit, pausedMs: this.#pauseMs() }
  }

  report(): Pacing {
    return this.#log.report()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancelAlarm?.()
    this.#waiting.clear()
  }

  #pauseMs(): number {
    return pauseLeft(this.#state, this.#clock.now())
  }

  /** Wakes as many as there is room for, longest wait first: models of an account take turns. */
  #wake(): void {
    if (this.#waiting.size === 0) return
    if (this.#pauseMs() > 0) return this.#setAlarm()
    const waiting = [...this.#waiting]
    for (const wake of waiting) {
      if (this.#open >= this.#state.limit) return
      this.#waiting.delete(wake)
      wake()
    }
  }

  /** One alarm is enough: when it rings too early, because a pause became longer, it is set again. */
  #setAlarm(): void {
    const pauseMs = this.#pauseMs()
    if (pauseMs === 0 || this.#cancelAlarm !== null || this.#closed) return
    this.#cancelAlarm = this.#clock.after(pauseMs, () => {
      this.#cancelAlarm = null
      this.#wake()
    })
  }
}
