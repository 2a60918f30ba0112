import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { newPulse, watchPulse } from '../../src/pool/pulse.ts'

/** A worker that beats fast, and goes silent when it is told to. */
function worker(pulse: SharedArrayBuffer): Worker {
  const code = `const { parentPort, workerData } = require('node:worker_threads')
    const count = new Int32Array(workerData)
    setInterval(() => Atomics.add(count, 0, 1), 1)
    parentPort.on('message', () => { for (;;) ; })`
  const thread = new Worker(code, { eval: true, workerData: pulse })
  onTestFinished(() => void thread.terminate())
  return thread
}

test('a worker that computes without end is told of, once; one that lives is not', async () => {
  const [silent, alive] = [newPulse(), newPulse()]
  const threads = [worker(silent), worker(alive)]
  const told: string[] = []
  const { promise, resolve } = Promise.withResolvers<number>()
  const unwatch = watchPulse(alive, () => told.push('alive'), { everyMs: 20, looks: 20 })
  onTestFinished(unwatch)
  while (Atomics.load(new Int32Array(silent), 0) === 0 || Atomics.load(new Int32Array(alive), 0) === 0) {
    await new Promise(setImmediate)
  }
  watchPulse(silent, (seconds) => (told.push('silent'), resolve(seconds)), { everyMs: 20, looks: 20 })
  threads[0]!.postMessage('loop')
  expect(await promise).toBeCloseTo(0.4)
  expect(told).toEqual(['silent'])
})

test('an ended watch tells of nothing', async () => {
  let told = 0
  const pulse = newPulse()
  watchPulse(pulse, () => (told += 1), { everyMs: 1, looks: 1 })()
  const { promise, resolve } = Promise.withResolvers<void>()
  watchPulse(pulse, () => resolve(), { everyMs: 5, looks: 3 })
  await promise
  expect(told).toBe(0)
})
