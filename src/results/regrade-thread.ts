import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { compileSchema, type CompiledSchema } from '../grade/conform.ts'
import { gradeStructured } from '../grade/structured.ts'
import type { Batch, BatchAnswer, BatchThreadData, Regraded } from './batch-grader.ts'

if (isMainThread || parentPort === null) throw new Error('replies are graded again in a thread of their own')
const port = parentPort
const taken = new Int32Array((workerData as BatchThreadData).taken)

/** Of the batch before: batches of one fixture come one after the other. */
let last: { readonly key: string; readonly compiled: CompiledSchema } | null = null

port.on('message', ({ key, schema, expectedValues, replies }: Batch) => {
  let answer: BatchAnswer
  let left = replies.length
  try {
    if (last?.key !== key) last = { key, compiled: compileSchema(schema) }
    const { compiled } = last
    const grades: Regraded[] = replies.map((reply) => {
      Atomics.add(taken, 0, 1)
      left -= 1
      const { value: _value, ...grade } = gradeStructured({ reply, schema: compiled, expectedValues })
      return grade
    })
    answer = { grades }
  } catch (error) {
    answer = { error }
    // All of the batch is answered with it.
    Atomics.add(taken, 0, left)
  }
  port.postMessage(answer)
})
