import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Look, LookOrder } from './look.ts'
import { CELL, type LookThreadData, type Samples, type ThreadAnswer, type ThreadOrder } from './look-thread-words.ts'

// Where this file is still TypeScript, so is the thread; Node strips its types.
const THREAD_FILE = new URL(import.meta.url.endsWith('.ts') ? './look-thread.ts' : './look-thread.js', import.meta.url)
const DEADLINE_MS = 5000
/** How often it is looked whether a thread is still at the same output. */
const LOOKS_PER_DEADLINE = 20
/** More than any fixture takes: by this limit, too, it is decided how seldom memory is tidied up. */
const MOST_MEMORY_MB = 2048
/** Beside that: for what lives no longer than a sample. */
const YOUNG_MEMORY_MB = 24
/** Each thread has a fixture's samples in memory. */
const MOST_THREADS = 4
/** Waiting samples that are worth the start of another thread. */
const WORTH_BYTES = 4 * 1024 * 1024
const SAMPLE_BYTES = 1000

interface Job {
  readonly order: LookOrder
  readonly samples: Samples
  readonly stalled: number[]
  readonly resolve: (look: Look) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  readonly cells: Int32Array
  job: Job | null
  seen: number
  looks: number
}

/**
 * Looks through the samples of fixtures in threads, with a deadline for each output that is graded: a regular expression in
 * a fixture can take forever, and nothing but the end of its thread stops it. Threads are started when there is work for
 * them.
 */
export class LookThreads {
  readonly #deadlineMs: number
  readonly #most: number
  readonly #waiting: Job[] = []
  readonly #threads = new Set<Thread>()
  #timer: NodeJS.Timeout | null = null

  /** @param deadlineMs for grading one output. */
  constructor({ deadlineMs = DEADLINE_MS, most = Math.min(availableParallelism(), MOST_THREADS) } = {}) {
    this.#deadlineMs = deadlineMs
    this.#most = most
  }

  /**
   * @returns what was found. An output that was not graded in time has no grade; after two of those the rest of the
   * fixture's is not tried.
   * @throws what reading the samples or grading them throws.
   */
  look(order: LookOrder, samples: Samples): Promise<Look> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ order, samples, stalled: [], resolve, reject })
      this.#hand()
    })
  }

  /** Starts the threads that so many bytes of samples are worth, which takes a while: they are ready when samples come. */
  prepare(bytes: number): void {
    const worth = Math.min(this.#most, Math.floor(bytes / WORTH_BYTES))
    while (this.#threads.size < worth) this.#start()
  }

  /** Ends the threads. What they were at is not answered. */
  async close(): Promise<void> {
    const workers = Array.from(this.#threads, ({ worker }) => worker)
    this.#threads.clear()
    this.#watch()
    await Promise.all(workers.map((worker) => worker.terminate()))
  }

  #hand(): void {
    for (const thread of this.#threads) if (thread.job === null) this.#give(thread)
    const isWorth = this.#threads.size === 0 || bytesOf(this.#waiting) >= WORTH_BYTES
    if (this.#waiting.length > 0 && this.#threads.size < this.#most && isWorth) {
      this.#give(this.#start())
      this.#hand()
    }
    this.#watch()
  }

  #give(thread: Thread): void {
    const job = this.#waiting.shift()
    if (job === undefined) return
    Object.assign(thread, { job, seen: Atomics.load(thread.cells, CELL.begun), looks: 0 })
    const { order, samples, stalled } = job
    try {
      thread.worker.postMessage({ order, samples, stalled } satisfies ThreadOrder)
    } catch (error) {
      // Values that are nested too deep cannot be handed over.
      this.#free(thread)?.reject(error)
      this.#give(thread)
    }
  }

  /** The job that a thread was at, if it is still one of these threads. */
  #free(thread: Thread): Job | null {
    const { job } = thread
    if (!this.#threads.has(thread)) return null
    thread.job = null
    return job
  }

  #start(): Thread {
    const resourceLimits = { maxOldGenerationSizeMb: MOST_MEMORY_MB, maxYoungGenerationSizeMb: YOUNG_MEMORY_MB }
    const cells = new SharedArrayBuffer(CELL.count * Int32Array.BYTES_PER_ELEMENT)
    const workerData: LookThreadData = { cells }
    const worker = new Worker(THREAD_FILE, { execArgv: [], resourceLimits, workerData })
    const thread: Thread = { worker, cells: new Int32Array(cells), job: null, seen: 0, looks: 0 }
    this.#threads.add(thread)
    worker.on('message', (answer: ThreadAnswer) => {
      const job = this.#free(thread)
      if (job === null) return
      if ('look' in answer) job.resolve(answer.look)
      else job.reject(answer.error)
      this.#hand()
    })
    // An answer that was sent and cannot be read here, as when what it tells is nested too deep.
    worker.on('messageerror', (error) => {
      this.#free(thread)?.reject(error)
      this.#hand()
    })
    worker.on('error', (error) => {
      // What wants more memory than any fixture needs has no grade, like what wants more time.
      const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
      const at = outputOf(thread)
      if (isTooLarge && at !== null) return this.#giveUp(thread, at)
      this.#forget(thread)?.reject(error)
      this.#hand()
    })
    return thread
  }

  /** Every so often, as long as something is graded. */
  #watch(): void {
    const isBusy = [...this.#threads].some(({ job }) => job !== null)
    if (isBusy) this.#timer ??= setInterval(() => this.#lookAtAll(), this.#deadlineMs / LOOKS_PER_DEADLINE)
    else if (this.#timer !== null) {
      clearInterval(this.#timer)
      this.#timer = null
    }
  }

  #lookAtAll(): void {
    for (const thread of this.#threads) {
      const begun = Atomics.load(thread.cells, CELL.begun)
      const at = outputOf(thread)
      thread.looks = at !== null && begun === thread.seen ? thread.looks + 1 : 0
      thread.seen = begun
      if (at !== null && thread.looks >= LOOKS_PER_DEADLINE) this.#giveUp(thread, at)
    }
  }

  /** Leaves the output that a thread is at without a grade; the others are graded by another thread. */
  #giveUp(thread: Thread, at: number): void {
    void thread.worker.terminate()
    const job = this.#forget(thread)
    if (job === null) return
    job.stalled.push(at)
    this.#waiting.unshift(job)
    this.#hand()
  }

  #forget(thread: Thread): Job | null {
    const { job } = thread
    thread.job = null
    this.#threads.delete(thread)
    this.#watch()
    return job
  }
}

/** Position of the output that is being graded; null: none is. */
function outputOf({ cells }: Thread): number | null {
  const at = Atomics.load(cells, CELL.at)
  return at === 0 ? null : at - 1
}

function bytesOf(jobs: readonly Job[]): number {
  const bytes = ({ samples }: Job): number => {
    if ('piece' in samples) return samples.piece.length
    return Array.isArray(samples.value) ? samples.value.length * SAMPLE_BYTES : 0
  }
  return jobs.reduce((total, job) => total + bytes(job), 0)
}
