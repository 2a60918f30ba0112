import type { SearchPrice } from './provider.ts'

interface Row extends SearchPrice {
  readonly provider: string
  /** Models the row is for; the first that matches counts. */
  readonly models: RegExp
  /** Where the price is written. Read on 2026-11-30. */
  readonly source: string
}

const ANY = /^/
/** Searches Anthropic is told to run at most for one answer. */
export const ANTHROPIC_MOST_SEARCHES = 5
const OPENROUTER = 'openrouter.ai/docs/features/web-search'

/**
 * What providers bill for a search, beside the tokens it brings: the bundled price list has it for some models only.
 * Allowances that are free are not taken off, since other programs may have used them up.
 */
const ROWS: readonly Row[] = [
  // A whole prompt that was grounded, up to 2.5; each query from 3 on.
  {
    provider: 'gemini',
    models: /gemini-(1|2)/,
    usd: 0.035,
    most: 1,
    source: 'discuss.ai.google.dev/t/gemini-api-grounding-billing-for-requests-exceeding-daily-free-tier/102927',
  },
  { provider: 'gemini', models: ANY, usd: 0.014, source: 'ai.google.dev/gemini-api/docs/pricing' },
  { provider: 'xai', models: ANY, usd: 0.005, source: 'docs.x.ai/developers/pricing' },
  // Five results at $4 a thousand: once for a prompt, but where the plugin lets these models search for themselves.
  { provider: 'openrouter', models: /^(anthropic|openai|perplexity|x-ai)\//, usd: 0.02, source: OPENROUTER },
  { provider: 'openrouter', models: ANY, usd: 0.02, most: 1, source: OPENROUTER },
  { provider: 'openai', models: ANY, usd: 0.01, source: 'openai.com/api/pricing' },
  {
    provider: 'anthropic',
    models: ANY,
    usd: 0.01,
    most: ANTHROPIC_MOST_SEARCHES,
    source: 'platform.claude.com/docs/en/about-claude/pricing',
  },
]

/** What a provider bills for the searches of a model where that is published; null: nothing is known. */
export function searchPriceOf(provider: string, model: string): SearchPrice | null {
  return ROWS.find((row) => row.provider === provider && row.models.test(model)) ?? null
}
