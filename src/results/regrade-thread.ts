import { isMainThread, parentPort } from 'node:worker_threads'
import { compileSchema, type CompiledSchema } from '../grade/conform.ts'
import { gradeStructured } from '../grade/structured.ts'
import type { Batch, BatchAnswer, Regraded } from './batch-grader.ts'

if (isMainThread || parentPort === null) throw new Error('replies are graded again in a thread of their own')
const port = parentPort

/** Of the batch before: batches of one fixture come one after the other. */
let last: { readonly key: string; readonly compiled: CompiledSchema } | null = null

port.on('message', ({ key, schema, expectedValues, replies, progress }: Batch) => {
  const counter = new Int32Array(progress)
  let answer: BatchAnswer
  try {
    if (last?.key !== key) last = { key, compiled: compileSchema(schema) }
    const { compiled } = last
    const grades: Regraded[] = replies.map((reply, position) => {
      Atomics.store(counter, 0, position + 1)
      const { value: _value, ...grade } = gradeStructured({ reply, schema: compiled, expectedValues })
      return grade
    })
    answer = { grades }
  } catch (error) {
    answer = { error }
  }
  port.postMessage(answer)
})
