import type { FinishReason, ModelReply, Rung, Usage } from '../../model/call.ts'
import type { InfrastructureFailure } from '../../model/sample.ts'
import { BLANK_REPLY } from '../blank-reply.ts'
import { ProviderFault, type Billing } from '../provider.ts'
import { faultFromBody } from './chat-fault.ts'

/** Part of a body as it may arrive: nothing in it is certain. */
type Wire = Readonly<Record<string, unknown>>

const FINISHES: ReadonlyMap<string | null, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'content_filter'],
])

/** Ends that are the server's doing: what text there is, is no answer. */
const BROKEN_FINISHES: ReadonlyMap<string | null, InfrastructureFailure> = new Map([
  ['error', 'server_error'],
  ['abort', 'server_error'],
  ['insufficient_system_resource', 'overloaded'],
])

/**
 * A Chat Completions body in common terms.
 * @throws ProviderFault `bad_response` when it is none, or the class of the error it carries.
 */
export function replyFromChat(body: unknown, rung: Rung | null, rungFallback: string | null): ModelReply {
  if (!isWire(body)) {
    const shown = typeof body === 'string' && body !== '' ? `: ${body}` : ''
    throw new ProviderFault('bad_response', `the reply is not JSON${shown}`, { billing: { kind: 'unknown' } })
  }
  const usage = usageFromChat(wire(body['usage']))
  const billing: Billing = usage.tokensIn === null ? { kind: 'unknown' } : { kind: 'usage', usage }
  const choice = wire(Array.isArray(body['choices']) ? body['choices'][0] : null)
  const error = body['error'] || choice['error'] || (body['object'] === 'error' && body)
  if (error) throw faultFromBody(error, billing)
  const message = choice['message']
  if (!isWire(message)) throw new ProviderFault('bad_response', 'the reply has no choice with a message', { billing })
  const finish = textOrNull(choice['finish_reason'])
  const broken = BROKEN_FINISHES.get(finish)
  if (broken !== undefined) throw new ProviderFault(broken, `the reply ended with "${finish}"`, { billing })
  const refusal = textOrNull(message['refusal']) || textOf(message['content'], 'refusal')
  return {
    ...BLANK_REPLY,
    text: refusal || textOf(message['content'], 'text'),
    finishReason: refusal ? 'refusal' : (FINISHES.get(finish) ?? 'other'),
    rawFinishReason: finish,
    servedModel: textOrNull(body['model']),
    rung,
    rungFallback,
    usage,
  }
}

/** Parts of one type only: reasoning and unknown parts are no answer. */
function textOf(content: unknown, type: 'text' | 'refusal'): string {
  if (typeof content === 'string') return type === 'text' ? content : ''
  if (!Array.isArray(content)) return ''
  return content
    .map(wire)
    .map((part) => (part['type'] === type ? (textOrNull(part[type]) ?? '') : ''))
    .join('')
}

/** Cached, written and reasoning tokens are parts of the totals here. */
function usageFromChat(usage: Wire): Usage {
  const input = wire(usage['prompt_tokens_details'])
  const output = wire(usage['completion_tokens_details'])
  return {
    tokensIn: count(usage['prompt_tokens']),
    tokensOut: count(usage['completion_tokens']),
    cachedTokens: count(input['cached_tokens']),
    cacheWriteTokens: count(input['cache_write_tokens']),
    reasoningTokens: count(output['reasoning_tokens']),
  }
}

function isWire(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null
}

function wire(value: unknown): Wire {
  return isWire(value) ? value : {}
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}
