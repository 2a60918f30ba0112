import { expect, test } from 'vitest'
import { actualCost as costOf, worstCase as boundOf } from '../../src/gateway/money/price.ts'
import { pricingOf } from '../../src/gateway/money/pricing.ts'
import type { CallRequest, Usage } from '../../src/model/call.ts'
import type { Price } from '../../src/providers/provider.ts'

const worstCase = (price: Price, request: CallRequest) => boundOf(pricingOf(price, 'x'), request)
const actualCost = (price: Price, usage: Usage) => costOf(pricingOf(price, 'x'), usage)

const REQUEST: CallRequest = {
  prompt: 'abc',
  images: [],
  answerSchema: null,
  rung: 'auto',
  maxOutputTokens: 1000,
  search: false,
  cacheKey: null,
}
const USAGE: Usage = {
  tokensIn: null,
  tokensOut: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
}
const image = { bytes: new Uint8Array(), mediaType: 'image/png' as const, sha256: '' }

// $2 a million is 2,000 nano-dollars a token.
const PRICE = { inputUsdPerMTok: 2, outputUsdPerMTok: 10 }

test('the worst case is a token a byte, what stands around a prompt, and every output token', () => {
  expect(worstCase(PRICE, REQUEST)).toBe((3 + 1024) * 2000 + 1000 * 10_000)
})

test('bytes are counted, not characters', () => {
  const wide = worstCase(PRICE, { ...REQUEST, prompt: 'äöü€' })
  expect(wide - worstCase(PRICE, { ...REQUEST, prompt: '' })).toBe(9 * 2000)
})

test('the schema counts twice, an image at its bound, input at the dearest rate', () => {
  const schema = { type: 'object' }
  const schemaBytes = '{"type":"object"}'.length
  const price = { ...PRICE, cacheWriteUsdPerMTok: 2.5, imageTokensBound: 1500, perCallUsd: 0.01 }
  expect(worstCase(price, { ...REQUEST, answerSchema: schema, images: [image, image] })).toBe(
    (3 + 1024 + 2 * schemaBytes + 2 * 1500) * 2500 + 1000 * 10_000 + 10_000_000,
  )
})

test('cached and written input have their own rates and are parts of the total', () => {
  const price = { ...PRICE, cacheReadUsdPerMTok: 0.2, cacheWriteUsdPerMTok: 2.5 }
  const usage = { ...USAGE, tokensIn: 1000, tokensOut: 50, cachedTokens: 600, cacheWriteTokens: 300 }
  expect(actualCost(price, usage)).toBe(100 * 2000 + 600 * 200 + 300 * 2500 + 50 * 10_000)
})

test('without cache prices all input costs the same', () => {
  expect(actualCost(PRICE, { ...USAGE, tokensIn: 1000, tokensOut: 0, cachedTokens: 600 })).toBe(1000 * 2000)
})

test('an unreported count of a priced call is unknown, not free', () => {
  expect(actualCost(PRICE, { ...USAGE, tokensIn: 1000 })).toBeNull()
  expect(actualCost(PRICE, { ...USAGE, tokensOut: 1000 })).toBeNull()
})

test('a call with a flat price alone needs no counts', () => {
  expect(actualCost({ inputUsdPerMTok: 0, outputUsdPerMTok: 0, perCallUsd: 0.01 }, USAGE)).toBe(10_000_000)
})

test('fractions of a nano-dollar are rounded up when held', () => {
  const price = { inputUsdPerMTok: 0.0001, outputUsdPerMTok: 0 }
  expect(worstCase(price, { ...REQUEST, prompt: '', maxOutputTokens: 1 })).toBe(Math.ceil(1024 * 0.1))
})

test('a price below half a nano-dollar is still a price', () => {
  expect(actualCost({ inputUsdPerMTok: 0.0000001, outputUsdPerMTok: 0 }, { ...USAGE, tokensIn: 1, tokensOut: 0 })).toBe(
    1,
  )
})
