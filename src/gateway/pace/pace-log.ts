import { MOST_PACE_CHANGES, type PaceChange, type Pacing } from '../../model/pacing.ts'
import type { PaceState } from './pace-policy.ts'
import type { PaceSignal } from './pacer.ts'

/** The changes of one account's pace, as they stand in result files. */
export class PaceLog {
  readonly #bound: number
  readonly #counts = { clean: 0, rate_limited: 0, strained: 0, neutral: 0 }
  readonly #changes: PaceChange[] = []
  #unlisted = 0

  constructor(start: PaceState, now: number) {
    this.#bound = start.bound
    this.#add({ at: iso(now), reason: 'start', limit: start.limit })
  }

  /** Notes what an attempt has changed. */
  note(signal: PaceSignal, before: PaceState, after: PaceState, now: number): void {
    this.#counts[signal.kind] += 1
    const { limit } = after
    const longer = after.pausedUntil > Math.max(before.pausedUntil, now)
    if (limit === before.limit && !longer) return
    const reason: PaceChange['reason'] =
      signal.kind === 'rate_limited' ? 'rate_limited' : longer ? 'exhausted' : 'clean'
    const pausedMs = longer ? { pausedMs: after.pausedUntil - now } : {}
    const change: PaceChange = { at: iso(now), reason, limit, from: before.limit, ...pausedMs }
    const last = this.#changes.at(-1)
    const joined =
      this.#unlisted > 0 || last === undefined ? null : this.#joined(last, change, before.pausedUntil > now)
    if (joined === null) this.#add(change)
    else this.#changes[this.#changes.length - 1] = joined
  }

  report(): Pacing {
    const { clean, rate_limited: rateLimited, strained } = this.#counts
    return {
      bound: this.#bound,
      clean,
      rateLimited,
      strained,
      changes: this.#changes.map((change) => ({ ...change })),
      unlisted: this.#unlisted,
    }
  }

  /** Steps of growth in a row are one entry, and so is a pause that becomes longer while it lasts; null: it is another. */
  #joined(last: PaceChange, change: PaceChange, whilePaused: boolean): PaceChange | null {
    const { pausedMs: pause, ...step } = change
    if (pause === undefined) {
      const growing = last.reason === 'clean' && last.pausedMs === undefined && change.reason === 'clean'
      return growing ? { ...last, limit: step.limit } : null
    }
    if (!whilePaused || last.pausedMs === undefined || change.limit !== last.limit) return null
    return { ...last, pausedMs: Date.parse(change.at) + pause - Date.parse(last.at) }
  }

  #add(change: PaceChange): void {
    if (this.#changes.length < MOST_PACE_CHANGES) this.#changes.push(change)
    else this.#unlisted += 1
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
