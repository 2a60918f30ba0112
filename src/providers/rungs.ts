import type { CallRequest, ModelReply, Rung } from '../model/call.ts'
import { canonicalJson } from '../model/canonical-json.ts'
import { ProviderFault } from './provider.ts'

/** A rung, and why it is not a higher one; null where there is nothing to explain. */
export type Step = readonly [rung: Rung, rungFallback: string | null]

/** Asks for structure: natively first, and by coaching where the server refuses that. */
export type ClimbDown = (
  request: CallRequest,
  model: string,
  ask: (...step: Step) => Promise<ModelReply>,
) => Promise<ModelReply>

/**
 * The climb-down of one provider. It remembers which schemas were refused for which models, and asks for those by
 * coaching at once; a forced rung is never left. What a fault says may be misread: a schema counts as refused only when
 * the same request without it was answered.
 * @param isRejection whether a fault of the native rung may mean the schema. The server must not bill for such a
 * refusal.
 */
export function createClimbDown(isRejection: (fault: ProviderFault) => boolean): ClimbDown {
  const rejected = new Set<string>()
  return async (request, model, ask) => {
    if (request.rung !== 'auto') return ask(request.rung, null)
    const key = `${model} ${canonicalJson(request.answerSchema)}`
    if (!rejected.has(key)) {
      try {
        return await ask('native', null)
      } catch (error) {
        if (!isRejection(error as ProviderFault)) throw error
      }
    }
    const reply = await ask('json_mode', 'schema_rejected')
    rejected.add(key)
    return reply
  }
}

/**
 * The step of a request for structure where nothing but coaching can be had.
 * @param why what is told as the reason when the native rung would have been tried.
 * @param message what is wrong with forcing the native rung here.
 * @throws ProviderFault when it is forced all the same; nothing has been sent then.
 */
export function coachingOnly(rung: CallRequest['rung'], why: string, message: string): Step {
  if (rung === 'native')
    throw new ProviderFault('bad_response', message, { billing: { kind: 'none' }, retryable: false })
  return ['json_mode', rung === 'auto' ? why : null]
}
