import type { ModelReply } from '../model/call.ts'
import type { Citation, ModelFailure } from '../model/sample.ts'
import { citationsOf } from './citations.ts'
import { replyFailure } from './reply-failure.ts'

/** Grade of an answer that was to be looked up. */
export interface GroundingGrade {
  readonly failureClass: ModelFailure | null
  /** There is an answer to read. */
  readonly answered: boolean
  /** The provider ran a search and attributes at least one citation to it. */
  readonly grounded: boolean
  readonly citations: readonly Citation[]
}

/**
 * Grades whether an answer rests on a search. URLs that the model only wrote prove nothing: without a search they are
 * fabricated, however plausible.
 */
export function gradeGrounding(
  reply: Pick<ModelReply, 'text' | 'finishReason' | 'searched' | 'sources'>,
): GroundingGrade {
  const failureClass = replyFailure(reply)
  const citations = citationsOf(reply.text, reply.searched ? reply.sources : [])
  const cited = citations.some(({ kind }) => kind === 'native')
  const answered = failureClass === null
  return { failureClass, answered, grounded: answered && reply.searched && cited, citations }
}
