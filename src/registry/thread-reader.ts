import { Worker } from 'node:worker_threads'
import type { ReadCall } from './read-thread.ts'
import type { Reader, ReaderOrder } from './reader.ts'

// Where this file is still TypeScript, so is the thread; Node strips its types.
const THREAD_FILE = new URL(import.meta.url.endsWith('.ts') ? './read-thread.ts' : './read-thread.js', import.meta.url)

/** A reader, wherever it is. */
export interface AnyReader extends Pick<Reader, keyof Reader> {
  close?(): Promise<void>
}

/** A reader in a thread of its own. It is asked for one thing at a time. */
export class ThreadReader implements AnyReader {
  readonly #worker: Worker
  #asked: Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'> | null = null

  constructor(order: ReaderOrder) {
    this.#worker = new Worker(THREAD_FILE, { execArgv: [], workerData: order })
    this.#worker.on('message', (answer: unknown) => this.#asked?.resolve(answer))
    this.#worker.on('error', (error) => this.#asked?.reject(error))
    this.#worker.on('exit', () => this.#asked?.reject(new Error('a thread ended before it had answered')))
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

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #ask<T>(call: ReadCall): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#asked = { resolve, reject }
    this.#worker.postMessage(call)
    return promise as Promise<T>
  }
}
