import type { CachePolicy } from '../model/call.ts'

interface Row {
  readonly provider: string
  /** Models the row is for; the first that matches counts. */
  readonly models: RegExp
  readonly minTokens: number | null
  readonly delayMs: number
  readonly source: string
}

const AS_OF = '2026-11-29'
const ANY = /^/

const OPENAI = 'developers.openai.com/api/docs/guides/prompt-caching; delay: askalf/dario#1259'
const GEMINI = 'ai.google.dev/gemini-api/docs/caching'
const ANTHROPIC = 'platform.claude.com/docs/en/build-with-claude/prompt-caching; delay: anthropic-sdk-python#1451'
const DEEPSEEK = 'api-docs.deepseek.com/guides/kv_cache; delay: vectorize-io/hindsight#4404'

/**
 * Documented minimum sizes, and how long a written cache was seen to take until it is read. Sources contradict each
 * other on several minimums: the larger figure stands here, since a prefix below it proves nothing.
 */
const ROWS: readonly Row[] = [
  { provider: 'openai', models: ANY, minTokens: 1024, delayMs: 30_000, source: OPENAI },
  { provider: 'gemini', models: ANY, minTokens: 4096, delayMs: 5000, source: GEMINI },
  { provider: 'anthropic', models: /haiku-4-5|opus-4-[56]/, minTokens: 4096, delayMs: 2000, source: ANTHROPIC },
  { provider: 'anthropic', models: /sonnet-4-6/, minTokens: 2048, delayMs: 2000, source: ANTHROPIC },
  { provider: 'anthropic', models: /opus-5|fable-5|mythos-5/, minTokens: 512, delayMs: 2000, source: ANTHROPIC },
  { provider: 'anthropic', models: ANY, minTokens: 1024, delayMs: 2000, source: ANTHROPIC },
  { provider: 'deepseek', models: ANY, minTokens: 64, delayMs: 30_000, source: DEEPSEEK },
]

/** Providers whose JSON leaves counts of zero out, as protocol buffers do. */
const ABSENT_IS_ZERO: ReadonlySet<string> = new Set(['gemini'])

/** What is documented of a provider's prompt cache for a model; null: nothing. */
export function cachePolicyOf(provider: string, model: string): CachePolicy | null {
  const row = ROWS.find((candidate) => candidate.provider === provider && candidate.models.test(model))
  if (row === undefined) return null
  const { minTokens, delayMs, source } = row
  return { minTokens, delayMs, absentIsZero: ABSENT_IS_ZERO.has(provider), source, asOf: AS_OF }
}
