import { isCaseMeta, isSample } from '../src/results/case-meta-check.ts'
import { caseKey, type CaseMeta, type Progress } from '../src/model/case-meta.ts'
import type { Sample } from '../src/model/sample.ts'
import { Tally } from './tally.ts'

/** Whether a request to a model was made in this run. */
export type Vouches = (modelKey: string, requestHash: string) => boolean

/**
 * The cases of the current run as workers tell of them. Vitest hands metadata on when a test ends: what was measured
 * for tests that never got there, because the run was cancelled or the worker died, is known here alone.
 */
export class RunCases {
  readonly #vouches: Vouches
  readonly #cases = new Map<string, CaseMeta>()
  #rejected: string[] = []
  /** How many samples there are, and are to be. */
  readonly tally: Tally = new Tally()

  /** @param vouches probe files can tell of anything: samples of calls that nobody made are no samples. */
  constructor(vouches: Vouches) {
    this.#vouches = vouches
  }

  /** Forgets the last run. */
  reset(): void {
    this.#cases.clear()
    this.#rejected = []
    this.tally.reset()
  }

  readonly hear = (progress: Progress): void => {
    if (progress?.kind === 'case' && isCaseMeta(progress.meta)) {
      const key = caseKey(progress.meta)
      const samples = progress.meta.samples.filter((sample) => this.#isOurs(progress.meta, sample))
      if (this.#cases.has(key)) return
      this.#cases.set(key, { ...progress.meta, samples })
      for (const sample of samples) this.tally.count(progress.meta.modelKey, sample)
    } else if (progress?.kind === 'due') {
      this.#hearDue(progress.key, progress.samples)
    } else if (progress?.kind === 'sample') {
      this.#hearSample(progress.key, progress.sample)
    } else if (progress?.kind === 'planned') {
      this.tally.plan(progress)
    } else if (progress?.kind === 'lost') {
      this.tally.lose(progress.modelKey, progress.samples)
    }
  }

  /** More samples than before, never fewer: a case that asks for them lacks them until they are there. */
  #hearDue(key: string, samples: unknown): void {
    const meta = this.#cases.get(key)
    if (meta === undefined || !Number.isSafeInteger(samples)) return
    meta.samplesDue = Math.max(meta.samplesDue, samples as number)
    meta.samplesWanted = Math.max(meta.samplesWanted, samples as number)
  }

  #hearSample(key: string, sample: unknown): void {
    const meta = this.#cases.get(key)
    if (meta === undefined) return
    const { samples } = meta
    if (!isSample(sample) || !this.#isOurs(meta, sample)) this.#rejected.push(key)
    else if (samples.every(({ index }) => index !== sample.index)) {
      samples.push(sample)
      this.tally.count(meta.modelKey, sample)
    }
  }

  #isOurs({ modelKey }: CaseMeta, { requestHash }: Sample): boolean {
    return this.#vouches(modelKey, requestHash)
  }

  /** Keys of the cases that told of something that is no sample, once for each. */
  get rejected(): readonly string[] {
    return this.#rejected
  }

  /** Every case begun, its samples in order of index. */
  all(): CaseMeta[] {
    return [...this.#cases.values()].map((meta) => ({
      ...meta,
      samples: meta.samples.toSorted((a, b) => a.index - b.index),
    }))
  }
}
