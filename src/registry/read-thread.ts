import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import type { SourceOptions } from './sources.ts'
import { takeSources, type GivenFile } from './take-sources.ts'

/** What a thread begins with. */
export interface ReadThreadData {
  readonly files: readonly GivenFile[]
  readonly options: SourceOptions
  readonly taken: SharedArrayBuffer
}

/**
 * What a thread tells: what came of a file, by its position, as JSON, which is handed over sooner than objects; at last that
 * there is no other.
 */
export type ReadMessage = readonly [at: number, read: string] | 'done'

if (isMainThread || parentPort === null) throw new Error('files are read here for another thread')
const tell = (message: ReadMessage): void => parentPort!.postMessage(message)
const { files, options, taken } = workerData as ReadThreadData
for await (const [at, read] of takeSources(files, options, taken)) tell([at, JSON.stringify(read)])
tell('done')
