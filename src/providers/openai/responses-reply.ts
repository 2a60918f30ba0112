import type { FinishReason, ModelReply } from '../../model/call.ts'
import { BLANK_REPLY } from '../blank-reply.ts'
import { billingOf, notJson } from '../body-fault.ts'
import { ProviderFault, type Billing } from '../provider.ts'
import { distinctSources, sourceOf } from '../sources.ts'
import { faultFromBody } from './chat-fault.ts'
import { declinedBy } from './declined.ts'
import type { UsageRule } from './dialect.ts'
import { citedSources } from './sources.ts'
import { reportedCost, usageFromResponses } from './usage.ts'
import { isWire, textOf, textOrNull, wire, wires, type Wire } from '../wire.ts'

/** Why a reply is incomplete, as far as it is the model's doing. */
const INCOMPLETE: ReadonlyMap<string | null, FinishReason> = new Map([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content_filter'],
])

/** Codes of the SDK's `ResponseError` that blame the request: it would only fail again. */
const REQUESTS_FAULT = /^(invalid_|image_|unsupported_|empty_image|failed_to_download|data_residency)/

/**
 * A Responses body in common terms, read as it came over the wire: the SDK's `output_text` breaks on what has no output.
 * @throws ProviderFault `bad_response` when it is none, or the class of the error it carries.
 */
export function replyFromResponses(body: unknown, usageRule?: UsageRule): ModelReply {
  if (!isWire(body)) throw notJson(body)
  const counted = wire(body['usage'])
  const output = wires(body['output'])
  const searches = Array.isArray(body['output']) ? output.filter(isSearch).length : null
  const usage = { ...usageFromResponses(counted, usageRule), searches }
  const billing = billingOf(usage)
  const known = {
    ...BLANK_REPLY,
    servedModel: textOrNull(body['model']),
    usage,
    reportedCostUsd: reportedCost(counted, usageRule),
    searchRequested: true,
  }
  const error = body['error'] || (body['object'] === 'error' && body)
  if (error) {
    const declined = declinedBy(error)
    if (declined !== null) return { ...known, finishReason: 'content_filter', rawFinishReason: declined }
    throw faultOf(error, textOrNull(wire(error)['code']), billing)
  }
  const status = textOrNull(body['status'])
  if (status === 'failed' || status === 'cancelled') {
    throw new ProviderFault('server_error', `the reply ended as "${status}"`, { billing })
  }
  if (status === 'queued' || status === 'in_progress') {
    throw new ProviderFault('bad_response', `the reply came while it was still "${status}"`, { billing })
  }
  if (!Array.isArray(body['output'])) throw new ProviderFault('bad_response', 'the reply has no output', { billing })
  const search = searchIn(output)
  if (!search.searched && output.some((item) => isSearch(item) && item['status'] === 'failed')) {
    throw new ProviderFault('server_error', 'the search failed', { billing })
  }
  const answer = output.filter(isAnswer).flatMap((message) => wires(message['content']))
  const refusal = textOf(answer, 'refusal', 'refusal')
  const reason = textOrNull(wire(body['incomplete_details'])['reason'])
  if (status === 'incomplete' && refusal === '' && !INCOMPLETE.has(reason)) {
    // Neither the model nor its limit ended it: half an answer shows nothing of the model.
    const message = `the reply is incomplete: ${reason ?? 'no reason is given'}`
    throw new ProviderFault('bad_response', message, { billing, retryable: false })
  }
  return {
    ...known,
    ...endOf(status, reason, refusal !== ''),
    text: refusal || textOf(answer, 'output_text', 'text'),
    ...search,
  }
}

function faultOf(error: unknown, code: string | null, billing: Billing): ProviderFault {
  const fault = faultFromBody(error, billing)
  if (fault.failureClass !== 'bad_response' || code === null || !REQUESTS_FAULT.test(code)) return fault
  return new ProviderFault('bad_response', fault.message, { billing, retryable: false, cause: fault.cause })
}

function endOf(status: string | null, reason: string | null, refused: boolean) {
  if (refused) return { finishReason: 'refusal' as const, rawFinishReason: reason ?? status }
  if (status === 'incomplete') {
    return { finishReason: INCOMPLETE.get(reason) ?? ('other' as const), rawFinishReason: reason ?? status }
  }
  return { finishReason: status === 'completed' ? ('stop' as const) : ('other' as const), rawFinishReason: status }
}

/** What a model says on its way, such as that it is going to search, is no answer. */
function isAnswer(item: Wire): boolean {
  return item['type'] === 'message' && item['phase'] !== 'commentary'
}

/** Pages that are opened are no searches, and not billed as such; how a search ended is not known to matter for that. */
function isSearch(item: Wire): boolean {
  const kind = wire(item['action'])['type']
  return item['type'] === 'web_search_call' && kind !== 'open_page' && kind !== 'find_in_page'
}

/** A search counts when it came to its end; one that failed found nothing. */
function searchIn(output: readonly Wire[]): Pick<ModelReply, 'searched' | 'sources'> {
  const searches = output.filter((item) => isSearch(item) && item['status'] === 'completed')
  const cited = output.flatMap((item) => wires(item['content'])).flatMap((part) => wires(part['annotations']))
  const found = searches.flatMap((search) => wires(wire(search['action'])['sources']))
  return {
    searched: searches.length > 0,
    sources: distinctSources([
      ...citedSources(cited),
      ...found.flatMap((source) => sourceOf(source, source['url'], false)),
    ]),
  }
}
