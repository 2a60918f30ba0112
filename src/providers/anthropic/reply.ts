import type { FinishReason, ModelReply, Source, Usage } from '../../model/call.ts'
import { BLANK_REPLY, NO_USAGE } from '../blank-reply.ts'
import { count, isWire, textOrNull, wire, wires, type Wire } from '../wire.ts'
import { ProviderFault, type Billing } from '../provider.ts'
import { faultFromBody, isFiltered } from './fault.ts'

/** What is known of a reply before it arrives. */
export type Asked = Pick<ModelReply, 'rung' | 'rungFallback' | 'searchRequested' | 'sentImages'>

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
  if (!isWire(body)) {
    const shown = typeof body === 'string' && body !== '' ? `: ${body}` : ''
    throw new ProviderFault('bad_response', `the reply is not JSON${shown}`, { billing: { kind: 'unknown' } })
  }
  const usage = usageFromMessage(wire(body['usage']))
  const billing: Billing = usage.tokensIn === null ? { kind: 'unknown' } : { kind: 'usage', usage }
  if (isFiltered(body)) return filteredReply(asked, usage)
  if (body['type'] === 'error' || body['error']) throw faultFromBody(body, billing)
  if (body['type'] !== 'message' || !Array.isArray(body['content'])) {
    throw new ProviderFault('bad_response', 'the reply is no message', { billing })
  }
  const blocks = wires(body['content'])
  const texts = blocks.filter((block) => block['type'] === 'text')
  const finish = textOrNull(body['stop_reason'])
  if (finish === 'pause_turn') {
    // The API's own loop of searches came to its limit and waits to be sent on: nobody has answered yet.
    const options = { billing, retryable: false }
    throw new ProviderFault('bad_response', 'the turn was paused before there was an answer', options)
  }
  const searched = blocks.some(isSearchResult)
  return {
    ...BLANK_REPLY,
    ...asked,
    text: texts.map((block) => textOrNull(block['text']) ?? '').join(''),
    finishReason: FINISHES.get(finish) ?? 'other',
    rawFinishReason: finish,
    servedModel: textOrNull(body['model']),
    usage,
    searched,
    sources: searched ? sourcesOf(texts) : [],
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

/** Results of a search, be it none; what went wrong comes as an object in their place. */
function isSearchResult(block: Wire): boolean {
  return block['type'] === 'web_search_tool_result' && Array.isArray(block['content'])
}

function sourcesOf(texts: readonly Wire[]): Source[] {
  const byUrl = new Map<string, Source>()
  for (const { type, url, title } of texts.flatMap((block) => wires(block['citations']))) {
    if (type !== 'web_search_result_location' || typeof url !== 'string' || url === '' || byUrl.has(url)) continue
    byUrl.set(url, { url, title: textOrNull(title) })
  }
  return [...byUrl.values()]
}

/** `input_tokens` leaves out what the cache read and wrote; `output_tokens` holds the thinking already. */
function usageFromMessage(usage: Wire): Usage {
  const uncached = count(usage['input_tokens'])
  const cachedTokens = count(usage['cache_read_input_tokens'])
  const cacheWriteTokens = count(usage['cache_creation_input_tokens'])
  return {
    tokensIn: uncached === null ? null : uncached + (cachedTokens ?? 0) + (cacheWriteTokens ?? 0),
    tokensOut: count(usage['output_tokens']),
    cachedTokens,
    cacheWriteTokens,
    reasoningTokens: count(wire(usage['output_tokens_details'])['thinking_tokens']),
    searches: count(wire(usage['server_tool_use'])['web_search_requests']),
  }
}
