import { isCaseMeta, isSample } from '../src/results/case-meta-check.ts'
import { caseKey, type CaseMeta, type Progress } from '../src/model/case-meta.ts'

/**
 * The cases of the current run as workers tell of them. Vitest hands metadata on when a test ends: what was measured
 * for tests that never got there, because the run was cancelled or the worker died, is known here alone.
 */
export class RunCases {
  readonly #cases = new Map<string, CaseMeta>()
  #rejected: string[] = []

  /** Forgets the last run. */
  reset(): void {
    this.#cases.clear()
    this.#rejected = []
  }

  readonly hear = (progress: Progress): void => {
    if (progress?.kind === 'case' && isCaseMeta(progress.meta)) {
      const key = caseKey(progress.meta)
      if (!this.#cases.has(key)) this.#cases.set(key, progress.meta)
    } else if (progress?.kind === 'sample') {
      this.#hearSample(progress.key, progress.sample)
    }
  }

  #hearSample(key: string, sample: unknown): void {
    const samples = this.#cases.get(key)?.samples
    if (samples === undefined) return
    if (!isSample(sample)) this.#rejected.push(key)
    else if (samples.every(({ index }) => index !== sample.index)) samples.push(sample)
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
