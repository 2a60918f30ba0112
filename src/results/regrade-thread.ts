import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { compileSchema, type CompiledSchema } from '../grade/conform.ts'
import { gradeStructured } from '../grade/structured.ts'
import type { Batch, BatchAnswer, BatchThreadData, Regraded } from './batch-grader.ts'

if (isMainThread || parentPort === null) throw new Error('replies are graded again in a thread of their own')
const port = parentPort
const taken = new Int32Array((workerData as BatchThreadData).taken)

/** Of the batch before: batches of one fixture come one after the other. */
let last: (Pick<Batch, 'key' | 'expectedValues'> & { readonly compiled: CompiledSchema }) | null = null

port.on('message', ({ key, schema, expectedValues, replies }: Batch) => {
  let answer: BatchAnswer
  let left = replies.length
  const told = new Map<string, Regraded>()
  try {
    if (last?.key !== key) last = { key, expectedValues, compiled: compileSchema(schema) }
    const by = { schema: last.compiled, expectedValues: last.expectedValues }
    const grades: Regraded[] = replies.map((reply) => {
      Atomics.add(taken, 0, 1)
      left -= 1
      const { value: _value, ...grade } = gradeStructured({ reply, ...by })
      return once(grade, told)
    })
    answer = { grades }
  } catch (error) {
    answer = { error }
    // All of the batch is answered with it.
    Atomics.add(taken, 0, left)
  }
  port.postMessage(answer)
})

/** Most grades of a batch find nothing, and are alike: they are sent as one object. */
function once(grade: Regraded, told: Map<string, Regraded>): Regraded {
  const { violations, mismatches, parseProblem, ...plain } = grade
  if (violations.length > 0 || mismatches.length > 0 || parseProblem !== undefined) return grade
  const name = Object.values(plain).join(' ')
  const same = told.get(name)
  if (same === undefined) told.set(name, grade)
  return same ?? grade
}
