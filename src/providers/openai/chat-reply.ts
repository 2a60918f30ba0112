import type { FinishReason, ModelReply, Rung } from '../../model/call.ts'
import type { InfrastructureFailure } from '../../model/sample.ts'
import { BLANK_REPLY } from '../blank-reply.ts'
import { billingOf, notJson } from '../body-fault.ts'
import { ProviderFault } from '../provider.ts'
import { distinctSources } from '../sources.ts'
import { faultFromBody } from './chat-fault.ts'
import { declinedBy } from './declined.ts'
import type { UsageRule } from './dialect.ts'
import { citedSources } from './sources.ts'
import { reportedCost, usageFromChat } from './usage.ts'
import { isWire, textOf, textOrNull, wire, wires } from '../wire.ts'

const FINISHES: ReadonlyMap<string | null, FinishReason> = new Map([
  ['stop', 'stop'],
  // Together's word for an end that the model itself set.
  ['eos', 'stop'],
  ['length', 'length'],
  // Mistral's word for a context window that is full.
  ['model_length', 'length'],
  ['content_filter', 'content_filter'],
])

/** Ends that are the server's doing: what text there is, is no answer. */
const BROKEN_FINISHES: ReadonlyMap<string | null, InfrastructureFailure> = new Map([
  ['error', 'server_error'],
  ['abort', 'server_error'],
  ['insufficient_system_resource', 'overloaded'],
])

/** What was asked, as far as a reply tells it. */
export interface Asked {
  readonly rung: Rung | null
  readonly rungFallback: string | null
  readonly usageRule?: UsageRule | undefined
}

/**
 * A Chat Completions body in common terms.
 * @throws ProviderFault `bad_response` when it is none, or the class of the error it carries.
 */
export function replyFromChat(body: unknown, { rung, rungFallback, usageRule }: Asked): ModelReply {
  if (!isWire(body)) throw notJson(body)
  const counted = wire(body['usage'])
  const usage = usageFromChat(counted, usageRule)
  const billing = billingOf(usage)
  const choice = wire(Array.isArray(body['choices']) ? body['choices'][0] : null)
  const error = body['error'] || choice['error'] || (body['object'] === 'error' && body)
  const declined = declinedBy(error)
  if (declined !== null) return { ...declinedReply(declined), rung, rungFallback, usage }
  if (error) throw faultFromBody(error, billing)
  const message = choice['message']
  if (!isWire(message)) throw new ProviderFault('bad_response', 'the reply has no choice with a message', { billing })
  const finish = textOrNull(choice['finish_reason'])
  const broken = BROKEN_FINISHES.get(finish)
  if (broken !== undefined) throw new ProviderFault(broken, `the reply ended with "${finish}"`, { billing })
  const { content } = message
  // Reasoning and unknown parts are no answer.
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : wires(content)
  const refusal = textOrNull(message['refusal']) || textOf(parts, 'refusal', 'refusal')
  const sources = distinctSources(citedSources(wires(message['annotations'])))
  return {
    ...BLANK_REPLY,
    text: refusal || textOf(parts, 'text', 'text'),
    finishReason: refusal ? 'refusal' : (FINISHES.get(finish) ?? 'other'),
    rawFinishReason: finish,
    servedModel: textOrNull(body['model']),
    rung,
    rungFallback,
    usage,
    reportedCostUsd: reportedCost(counted, usageRule),
    // Chat Completions tells of a search by what it cites alone.
    searched: sources.length > 0,
    sources,
  }
}

/**
 * What the model did, where it comes as an error with a status: the text that Groq found to be no JSON
 * (`json_validate_failed`, with what was written in `failed_generation`), or the word of a filter. Null for what is the
 * request's or the server's doing.
 */
export function replyFromRejection(thrown: unknown): ModelReply | null {
  const { status, error } = wire(thrown)
  if (status !== 400 && status !== 403 && status !== 422) return null
  const { code, failed_generation: text } = wire(error)
  if (code === 'json_validate_failed' && typeof text === 'string') {
    return { ...BLANK_REPLY, text, finishReason: 'stop', rawFinishReason: code }
  }
  const declined = declinedBy(error)
  return declined === null ? null : declinedReply(declined)
}

function declinedReply(word: string): ModelReply {
  return { ...BLANK_REPLY, finishReason: 'content_filter', rawFinishReason: word }
}
