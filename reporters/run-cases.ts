import { isCaseMeta, isSample } from '../src/results/case-meta-check.ts'
import { caseKey, type CaseMeta, type Progress } from '../src/model/case-meta.ts'

/**
 * The cases of the current run as workers tell of them. Vitest hands metadata on when a test ends: what was measured
 * for tests that never got there, because the run was cancelled or the worker died, is known here alone.
 */
export class RunCases {
  readonly #cases = new Map<string, CaseMeta>()

  /** Forgets the last run. */
  reset(): void {
    this.#cases.clear()
  }

  readonly hear = (progress: Progress): void => {
    if (progress?.kind === 'case' && isCaseMeta(progress.meta)) {
      const key = caseKey(progress.meta)
      if (!this.#cases.has(key)) this.#cases.set(key, progress.meta)
    } else if (progress?.kind === 'sample' && isSample(progress.sample)) {
      const samples = this.#cases.get(progress.key)?.samples
      if (samples?.every(({ index }) => index !== progress.sample.index)) samples.push(progress.sample)
    }
  }

  /** Every case begun, its samples in order of index. */
  all(): CaseMeta[] {
    return [...this.#cases.values()].map((meta) => ({
      ...meta,
      samples: meta.samples.toSorted((a, b) => a.index - b.index),
    }))
  }
}
