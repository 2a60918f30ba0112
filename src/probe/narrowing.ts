import { isDryRun } from '../model/call.ts'
import { mostSamplesUntil, widthOf } from '../stats/until.ts'
import type { ProbeCase } from './probe-case.ts'

/** When a run is done that has no fixed number of samples. */
export interface UntilRule {
  /** Half-width of the intervals. */
  readonly target: number
  /** Most samples of a model that are asked for and not there. */
  readonly atOnce: number
}

/** A case, and its first samples on their way. */
export interface Begun {
  readonly probeCase: ProbeCase
  readonly taking: readonly Promise<void>[]
}

interface Sampled {
  readonly probeCase: ProbeCase
  /** Samples that it began with. */
  readonly first: number
  /** Samples that were asked for and are not there. */
  open: number
  /** Half-width once what is open is there; null: nothing more is asked for. */
  width: number | null
}

/**
 * Samples cases until the interval of each is narrow enough, always the one whose interval is widest. It does not wait
 * for an answer where another is going to be asked for in any case. Resolves when nothing more is to be asked for.
 */
export function narrow(begun: readonly Begun[], rule: UntilRule): Promise<void> {
  const narrowing = new Narrowing(begun, rule)
  return narrowing.done
}

class Narrowing {
  readonly done: Promise<void>
  readonly #end: () => void
  readonly #rule: UntilRule
  readonly #most: number
  readonly #all: readonly Sampled[]
  #open = 0

  constructor(begun: readonly Begun[], rule: UntilRule) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.done = promise
    this.#end = resolve
    this.#rule = rule
    this.#most = mostSamplesUntil(rule.target)
    this.#all = begun.map(({ probeCase, taking }) => ({
      probeCase,
      first: taking.length,
      open: 0,
      width: null,
    }))
    for (const [position, { taking }] of begun.entries()) {
      for (const one of taking) void this.#wait(this.#all[position]!, one)
    }
    this.#askMore()
  }

  #askMore(): void {
    while (this.#open < this.#rule.atOnce) {
      const widest = widestOf(this.#all)
      if (widest === null) break
      void this.#wait(widest, widest.probeCase.takeMore())
    }
    if (this.#open === 0) this.#end()
  }

  async #wait(one: Sampled, taking: Promise<void>): Promise<void> {
    this.#count(one, 1)
    await taking
    this.#count(one, -1)
    this.#askMore()
  }

  #count(one: Sampled, change: number): void {
    this.#open += change
    one.open += change
    one.width = widthAhead(one, this.#rule.target, this.#most)
  }
}

function widestOf(all: readonly Sampled[]): Sampled | null {
  let widest: Sampled | null = null
  for (const one of all) {
    if (one.width !== null && (widest === null || one.width > widest.width!)) widest = one
  }
  return widest
}

/** Null where the interval is going to be narrow enough, or cannot be narrowed. */
function widthAhead({ probeCase, first, open }: Sampled, target: number, most: number): number | null {
  const { samples, samplesDue, probeClass, refusal } = probeCase.meta
  if (probeCase.failed || samplesDue >= most) return null
  // A plan holds the most that the rule can ask for.
  if (refusal !== null) return isDryRun(refusal) ? 0.5 : null
  // As many faults in a row as it began with: the next would be one too, and cost as much.
  if (samples.length >= first && samples.slice(-first).every(({ scored }) => !scored)) return null
  const width = widthOf(samples, probeClass, open)
  return width === null || width.ahead <= target ? null : width.ahead
}
