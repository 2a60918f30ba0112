import { isMainThread, parentPort } from 'node:worker_threads'
import { compileSchema } from '../grade/conform.ts'
import { gradeStructured } from '../grade/structured.ts'
import { BEGUN, type GraderAnswer, type GraderJob } from './grader.ts'

if (isMainThread || parentPort === null) throw new Error('the grader runs in a worker thread')
const port = parentPort

port.on('message', ({ schema, reply, expectedValues }: GraderJob) => {
  // It arrives although this thread is busy from here on.
  port.postMessage(BEGUN)
  let answer: GraderAnswer
  try {
    answer = { grade: gradeStructured({ reply, schema: compileSchema(schema), expectedValues }) }
  } catch (error) {
    answer = { error }
  }
  port.postMessage(answer)
})
