import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Refused } from './format.ts'
import type { ReadMessage, ReadThreadData } from './read-thread.ts'
import type { Source, SourceOptions } from './sources.ts'
import { takeSources, type GivenFile, type Read } from './take-sources.ts'

// Where this file is still TypeScript, so is the thread; Node strips its types.
const THREAD_FILE = new URL(import.meta.url.endsWith('.ts') ? './read-thread.ts' : './read-thread.js', import.meta.url)
/** Of fewer files a thread would have read its share before it has started. */
const FILES_A_THREAD = 250

/**
 * Reads result files, in the order given whoever reads them: many of them in several threads, each of which keeps no more
 * than one file whole in memory.
 */
export async function readSources(
  files: readonly GivenFile[],
  options: SourceOptions,
  threads: number = Math.min(availableParallelism(), Math.floor(files.length / FILES_A_THREAD)),
): Promise<{ readonly sources: readonly Source[]; readonly refused: readonly Refused[] }> {
  const read: Read[] = []
  const taken = new SharedArrayBuffer(4)
  const others = Array.from({ length: threads - 1 }, () => startThread({ files, options, taken }))
  try {
    const told = others.map((thread) => hear(thread, (at, one) => void (read[at] = one)))
    // This thread takes its share, too.
    const own = async () => {
      for await (const [at, one] of takeSources(files, options, taken)) read[at] = one
    }
    await Promise.all([...told, own()])
  } finally {
    await Promise.all(others.map((thread) => thread.terminate()))
  }
  return {
    sources: read.flatMap((one) => ('reason' in one ? [] : one)),
    refused: read.flatMap((one) => ('reason' in one ? one : [])),
  }
}

function startThread(workerData: ReadThreadData): Worker {
  return new Worker(THREAD_FILE, { execArgv: [], workerData })
}

/** Hears what a thread has read, until it has told all. */
function hear(thread: Worker, take: (at: number, one: Read) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    thread.on('message', (message: ReadMessage) => {
      if (message === 'done') resolve()
      else take(message[0], JSON.parse(message[1]) as Read)
    })
    thread.on('error', reject)
    thread.on('exit', () => reject(new Error('a thread ended before it had read its files')))
  })
}
