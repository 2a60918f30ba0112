import c from 'tinyrainbow'
import type { LiveLines } from './live-lines.ts'
import { progressHead, progressOfModels, type RunProgress } from './progress.ts'

/** Where the progress of a run is shown. */
export interface ProgressDisplay {
  /** @param elapsedMs since the first sample was planned. @param progress null: there is nothing to show now. */
  show(elapsedMs: number, progress: RunProgress | null): void
  /** Takes away what can be: the run is over. */
  clear(): void
  /** As `clear`, for good. */
  close(): void
}

const LIVE_AFTER_MS = 1000
const MOST_MODEL_LINES = 6

/** Lines at the bottom of a terminal. */
export function liveDisplay(lines: LiveLines): ProgressDisplay {
  return {
    show(elapsedMs, progress) {
      if (elapsedMs < LIVE_AFTER_MS) return
      if (progress === null) return lines.clear()
      // A blank line first: what stands above is somebody else's.
      const models = progressOfModels(progress, Math.min(MOST_MODEL_LINES, Math.max(lines.room - 2, 0)))
      lines.show(['', progressHead(progress), ...models.map((line) => `  ${line}`)], c.dim)
    },
    clear: () => lines.clear(),
    close: () => lines.close(),
  }
}

/** Short runs print none. */
const PLAIN_AFTER_MS = 5000
const PLAIN_EVERY_MS = 5000
/** Later they are a twentieth of the time so far apart: a log of hours is not filled. */
const SHARE = 1 / 20
const MOST_MODELS_IN_A_LINE = 4

/** One line from time to time, for a log. */
export function plainDisplay(write: (text: string) => void): ProgressDisplay {
  let dueMs = PLAIN_AFTER_MS
  return {
    show(elapsedMs, progress) {
      if (elapsedMs < dueMs || progress === null) return
      dueMs = elapsedMs + Math.max(PLAIN_EVERY_MS, elapsedMs * SHARE)
      write(`${[progressHead(progress), ...progressOfModels(progress, MOST_MODELS_IN_A_LINE)].join(' | ')}\n`)
    },
    clear() {
      dueMs = PLAIN_AFTER_MS
    },
    close() {},
  }
}
