import { calcPrice } from '@pydantic/genai-prices'
import { MOST_SEARCHES, type Price, type SearchPrice } from '../../providers/provider.ts'

/** Tokens of a call by what they cost. The four are disjoint: cached and written input are not in `input`. */
export interface TokenCounts {
  readonly input: number
  readonly cached: number
  readonly written: number
  readonly output: number
}

/** What a model's calls cost, in nano-dollars, not rounded. */
export interface Pricing {
  /** Where it comes from, as it stands in result files. */
  readonly source: string
  /** False when only calls as such cost, so that token counts need not be known. */
  readonly byToken: boolean
  /** False when nothing costs anything. */
  readonly paid: boolean
  /** Most input tokens one image can count for. */
  readonly imageTokensBound: number
  /** Of one web search the provider runs. */
  readonly perSearch: number
  /** Most searches that can be billed for one call. */
  readonly mostSearches: number
  cost(tokens: TokenCounts): number
}

const IMAGE_TOKENS_BOUND = 4096
const NO_SEARCHES: SearchPrice = { usd: 0 }
const NANO = 1e9
const HALF_HOUR_MS = 1_800_000
const DAY_MS = 48 * HALF_HOUR_MS
// A price per million tokens in dollars is the price of one token in thousands of nano-dollars.
const NANO_PER_USD_PER_MTOK = 1000

/**
 * The pricing of a price that somebody gave; cached and written input cost what plain input does unless said.
 * @param search what searches cost where the price does not say.
 */
export function pricingOf(price: Price, source: string, search: SearchPrice = NO_SEARCHES): Pricing {
  const { inputUsdPerMTok: input, outputUsdPerMTok: output, perCallUsd = 0, perSearchUsd = search.usd } = price
  const { cacheReadUsdPerMTok: read = input, cacheWriteUsdPerMTok: write = input } = price
  const byToken = [input, output, read, write].some((amount) => amount > 0)
  return {
    source,
    byToken,
    paid: byToken || perCallUsd > 0 || perSearchUsd > 0,
    imageTokensBound: price.imageTokensBound ?? IMAGE_TOKENS_BOUND,
    perSearch: perSearchUsd * NANO,
    mostSearches: search.most ?? MOST_SEARCHES,
    cost: (tokens) =>
      (tokens.input * input + tokens.cached * read + tokens.written * write + tokens.output * output) *
        NANO_PER_USD_PER_MTOK +
      perCallUsd * NANO,
  }
}

/**
 * The pricing of a model in the bundled list of `@pydantic/genai-prices`, tiers and cache prices included; null when it
 * is not there. A price that changes by the hour counts at its dearest: a call held at the price of one hour could be
 * billed at that of the next.
 * @param providerId name of the provider in that list.
 * @param search what searches cost where the list does not say.
 * @param today the day whose prices count.
 */
export function listedPricing(
  providerId: string,
  model: string,
  search: SearchPrice = NO_SEARCHES,
  today: Date = new Date(),
): Pricing | null {
  const timestamp = dearestTime(providerId, model, today)
  const priced = (input_tokens: number, cache_read_tokens: number, cache_write_tokens: number, output_tokens: number) =>
    calcPrice({ input_tokens, cache_read_tokens, cache_write_tokens, output_tokens }, model, { providerId, timestamp })
  const found = priced(0, 0, 0, 0)
  if (found === null) return null
  const { web_searches_kcount: searches } = found.model_price
  return {
    source: '@pydantic/genai-prices',
    byToken: true,
    paid: true,
    imageTokensBound: IMAGE_TOKENS_BOUND,
    perSearch: (typeof searches === 'number' ? searches / 1000 : search.usd) * NANO,
    mostSearches: search.most ?? MOST_SEARCHES,
    cost({ input, cached, written, output }) {
      // The list counts cached and written input among the input.
      return (priced(input + cached + written, cached, written, output)?.total_price ?? 0) * NANO
    },
  }
}

/** When of this day (UTC) a model's list price is highest; prices change on the half hour. */
function dearestTime(providerId: string, model: string, today: Date): Date {
  const usage = { input_tokens: 1000, output_tokens: 1000 }
  const midnight = Math.floor(today.getTime() / DAY_MS) * DAY_MS
  const times = Array.from({ length: 48 }, (_, index) => new Date(midnight + index * HALF_HOUR_MS))
  const priceAt = (timestamp: Date) => calcPrice(usage, model, { providerId, timestamp })?.total_price ?? 0
  return times.reduce((dearest, time) => (priceAt(time) > priceAt(dearest) ? time : dearest))
}
