import { Worker } from 'node:worker_threads'
import type { ReadCall } from './read-thread.ts'
import type { Reader, ReaderOrder } from './reader.ts'

// Where this file is still TypeScript, so is the thread; Node strips its types.
const THREAD_FILE = new URL(import.meta.url.endsWith('.ts') ? './read-thread.ts' : './read-thread.js', import.meta.url)

/** A reader, wherever it is: whoever stands for one in a thread has not its private fields. */
export interface AnyReader extends Pick<Reader, keyof Reader> {
  /** Ends what it is in; absent: it is in the thread that asks. */
  close?(): Promise<void>
}

/** A reader in a thread of its own. It is asked for one thing at a time, and answers as `Reader` does. */
export class ThreadReader implements AnyReader {
  readonly #worker: Worker
  readonly #ended: Promise<never>

  constructor(order: ReaderOrder) {
    this.#worker = new Worker(THREAD_FILE, { execArgv: [], workerData: order })
    this.#ended = new Promise((_, reject) => {
      this.#worker.on('error', reject)
      this.#worker.on('messageerror', reject)
      this.#worker.on('exit', () => reject(new Error('a thread ended before it had answered')))
    })
    // Whoever asks hears of it.
    this.#ended.catch(() => {})
  }

  read(): ReturnType<Reader['read']> {
    return this.#ask(['read'])
  }

  sourcesAt(...given: Parameters<Reader['sourcesAt']>): ReturnType<Reader['sourcesAt']> {
    return this.#ask(['sourcesAt', ...given])
  }

  entries(...given: Parameters<Reader['entries']>): ReturnType<Reader['entries']> {
    return this.#ask(['entries', ...given])
  }

  /** What it was at is not answered. */
  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #ask<T>(call: ReadCall): Promise<T> {
    const answer = new Promise<T>((resolve) => this.#worker.once('message', resolve))
    this.#worker.postMessage(call)
    return Promise.race([answer, this.#ended])
  }
}
