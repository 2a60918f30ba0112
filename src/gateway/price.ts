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
  const perToken = price.inputUsdPerMTok > 0 || price.outputUsdPerMTok > 0
  if (!perToken) return Math.round(nanoPerCall(price))
  if (usage.tokensIn === null || usage.tokensOut === null) return null
  const cached = usage.cachedTokens ?? 0
  const written = usage.cacheWriteTokens ?? 0
  const plain = Math.max(usage.tokensIn - cached - written, 0)
  return Math.round(
    plain * nanoPerToken(price.inputUsdPerMTok) +
      cached * nanoPerToken(price.cacheReadUsdPerMTok ?? price.inputUsdPerMTok) +
      written * nanoPerToken(price.cacheWriteUsdPerMTok ?? price.inputUsdPerMTok) +
      usage.tokensOut * nanoPerToken(price.outputUsdPerMTok) +
      nanoPerCall(price),
  )
}

function nanoPerCall(price: Price): number {
  return (price.perCallUsd ?? 0) * 1e9
}
