import type { CallRequest, Usage } from '../model/call.ts'
import type { Price } from '../providers/provider.ts'
import type { NanoUsd } from './money.ts'

const IMAGE_TOKENS_BOUND = 4096
/** What chat templates, role names and coaching put around a prompt, in tokens. */
const ENVELOPE_TOKENS = 1024

const encoder = new TextEncoder()
const bytes = (text: string): number => encoder.encode(text).length
// A price per million tokens in dollars is the price of one token in thousands of nano-dollars.
const nanoPerToken = (usdPerMTok: number): number => usdPerMTok * 1000

/**
 * The most a call can cost: one input token per UTF-8 byte of prompt and schema (the schema twice, since
 * coaching repeats it), a bound per image, the dearest input rate, and every output token it may write.
 */
export function worstCase(price: Price, request: CallRequest): NanoUsd {
  const schemaBytes = request.answerSchema === null ? 0 : bytes(JSON.stringify(request.answerSchema))
  const imageTokens = request.images.length * (price.imageTokensBound ?? IMAGE_TOKENS_BOUND)
  const tokensIn = bytes(request.prompt) + 2 * schemaBytes + imageTokens + ENVELOPE_TOKENS
  const inputRate = Math.max(price.inputUsdPerMTok, price.cacheWriteUsdPerMTok ?? 0)
  return Math.ceil(
    tokensIn * nanoPerToken(inputRate) +
      request.maxOutputTokens * nanoPerToken(price.outputUsdPerMTok) +
      nanoPerCall(price),
  )
}

/**
 * What a call did cost. Cached and written tokens are parts of `tokensIn` and priced at their own rates.
 * Null when a priced count was not reported: the cost is unknown.
 */
export function actualCost(price: Price, usage: Usage): NanoUsd | null {
  const cost = exactCost(price, usage)
  // A price below half a nano-dollar is still a price.
  return cost === null ? null : Math.max(Math.round(cost), cost > 0 ? 1 : 0)
}

function exactCost(price: Price, usage: Usage): number | null {
  const perToken = price.inputUsdPerMTok > 0 || price.outputUsdPerMTok > 0
  if (!perToken) return nanoPerCall(price)
  if (usage.tokensIn === null || usage.tokensOut === null) return null
  const cached = usage.cachedTokens ?? 0
  const written = usage.cacheWriteTokens ?? 0
  const plain = Math.max(usage.tokensIn - cached - written, 0)
  return (
    plain * nanoPerToken(price.inputUsdPerMTok) +
    cached * nanoPerToken(price.cacheReadUsdPerMTok ?? price.inputUsdPerMTok) +
    written * nanoPerToken(price.cacheWriteUsdPerMTok ?? price.inputUsdPerMTok) +
    usage.tokensOut * nanoPerToken(price.outputUsdPerMTok) +
    nanoPerCall(price)
  )
}

/** What is wrong with a price, or null: all its amounts are finite, none is negative, both token prices are there. */
export function priceProblem(price: unknown): string | null {
  if (typeof price !== 'object' || price === null) return 'a price is an object'
  const amounts = price as Record<string, unknown>
  for (const name of ['inputUsdPerMTok', 'outputUsdPerMTok'])
    if (amounts[name] === undefined) return `${name} is missing`
  for (const [name, amount] of Object.entries(amounts)) {
    if (typeof amount === 'number' && Number.isFinite(amount) && amount >= 0) continue
    if (amount !== undefined) return `${name} is ${String(amount)}, not an amount of 0 or more`
  }
  return null
}

function nanoPerCall(price: Price): number {
  return (price.perCallUsd ?? 0) * 1e9
}
