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
}

/** What the thread begins with: it counts here every reply that it takes up. */
export type BatchThreadData = { readonly taken: SharedArrayBuffer }

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
/** So many batches keep the thread busy for as long as this one may be; more would only take room. */
const MOST_HANDED = 40
/** A fixture that has stalled so often will stall again. */
const MOST_STALLS = 2

/** The replies of one fixture. */
interface Group {
  readonly by: GradedBy
  stalls: number
}

interface Piece {
  readonly group: Group
  readonly replies: readonly KeptReply[]
  /** All of it was graded in time before. */
  readonly isProven: boolean
  /** Given the grades, or the position of the reply that it stalled at; null: it was not tried. */
  readonly resolve: (done: readonly Regraded[] | number | null) => void
  readonly reject: (error: unknown) => void
}

/**
 * Grades stored replies in a thread of its own, many at a time, with a deadline for each: a regular expression in a
 * fixture can take forever, and nothing but the end of its thread stops it. Much is handed over ahead, so that the thread
 * is busy while this one is.
 */
export class BatchGrader {
  readonly #deadlineMs: number
  /** Not answered, in order; the first of them are handed to the thread. */
  #open: Piece[] = []
  #handed = 0
  #thread: Worker | null = null
  #taken = new Int32Array(new SharedArrayBuffer(4))
  /** Replies that this thread has answered. */
  #answered = 0
  #timer: NodeJS.Timeout | null = null
  #seen = 0
  #looks = 0

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
    const group = { by, stalls: 0 }
    const starts = Array.from({ length: Math.ceil(replies.length / BATCH) }, (_, position) => position * BATCH)
    const pieces = starts.map((start) => this.#graded(group, replies.slice(start, start + BATCH)))
    return (await Promise.all(pieces)).flat()
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    const thread = this.#thread
    this.#forgetThread()
    await thread?.terminate()
  }

  async #graded(group: Group, replies: readonly KeptReply[], isProven = false): Promise<(Regraded | null)[]> {
    if (replies.length === 0) return []
    const done = await new Promise<readonly Regraded[] | number | null>((resolve, reject) =>
      this.#add({ group, replies, isProven, resolve, reject }),
    )
    if (done === null) return replies.map(() => null)
    if (typeof done !== 'number') return [...done]
    group.stalls += 1
    // What came before was graded in time, and lost with the thread.
    const [before, after] = await Promise.all([
      this.#graded(group, replies.slice(0, done), true),
      this.#graded(group, replies.slice(done + 1)),
    ])
    return [...before, null, ...after]
  }

  #add(piece: Piece): void {
    if (piece.group.stalls >= MOST_STALLS && !piece.isProven) return piece.resolve(null)
    this.#open.push(piece)
    this.#hand()
  }

  #hand(): void {
    while (this.#handed < Math.min(this.#open.length, MOST_HANDED)) {
      this.#thread ??= this.#startThread()
      const { group, replies } = this.#open[this.#handed]!
      this.#thread.postMessage({ ...group.by, replies } satisfies Batch)
      this.#handed += 1
    }
  }

  #startThread(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: MOST_MEMORY_MB, maxYoungGenerationSizeMb: YOUNG_MEMORY_MB }
    const taken = new SharedArrayBuffer(4)
    const workerData: BatchThreadData = { taken }
    const thread = new Worker(THREAD_FILE, { execArgv: [], resourceLimits, workerData })
    this.#taken = new Int32Array(taken)
    this.#answered = 0
    this.#seen = 0
    this.#looks = 0
    this.#timer = setInterval(() => this.#look(), this.#deadlineMs / LOOKS_PER_DEADLINE)
    thread.on('message', (answer: BatchAnswer) => {
      if (thread === this.#thread) this.#answer(answer)
    })
    thread.on('error', (error) => {
      if (thread !== this.#thread) return
      // What wants more memory than any fixture needs has no grade, like what wants more time.
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') return this.#giveUp()
      const open = this.#forgetThread()
      for (const { reject } of open) reject(error)
    })
    return thread
  }

  #answer(answer: BatchAnswer): void {
    const piece = this.#open.shift()
    if (piece === undefined) return
    this.#handed -= 1
    this.#hand()
    this.#answered += piece.replies.length
    if ('grades' in answer) piece.resolve(answer.grades)
    else piece.reject(answer.error)
  }

  #look(): void {
    const taken = Atomics.load(this.#taken, 0)
    this.#looks = taken === this.#seen ? this.#looks + 1 : 0
    this.#seen = taken
    // Before its first reply the thread is starting, which on a busy machine takes its time.
    if (taken > this.#answered && this.#looks >= LOOKS_PER_DEADLINE) this.#giveUp()
  }

  /** Leaves the reply that the thread is at without a grade; the others go to another thread. */
  #giveUp(): void {
    const at = Math.max(Atomics.load(this.#taken, 0) - this.#answered, 1) - 1
    void this.#thread?.terminate()
    const [stalled, ...others] = this.#forgetThread()
    stalled?.resolve(at)
    for (const piece of others) this.#add(piece)
  }

  #forgetThread(): Piece[] {
    const open = this.#open
    this.#open = []
    this.#handed = 0
    this.#thread = null
    if (this.#timer !== null) clearInterval(this.#timer)
    return open
  }
}
