import type { FailureClass } from '../../../src/model/sample.ts'
import type { WireReply } from '../../support/raw-server.ts'

/** What a sample must say of a reply. */
export interface Verdict {
  /** Whether it enters the rates: what the model did counts, what the infrastructure did does not. */
  readonly scored: boolean
  readonly failureClass: FailureClass | null
  readonly parseOk: boolean
  /** US dollars of all attempts; null where nobody can know. */
  readonly usd: number | null
  readonly attempts: number
  /** Absent: not looked at. */
  readonly rungFallback?: string
  /** Absent: not looked at. */
  readonly cachedTokens?: number
  /** Absent: not looked at. */
  readonly grounded?: boolean
  /** Absent: not looked at. */
  readonly citationCount?: number
  /** Absent: not looked at. */
  readonly primeCachedTokens?: number
  /** Absent: not looked at. */
  readonly cacheMarker?: 'breakpoint' | 'key' | 'automatic' | null
  /** Absent: not looked at. */
  readonly rawFinishReason?: string
}

/** A reply as a provider sends it, and what must become of it. */
export interface WireRow {
  readonly name: string
  readonly model: string
  /** @default schema */
  readonly probeClass?: 'schema' | 'grounding' | 'caching'
  /** @default a short one */
  readonly prompt?: string
  /** One after the other, then the last again; null: nobody listens. */
  readonly replies: readonly WireReply[] | null
  /** The server takes schemas and answers as it likes. */
  readonly ignoresSchemas?: boolean
  readonly verdict: Verdict
}

/** What every call here costs, in US dollars per million tokens. */
export const PRICE = {
  inputUsdPerMTok: 1,
  cacheReadUsdPerMTok: 0.1,
  cacheWriteUsdPerMTok: 2,
  outputUsdPerMTok: 10,
  perSearchUsd: 0,
}

/** Most attempts of a call, by what it meets each time; 8 of anything else. */
const MOST_ATTEMPTS: Partial<Record<FailureClass, number>> = {
  rate_limited: 16,
  bad_response: 4,
}

/** An answer to be graded as such. */
export const answer = (usd: number | null, attempts = 1): Verdict => ({
  scored: true,
  failureClass: null,
  parseOk: true,
  usd,
  attempts,
})

/** Text that was to be JSON and is not, with nothing else to be said against it. */
export const unparsed = (usd: number | null): Verdict => ({ ...answer(usd), parseOk: false })

/** The model's own failure: it counts. */
export const modelFailed = (
  failureClass: 'refusal' | 'content_filter' | 'truncated' | 'empty',
  usd: number | null,
): Verdict => ({ scored: true, failureClass, parseOk: false, usd, attempts: 1 })

/** A fault that time may heal, met at every attempt. */
export const broken = (
  failureClass: FailureClass,
  usd: number | null,
  attempts = MOST_ATTEMPTS[failureClass] ?? 8,
): Verdict => ({
  scored: false,
  failureClass,
  parseOk: false,
  usd,
  attempts,
})

/** A fault that the same request would only meet again; it was not billed. */
export const once = (failureClass: FailureClass): Verdict => broken(failureClass, 0, 1)
