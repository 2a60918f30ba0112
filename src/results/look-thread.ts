import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { ODD, readPiece } from './cut.ts'
import { lookThrough } from './look.ts'
import { CELL, type LookThreadData, type Samples, type ThreadAnswer, type ThreadOrder } from './look-thread-words.ts'
import { oddityOf } from './oddity.ts'

if (isMainThread || parentPort === null) throw new Error('samples are looked through here for another thread')
const port = parentPort
const cells = new Int32Array((workerData as LookThreadData).cells)

port.on('message', ({ order, samples, stalled }: ThreadOrder) => {
  const watch = {
    stalled,
    begin: (position: number): void => {
      Atomics.store(cells, CELL.at, position + 1)
      Atomics.add(cells, CELL.begun, 1)
    },
    end: (): void => void Atomics.store(cells, CELL.at, 0),
  }
  let answer: ThreadAnswer
  try {
    answer = { look: lookThrough(valueOf(samples), order, watch) }
  } catch (error) {
    watch.end()
    answer = { error }
  }
  port.postMessage(answer)
})

function valueOf(samples: Samples): unknown {
  if ('value' in samples) return samples.value
  const text = readPiece(samples.file, samples.piece)
  const value = JSON.parse(text) as unknown
  if (oddityOf(text, value) !== null) throw new Error(ODD)
  return value
}
