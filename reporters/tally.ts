import type { Planned } from '../src/model/case-meta.ts'
import { PROBE_CLASSES, type ProbeClass } from '../src/model/fixture.ts'
import { isIneligible, type Sample } from '../src/model/sample.ts'

/** How many samples of a model there are, and are to be. */
export interface ModelTally {
  readonly modelKey: string
  readonly planned: number
  /** Where the number is not fixed, the most there can be; else the same. */
  readonly most: number
  readonly done: number
  /** Those of them that were not answered from the journal. */
  readonly bought: number
  /** Those of them that faults spoiled. */
  readonly unscored: number
  /** Those that will not come. */
  readonly lost: number
}

type Counts = { -readonly [Name in keyof ModelTally]: ModelTally[Name] }

/** Longer than any model key there is. */
const LONGEST_KEY = 300

/** Counts the samples of the class that is being measured: classes are measured one after the other. */
export class Tally {
  #probeClass: ProbeClass | null = null
  readonly #models = new Map<string, Counts>()

  /** The class; null: nothing is planned yet. */
  get probeClass(): ProbeClass | null {
    return this.#probeClass
  }

  reset(): void {
    this.#probeClass = null
    this.#models.clear()
  }

  /** Takes note of samples to come. A probe file can tell of anything: what cannot be shown is left out. */
  plan({ probeClass, modelKey, samples, most }: Planned): void {
    if (!PROBE_CLASSES.includes(probeClass) || !isShown(modelKey) || !isCount(samples) || !isCount(most)) return
    if (probeClass !== this.#probeClass) this.#models.clear()
    this.#probeClass = probeClass
    const { planned, most: before, ...rest } = this.#models.get(modelKey) ?? nothingOf(modelKey)
    this.#models.set(modelKey, { ...rest, planned: planned + samples, most: before + Math.max(samples, most) })
  }

  count(modelKey: string, sample: Sample): void {
    const counts = this.#models.get(modelKey)
    if (counts === undefined) return
    counts.done += 1
    if (!sample.replayed) counts.bought += 1
    if (!sample.scored && !isIneligible(sample)) counts.unscored += 1
  }

  lose(modelKey: string, samples: number): void {
    const counts = this.#models.get(modelKey)
    if (counts !== undefined && isCount(samples)) counts.lost = Math.min(counts.lost + samples, counts.most)
  }

  models(): readonly ModelTally[] {
    return [...this.#models.values()]
  }
}

/** Samples that may still come, at most. */
export function remainingOf({ most, done, lost }: ModelTally): number {
  return Math.max(most - done - lost, 0)
}

function nothingOf(modelKey: string): Counts {
  return { modelKey, planned: 0, most: 0, done: 0, bought: 0, unscored: 0, lost: 0 }
}

function isShown(modelKey: unknown): boolean {
  return typeof modelKey === 'string' && modelKey.length <= LONGEST_KEY && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(modelKey)
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
