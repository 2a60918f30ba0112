import { expect, test } from 'vitest'
import { actualCost, worstCase } from '../../src/gateway/money/price.ts'
import { listedPricing, pricingOf, type Pricing } from '../../src/gateway/money/pricing.ts'
import { requestOf } from '../support/gateway.ts'

const TOKENS = { input: 0, cached: 0, written: 0, output: 0 }
const USAGE = { tokensIn: 10_000, tokensOut: 500, cachedTokens: 6000, cacheWriteTokens: null, reasoningTokens: 200 }

// Published prices in US dollars per million tokens, and the sums worked out by hand. Reasoning is part of the output.
test.for<[string, string, object, number]>([
  // 4,000 x 1.75 + 6,000 x 0.175 + 500 x 14
  ['openai', 'gpt-5.2', {}, 15_050_000],
  // 1,000 x 1 + 6,000 x 0.10 + 3,000 x 1.25 + 500 x 5
  ['anthropic', 'claude-haiku-4-5', { cacheWriteTokens: 3000 }, 7_850_000],
  // 4,000 x 0.30 + 6,000 x 0.03 + 500 x 2.50
  ['google', 'gemini-2.5-flash', {}, 2_630_000],
  // Above 200,000 tokens all input costs 2.50 instead of 1.25, and output 15 instead of 10.
  ['google', 'gemini-2.5-pro', { tokensIn: 300_000, cachedTokens: null, tokensOut: 100 }, 751_500_000],
])('listed price of %s %s', ([provider, model, usage, nano]) => {
  expect(actualCost(listedPricing(provider, model)!, { ...USAGE, ...usage })).toBe(nano)
})

test('a model that the list does not know has no price', () => {
  expect(listedPricing('openai', 'no-such-model')).toBeNull()
  expect(listedPricing('nobody', 'gpt-5.2')).toBeNull()
})

test('the worst case takes the dearest kind of input', () => {
  // 1 byte and 1,024 tokens around it as cache writes at 1.25, 1,000 of output at 5.
  const pricing = listedPricing('anthropic', 'claude-haiku-4-5')!
  expect(worstCase(pricing, requestOf({ prompt: 'p' }))).toBe(1025 * 1250 + 1000 * 5000)
})

test('searches cost what the list says, else what is published beside it, and as many are held for as can be billed', () => {
  const heldFor = (pricing: Pricing) =>
    worstCase(pricing, requestOf({ search: true })) -
    worstCase(pricing, requestOf()) -
    pricing.cost({ ...TOKENS, input: 50_000 })
  expect(heldFor(listedPricing('openai', 'gpt-5.2', { usd: 5 })!)).toBe(10 * 10_000_000)
  expect(heldFor(listedPricing('google', 'gemini-2.5-flash', { usd: 0.035, most: 1 })!)).toBe(35_000_000)
  expect(heldFor(listedPricing('x-ai', 'grok-4', { usd: 0.005 })!)).toBe(10 * 5_000_000)
  const given = { inputUsdPerMTok: 1, outputUsdPerMTok: 1 }
  expect(heldFor(pricingOf(given, 'user', { usd: 0.02 }))).toBe(10 * 20_000_000)
  expect(heldFor(pricingOf({ ...given, perSearchUsd: 0 }, 'user', { usd: 0.02 }))).toBe(0)
})

test('searches are held for, and settled by their number; an unknown number is an unknown cost', () => {
  const pricing = pricingOf({ inputUsdPerMTok: 1, outputUsdPerMTok: 1, perSearchUsd: 0.01 }, 'x')
  const usage = { ...USAGE, cachedTokens: null }
  const without = worstCase(pricing, requestOf({ prompt: '' }))
  // Ten searches at a cent, and what they can add to the input.
  expect(worstCase(pricing, requestOf({ prompt: '', search: true })) - without).toBe(100_000_000 + 50_000 * 1000)
  expect(actualCost(pricing, { ...usage, searches: 3 }, true)).toBe(10_500_000 + 30_000_000)
  expect(actualCost(pricing, { ...usage, searches: 0 }, true)).toBe(10_500_000)
  expect(actualCost(pricing, usage, true)).toBeNull()
  expect(actualCost(pricing, usage, false)).toBe(10_500_000)
})

test.for(['00:10', '00:30', '09:00', '16:30', '23:59'])(
  'a price that changes by the hour counts at its dearest at %s too: the bill comes later than the hold',
  (time) => {
    // DeepSeek, a million tokens: $0.27 in and $1.10 out from 00:30 to 16:30 UTC, half of that at night.
    const pricing = listedPricing('deepseek', 'deepseek-chat', undefined, new Date(`2026-11-30T${time}:00Z`))!
    expect(pricing.cost({ input: 2000, cached: 0, written: 0, output: 50 })).toBeCloseTo(595_000, 3)
  },
)
