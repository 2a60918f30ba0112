import { isMainThread, parentPort } from 'node:worker_threads'
import { answerKey } from '../fixtures/answer-key.ts'
import { compileSchema, type CompiledSchema } from '../grade/conform.ts'
import { gradeStructured, type StructuredGrade } from '../grade/structured.ts'
import type { JsonSchema } from '../model/fixture.ts'
import { BEGUN, type GraderAnswer, type GraderJob, type KeyJob } from './grader.ts'

if (isMainThread || parentPort === null) throw new Error('the grader runs in a worker thread')
const port = parentPort

port.on('message', (job: GraderJob | KeyJob) => {
  // It arrives although this thread is busy from here on.
  port.postMessage(BEGUN)
  let answer: GraderAnswer
  try {
    answer = { result: 'reply' in job ? grade(job) : keyOf(job) }
  } catch (error) {
    answer = { error }
  }
  port.postMessage(answer)
})

function grade({ schema, reply, expectedValues }: GraderJob): StructuredGrade {
  return gradeStructured({ reply, schema: compiledOf(schema), expectedValues })
}

/** By their text: each job brings a copy of its fixture's schema, and to compile it takes longer than to grade. */
const compiled = new Map<string, CompiledSchema>()

function compiledOf(schema: JsonSchema): CompiledSchema {
  const text = JSON.stringify(schema)
  let known = compiled.get(text)
  if (known === undefined) compiled.set(text, (known = compileSchema(schema)))
  return known
}

function keyOf({ schema, expectedValues }: KeyJob) {
  const fixture = { schema, ...(expectedValues !== undefined && { expectedValues }) }
  return answerKey(fixture, (text) => grade({ schema, expectedValues, reply: { text, finishReason: 'stop' } }))
}
