import type { FinishReason, ModelReply, Usage } from '../../model/call.ts'
import { BLANK_REPLY } from '../blank-reply.ts'
import { billingOf } from '../body-fault.ts'
import { ProviderFault } from '../provider.ts'
import { distinctSources, sourceOf } from '../sources.ts'
import { billedSearches } from './billed-searches.ts'
import { faultFromError } from './fault.ts'
import { count, parsed, textOrNull, wire, wires, type Wire } from '../wire.ts'

const FINISHES: ReadonlyMap<string | null, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['BLOCKLIST', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['SPII', 'content_filter'],
  ['MODEL_ARMOR', 'content_filter'],
  ['IMAGE_SAFETY', 'content_filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content_filter'],
  ['IMAGE_RECITATION', 'content_filter'],
])

/** What only the caller knows of a call. */
export type Asked = Pick<ModelReply, 'rung' | 'rungFallback' | 'cacheMarker' | 'searchRequested' | 'sentImages'>

/**
 * The body of a 200 in common terms.
 * @throws ProviderFault `bad_response` when it holds no answer, or the class of the error it carries.
 */
export function replyFromGemini(text: string, asked: Asked): ModelReply {
  const value = parsed(text)
  if (typeof value !== 'object' || value === null)
    throw new ProviderFault('bad_response', `the reply is not a JSON object: ${text}`, { billing: { kind: 'unknown' } })
  const body = wire(Array.isArray(value) ? value[0] : value)
  const usage = usageFromGemini(wire(body['usageMetadata']))
  const billing = billingOf(usage)
  if (body['error']) throw faultFromError(null, body['error'], { counted: billing })
  const servedModel = textOrNull(body['modelVersion'])
  const [candidate] = wires(body['candidates'])
  const grounding = wire(candidate?.['groundingMetadata'])
  const searches = asked.searchRequested && { searches: billedSearches(grounding, servedModel) }
  const known = { ...BLANK_REPLY, ...asked, servedModel, usage: { ...usage, ...searches } }
  if (candidate === undefined) {
    const blocked = textOrNull(wire(body['promptFeedback'])['blockReason'])
    // The same words end answers: that it was the prompt has to be said.
    if (blocked !== null)
      return { ...known, finishReason: 'content_filter', rawFinishReason: `blockReason: ${blocked}` }
  }
  if (candidate === undefined || Object.keys(candidate).length === 0)
    throw new ProviderFault('bad_response', 'the reply has no candidate', { billing })
  const finish = textOrNull(candidate['finishReason'])
  return {
    ...known,
    text: answerOf(wire(candidate['content'])),
    finishReason: FINISHES.get(finish) ?? 'other',
    rawFinishReason: finish,
    ...searchOf(grounding),
  }
}

/** Thoughts are text parts too, with a mark. */
function answerOf(content: Wire): string {
  return wires(content['parts'])
    .map((part) => (part['thought'] === true ? '' : (textOrNull(part['text']) ?? '')))
    .join('')
}

/** A search that was run need not have sources, and the metadata may be there, empty, without a search. */
function searchOf(metadata: Wire): Pick<ModelReply, 'searched' | 'sources'> {
  const queries = metadata['webSearchQueries']
  const chunks = wires(metadata['groundingChunks'])
  const pages = chunks.map((chunk) => wire(chunk['web']))
  const searched = (Array.isArray(queries) && queries.length > 0) || chunks.length > 0
  return { searched, sources: distinctSources(pages.flatMap((page) => sourceOf(page, page['uri'], true))) }
}

/** Thoughts and the prompts of tools are counted apart; what is cached is a part of the prompt. */
function usageFromGemini(usage: Wire): Usage {
  const prompt = count(usage['promptTokenCount'])
  const tokensIn = prompt === null ? null : prompt + (count(usage['toolUsePromptTokenCount']) ?? 0)
  const answer = count(usage['candidatesTokenCount'])
  const thoughts = count(usage['thoughtsTokenCount'])
  return {
    tokensIn,
    tokensOut: answer === null && thoughts === null ? outFromTotal(usage, tokensIn) : (answer ?? 0) + (thoughts ?? 0),
    cachedTokens: count(usage['cachedContentTokenCount']),
    cacheWriteTokens: null,
    reasoningTokens: thoughts,
  }
}

/** Counts that are 0 are left out of a body; the total tells that from counts that are not known. */
function outFromTotal(usage: Wire, tokensIn: number | null): number | null {
  const total = count(usage['totalTokenCount'])
  return total === null || tokensIn === null || total < tokensIn ? null : total - tokensIn
}
