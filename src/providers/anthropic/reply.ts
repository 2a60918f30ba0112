import type { FinishReason, ModelReply, Usage } from '../../model/call.ts'
import { BLANK_REPLY, NO_USAGE } from '../blank-reply.ts'
import { billingOf, notJson } from '../body-fault.ts'
import { ProviderFault } from '../provider.ts'
import { count, isWire, textOf, textOrNull, wire, wires, type Wire } from '../wire.ts'
import { faultFromBody, isFiltered } from './fault.ts'
import { isOfSearch, searchFault, searchIn } from './search.ts'

/** What is known of a reply before it arrives. */
export type Asked = Pick<ModelReply, 'rung' | 'rungFallback' | 'cacheMarker' | 'searchRequested' | 'sentImages'>

const FINISHES: ReadonlyMap<string | null, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refusal'],
])

/**
 * A Messages body in common terms.
 * @throws ProviderFault `bad_response` when it is no message, or the class of the error it is.
 */
export function replyFromMessage(body: unknown, asked: Asked): ModelReply {
  if (!isWire(body)) throw notJson(body)
  const usage = usageFromMessage(wire(body['usage']), body['content'])
  const billing = billingOf(usage)
  if (isFiltered(body)) return filteredReply(asked, usage)
  if (body['type'] === 'error' || body['error']) throw faultFromBody(body, billing)
  if (body['type'] !== 'message' || !Array.isArray(body['content'])) {
    throw new ProviderFault('bad_response', 'the reply is no message', { billing })
  }
  const blocks = wires(body['content'])
  const finish = textOrNull(body['stop_reason'])
  if (finish === 'pause_turn') {
    // The API's own loop of searches came to its limit and waits to be sent on: nobody has answered yet.
    const options = { billing, retryable: false }
    throw new ProviderFault('bad_response', 'the turn was paused before there was an answer', options)
  }
  const broken = searchFault(blocks, billing)
  if (broken !== null) throw broken
  return {
    ...BLANK_REPLY,
    ...asked,
    text: textOf(blocks, 'text', 'text'),
    finishReason: FINISHES.get(finish) ?? 'other',
    rawFinishReason: finish,
    servedModel: textOrNull(body['model']),
    usage,
    ...searchIn(blocks),
  }
}

/** The reply whose answer a filter took away. */
export function filteredReply(asked: Asked, usage: Usage = NO_USAGE): ModelReply {
  return {
    ...BLANK_REPLY,
    ...asked,
    finishReason: 'content_filter',
    rawFinishReason: 'content filtering policy',
    usage,
  }
}

/** `input_tokens` leaves out what the cache read and wrote; `output_tokens` holds the thinking already. */
function usageFromMessage(usage: Wire, content: unknown): Usage {
  const uncached = count(usage['input_tokens'])
  const cachedTokens = count(usage['cache_read_input_tokens'])
  const cacheWriteTokens = count(usage['cache_creation_input_tokens'])
  return {
    tokensIn: uncached === null ? null : uncached + (cachedTokens ?? 0) + (cacheWriteTokens ?? 0),
    tokensOut: count(usage['output_tokens']),
    cachedTokens,
    cacheWriteTokens,
    reasoningTokens: count(wire(usage['output_tokens_details'])['thinking_tokens']),
    // A message that holds no search was billed for none, whether or not it says so.
    searches:
      count(wire(usage['server_tool_use'])['web_search_requests']) ??
      (Array.isArray(content) && !wires(content).some(isOfSearch) ? 0 : null),
  }
}
