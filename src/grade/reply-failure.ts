import type { FinishReason, ModelReply } from '../model/call.ts'
import type { ModelFailure } from '../model/sample.ts'
import { trimInvisible } from './peel.ts'

const FAILED_FINISHES: Readonly<Partial<Record<FinishReason, ModelFailure>>> = {
  length: 'truncated',
  content_filter: 'content_filter',
  refusal: 'refusal',
}

/** What is the model's own failure in a reply before its text is looked at; null when there is a text to grade. */
export function replyFailure({ finishReason, text }: Pick<ModelReply, 'finishReason' | 'text'>): ModelFailure | null {
  return FAILED_FINISHES[finishReason] ?? (trimInvisible(text) === '' ? 'empty' : null)
}
