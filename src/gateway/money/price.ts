import type { CallRequest, Usage } from '../../model/call.ts'
import type { NanoUsd } from './money.ts'
import type { Pricing } from './pricing.ts'

/** What chat templates, role names and coaching put around a prompt, in tokens. */
const ENVELOPE_TOKENS = 1024
/** What the results of searches can add to the input, in tokens. */
const SEARCH_TOKENS = 50_000

const encoder = new TextEncoder()
const bytes = (text: string): number => encoder.encode(text).length

/**
 * The most a call can cost: one input token per UTF-8 byte of prompt and schema (the schema twice, since coaching
 * repeats it), a bound per image and for searches, the dearest kind of input, and every output token it may write.
 */
export function worstCase(pricing: Pricing, request: CallRequest): NanoUsd {
  const schemaBytes = request.answerSchema === null ? 0 : bytes(JSON.stringify(request.answerSchema))
  const imageTokens = request.images.length * pricing.imageTokensBound
  const searchTokens = request.search ? SEARCH_TOKENS : 0
  const tokens = bytes(request.prompt) + 2 * schemaBytes + imageTokens + searchTokens + ENVELOPE_TOKENS
  const none = { input: 0, cached: 0, written: 0, output: request.maxOutputTokens }
  const dearest = Math.max(pricing.cost({ ...none, input: tokens }), pricing.cost({ ...none, written: tokens }))
  return Math.ceil(dearest + (request.search ? pricing.mostSearches * pricing.perSearch : 0))
}

/**
 * What a call did cost. Cached and written tokens are parts of `tokensIn` and priced at their own rates.
 * Null when a priced count was not reported: the cost is unknown.
 * @param searched whether a search may have been run.
 */
export function actualCost(pricing: Pricing, usage: Usage, searched = false): NanoUsd | null {
  const searchCost = searched && pricing.perSearch > 0 ? countedSearches(usage, pricing) : 0
  const tokenCost = pricing.byToken ? countedTokens(usage, pricing) : pricing.cost(NOTHING)
  if (searchCost === null || tokenCost === null) return null
  const cost = tokenCost + searchCost
  // A price below half a nano-dollar is still a price.
  return Math.max(Math.round(cost), cost > 0 ? 1 : 0)
}

const NOTHING = { input: 0, cached: 0, written: 0, output: 0 }

function countedSearches({ searches = null }: Usage, { perSearch }: Pricing): number | null {
  return searches === null ? null : searches * perSearch
}

function countedTokens(usage: Usage, pricing: Pricing): number | null {
  if (usage.tokensIn === null || usage.tokensOut === null) return null
  const cached = usage.cachedTokens ?? 0
  const written = usage.cacheWriteTokens ?? 0
  const input = Math.max(usage.tokensIn - cached - written, 0)
  return pricing.cost({ input, cached, written, output: usage.tokensOut })
}
