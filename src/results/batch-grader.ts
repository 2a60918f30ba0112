import { Worker } from 'node:worker_threads'
import type { StructuredGrade } from '../grade/structured.ts'
import type { FinishReason } from '../model/call.ts'
import type { JsonSchema } from '../model/fixture.ts'

/** A reply as a result file keeps it. */
export interface KeptReply {
  readonly text: string
  readonly finishReason: FinishReason
}

/** What replies of one fixture are graded by. */
export interface GradedBy {
  /** Of the fixture. */
  readonly key: string
  readonly schema: JsonSchema
  readonly expectedValues: Readonly<Record<string, unknown>> | undefined
}

export interface Batch extends GradedBy {
  readonly replies: readonly KeptReply[]
  /** The thread counts here which reply it is at, from 1. */
  readonly progress: SharedArrayBuffer
}

export type Regraded = Omit<StructuredGrade, 'value'>
export type BatchAnswer = { readonly grades: readonly Regraded[] } | { readonly error: unknown }

// Where this file is still TypeScript, so is the thread; Node strips its types.
const THREAD_FILE = new URL(
  import.meta.url.endsWith('.ts') ? './regrade-thread.ts' : './regrade-thread.js',
  import.meta.url,
)
const DEADLINE_MS = 5000
/** How often it is looked whether the thread is still at the same reply. */
const LOOKS_PER_DEADLINE = 20
const MOST_MEMORY_MB = 512
/** Beside that: for what lives no longer than a reply. */
const YOUNG_MEMORY_MB = 12
const BATCH = 500
/** A fixture that has stalled so often will stall again. */
const MOST_STALLS = 2

/**
 * Grades stored replies in a thread of its own, many at a time, with a deadline for each: a regular expression in a
 * fixture can take forever, and nothing but the end of its thread stops it.
 */
export class BatchGrader {
  readonly #deadlineMs: number
  #thread: Worker | null = null

  /** @param deadlineMs for one reply. */
  constructor(deadlineMs: number = DEADLINE_MS) {
    this.#deadlineMs = deadlineMs
  }

  /**
   * @returns for each reply its grade, or null when there was none in time; after two of those the rest of the fixture's
   * replies is not tried.
   * @throws what the grader throws for a fixture that cannot be applied.
   */
  async grade(by: GradedBy, replies: readonly KeptReply[]): Promise<(Regraded | null)[]> {
    const grades: (Regraded | null)[] = []
    let stalls = 0
    let size = BATCH
    while (grades.length < replies.length && stalls < MOST_STALLS) {
      const batch = replies.slice(grades.length, grades.length + size)
      const done = await this.#run(by, batch)
      if (typeof done !== 'number') {
        grades.push(...done)
        size = BATCH
      } else if (done > 0) {
        // Those before it were graded in time, and are again.
        size = done
      } else {
        grades.push(null)
        stalls += 1
        size = BATCH
      }
    }
    return [...grades, ...replies.slice(grades.length).map(() => null)]
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    await thread?.terminate()
  }

  /** The grades of a batch, or the position of the reply that it stalled at. */
  #run(by: GradedBy, replies: readonly KeptReply[]): Promise<readonly Regraded[] | number> {
    const thread = (this.#thread ??= this.#startThread())
    const progress = new SharedArrayBuffer(4)
    const counter = new Int32Array(progress)
    return new Promise((resolve, reject) => {
      let seen = 0
      let looks = 0
      const settle = (act: () => void): void => {
        clearInterval(timer)
        thread.removeAllListeners('message').removeAllListeners('error')
        act()
      }
      const giveUp = (): void => {
        this.#thread = null
        void thread.terminate()
        settle(() => resolve(Math.max(Atomics.load(counter, 0), 1) - 1))
      }
      const timer = setInterval(() => {
        const at = Atomics.load(counter, 0)
        looks = at === seen ? looks + 1 : 0
        seen = at
        // Before the first reply the thread is starting, which on a busy machine takes its time.
        if (at > 0 && looks >= LOOKS_PER_DEADLINE) giveUp()
      }, this.#deadlineMs / LOOKS_PER_DEADLINE)
      thread.on('message', (answer: BatchAnswer) =>
        settle(() => ('grades' in answer ? resolve(answer.grades) : reject(answer.error))),
      )
      thread.on('error', (error) => {
        this.#thread = null
        // What wants more memory than any fixture needs has no grade, like what wants more time.
        if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') giveUp()
        else settle(() => reject(error))
      })
      thread.postMessage({ ...by, replies, progress } satisfies Batch)
    })
  }

  #startThread(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: MOST_MEMORY_MB, maxYoungGenerationSizeMb: YOUNG_MEMORY_MB }
    return new Worker(THREAD_FILE, { execArgv: [], resourceLimits })
  }
}
