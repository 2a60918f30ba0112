import { Worker } from 'node:worker_threads'
import type { StructuredGrade } from '../grade/structured.ts'
import type { AnswerKey, ModelReply } from '../model/call.ts'
import type { JsonSchema } from '../model/fixture.ts'

/** A reply to be graded, and what it is graded by. */
export interface GraderJob {
  readonly schema: JsonSchema
  readonly reply: Pick<ModelReply, 'text' | 'finishReason'>
  readonly expectedValues: Readonly<Record<string, unknown>> | undefined
}

/** A fixture whose answer key is to be built. */
export type KeyJob = Pick<GraderJob, 'schema' | 'expectedValues'>

export type GraderAnswer = { readonly result: StructuredGrade | AnswerKey | null } | { readonly error: unknown }

/** What the thread says when it takes a job: its own start, on a busy machine, is no part of the deadline. */
export const BEGUN = 'begun'

interface WaitingJob {
  readonly job: GraderJob | KeyJob
  readonly resolve: (result: StructuredGrade | AnswerKey | null) => void
  readonly reject: (error: unknown) => void
}

// Where this file is still TypeScript, so is the thread; Node strips its types.
const THREAD_FILE = new URL(
  import.meta.url.endsWith('.ts') ? './grader-thread.ts' : './grader-thread.js',
  import.meta.url,
)

/** Any schema that a person wrote is done in milliseconds. */
const DEADLINE_MS = 5000
const MOST_MEMORY_MB = 512
/** As they are now: a probe file can put others in their place. */
const { setTimeout: later, clearTimeout: cancel } = globalThis

/**
 * Grades replies, and builds answer keys, in a thread of its own, one at a time, each with a deadline: a regular
 * expression in a fixture can take forever, and nothing but the end of its thread stops it.
 */
export class Grader {
  readonly #deadlineMs: number
  readonly #waiting: WaitingJob[] = []
  #thread: Worker | null = null
  #current: WaitingJob | null = null
  #timer: NodeJS.Timeout | null = null

  /** @param deadlineMs for one reply. */
  constructor(deadlineMs: number = DEADLINE_MS) {
    this.#deadlineMs = deadlineMs
  }

  /**
   * @returns the grade, or null when there was none in time.
   * @throws what the grader throws for a fixture that cannot be applied.
   */
  grade(job: GraderJob): Promise<StructuredGrade | null> {
    return this.#result(job)
  }

  /** @returns the answer key of a fixture, or null when none was found in time. */
  answerKey(job: KeyJob): Promise<AnswerKey | null> {
    return this.#result(job)
  }

  /** Ends the thread. What still waits for a result never gets one. */
  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    await thread?.terminate()
  }

  #result<T extends StructuredGrade | AnswerKey>(job: GraderJob | KeyJob): Promise<T | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve: resolve as WaitingJob['resolve'], reject })
      this.#next()
    })
  }

  #next(): void {
    if (this.#current !== null) return
    const waiting = this.#waiting.shift()
    if (waiting === undefined) return
    this.#current = waiting
    this.#thread ??= this.#startThread()
    this.#thread.postMessage(waiting.job)
  }

  #startThread(): Worker {
    const thread = new Worker(THREAD_FILE, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB } })
    // What waits for a grade keeps the worker alive, not the thread.
    thread.unref()
    thread.on('message', (answer: GraderAnswer | typeof BEGUN) => {
      if (thread !== this.#thread) return
      if (answer === BEGUN) this.#timer = later(() => this.#giveUp(), this.#deadlineMs)
      else this.#settle(({ resolve, reject }) => ('result' in answer ? resolve(answer.result) : reject(answer.error)))
    })
    thread.on('error', (error) => {
      if (thread !== this.#thread) return
      this.#thread = null
      // What wants more memory than any fixture needs has no result, like what wants more time.
      const tooMuch = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#settle(({ resolve, reject }) => (tooMuch ? resolve(null) : reject(error)))
    })
    return thread
  }

  #giveUp(): void {
    void this.#thread?.terminate()
    this.#thread = null
    this.#settle(({ resolve }) => resolve(null))
  }

  #settle(answer: (job: WaitingJob) => void): void {
    const settled = this.#current
    if (settled === null) return
    this.#current = null
    if (this.#timer !== null) cancel(this.#timer)
    answer(settled)
    this.#next()
  }
}
