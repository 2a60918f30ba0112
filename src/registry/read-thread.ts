import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { Reader, type ReaderOrder, type WrittenEntry } from './reader.ts'

/** What a thread is asked for, one after the other: it answers with what its reader says. */
export type ReadCall = {
  readonly [Method in keyof Reader]: readonly [Method, ...Parameters<Reader[Method]>]
}[keyof Reader]

if (isMainThread || parentPort === null) throw new Error('files are read here for another thread')
const port = parentPort
const reader = new Reader(workerData as ReaderOrder)
// What is thrown here ends the thread, and is heard there as its error.
port.on('message', async ([method, given]: ReadCall) => {
  const answer = await reader[method](given as never)
  port.postMessage(answer, method === 'entries' ? (answer as WrittenEntry[]).map(({ text }) => text.buffer) : [])
})
