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
    if (progress.kind === 'case') this.#cases.set(caseKey(progress.meta), progress.meta)
    else this.#cases.get(progress.key)?.samples.push(progress.sample)
  }

  /** Every case begun, its samples in order of index. */
  all(): CaseMeta[] {
    return [...this.#cases.values()].map((meta) => ({
      ...meta,
      samples: meta.samples.toSorted((a, b) => a.index - b.index),
    }))
  }
}
