import type { ModelReply } from '../../model/call.ts'
import type { FaultClass } from '../fault-class.ts'
import { ProviderFault, type Billing } from '../provider.ts'
import { distinctSources, sourceOf } from '../sources.ts'
import { textOrNull, wire, wires, type Wire } from '../wire.ts'

/** Errors of a search that are its server's. Any other is the model's: too many searches, or none that could be run. */
const OUTAGES: ReadonlyMap<string | null, FaultClass> = new Map([
  ['unavailable', 'overloaded'],
  ['too_many_requests', 'rate_limited'],
])

/** Whether a block is part of a search: that it was asked for, or what came of it. */
export function isOfSearch({ type, name }: Wire): boolean {
  return type === 'web_search_tool_result' || (type === 'server_tool_use' && name === 'web_search')
}

/** What the blocks of a message tell of its searches. What is cited without one is no source of one. */
export function searchIn(blocks: readonly Wire[]): Pick<ModelReply, 'searched' | 'sources'> {
  const results = blocks.filter(hasResults)
  if (results.length === 0) return { searched: false, sources: [] }
  const cited = blocks.filter(({ type }) => type === 'text').flatMap(({ citations }) => wires(citations))
  const found = results.flatMap(({ content }) => wires(content))
  const sources = [
    ...cited.filter(({ type }) => type === 'web_search_result_location').map((citation) => [citation, true] as const),
    ...found.filter(({ type }) => type === 'web_search_result').map((result) => [result, false] as const),
  ]
  return { searched: true, sources: distinctSources(sources.flatMap(([from, is]) => sourceOf(from, from['url'], is))) }
}

/** The fault of a message whose searches all failed, one of them at least through no doing of the model's. */
export function searchFault(blocks: readonly Wire[], billing: Billing): ProviderFault | null {
  if (blocks.some(hasResults)) return null
  for (const { type, content } of blocks) {
    const code = type === 'web_search_tool_result' ? textOrNull(wire(content)['error_code']) : null
    const failureClass = OUTAGES.get(code)
    if (failureClass !== undefined) return new ProviderFault(failureClass, `the search failed: ${code}`, { billing })
  }
  return null
}

/** Results of a search, be it none; what went wrong comes as an object in their place. */
function hasResults({ type, content }: Wire): boolean {
  return type === 'web_search_tool_result' && Array.isArray(content)
}
