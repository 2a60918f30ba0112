import type { AnswerKey, CallRecord, CallRequest, ModelReply } from '../../model/call.ts'
import { faultSample } from '../sample.ts'
import type { Graded, Measurement, TakeSample } from './recipe.ts'

/** Turns a reply into a graded sample. */
export type GradeReply = (sampleIndex: number, reply: ModelReply, record: CallRecord) => Graded | Promise<Graded>

/**
 * Samples of one call each, all with the same request: one object, so that posted together its images cross the thread
 * once.
 */
export function oneCallSamples(
  { modelKey, loaded, settings: { runId }, tools: { ask } }: Measurement,
  request: CallRequest,
  grade: GradeReply,
  answerKey: AnswerKey | null = null,
): TakeSample {
  const { class: probeClass, id: fixtureId, hash: fixtureHash } = loaded
  const identity = { runId, modelKey, probeClass, fixtureId, fixtureHash, step: 0, answerKey }
  return async (sampleIndex) => {
    const outcome = await ask({ ...identity, sampleIndex, request })
    if (outcome.kind === 'refused') return { kind: 'missing', refusal: outcome.error }
    if (outcome.kind === 'fault') {
      const sample = faultSample(sampleIndex, outcome)
      return { kind: 'sample', sample, answer: null, refusal: outcome.refusal ?? null }
    }
    return { kind: 'sample', ...(await grade(sampleIndex, outcome.reply, outcome.record)), refusal: null }
  }
}
