interface Seen {
  readonly at: number
  readonly count: number
}

/** Less would be a guess. */
const LEAST_SAMPLES = 10
const LEAST_MS = 10_000
/** Points that a run is remembered by. */
const POINTS = 200

/**
 * Estimates how long a model's samples still take, from how fast they came in the later half of the time so far: long
 * enough to average over calls that are answered in bursts, and not so long that it misses a change of pace.
 */
export class TimeLeft {
  /** Oldest first; the first is not younger than half of the time. */
  #seen: Seen[] = []
  #since: number | null = null

  /** Notes how many samples there are that took their time: those of the journal come at once. */
  note(at: number, count: number): void {
    this.#since ??= at
    const last = this.#seen.at(-1)
    const apart = (at - this.#since) / POINTS
    if (last !== undefined && at - last.at < apart) return
    this.#seen.push({ at, count })
    const half = this.#since + (at - this.#since) / 2
    while (this.#seen.length > 2 && this.#seen[1]!.at <= half) this.#seen.shift()
  }

  /** Milliseconds for so many samples more; null where there is too little to tell. */
  estimate(remaining: number): number | null {
    if (remaining === 0) return 0
    const [first, last] = [this.#seen[0], this.#seen.at(-1)]
    if (first === undefined || last === undefined) return null
    const [ms, count] = [last.at - first.at, last.count - first.count]
    return ms < LEAST_MS || count < LEAST_SAMPLES ? null : (remaining * ms) / count
  }
}
