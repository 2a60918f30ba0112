import type { FixtureImage, JsonSchema, ProbeClass } from './fixture.ts'
import type { ErrorCode } from './errors.ts'
import type { CacheMarker, InfrastructureFailure, SetupFailure } from './sample.ts'

/** Serving path of a structured answer. */
export type Rung = 'native' | 'json_mode'

/**
 * What is known of a provider's native rung: it enforces the schema, it may take the schema and ignore it, or it takes
 * none.
 */
export type NativeRung = 'enforced' | 'unproven' | 'none'

/** One request in common terms; adapters turn it into their wire format. */
export interface CallRequest {
  readonly prompt: string
  readonly images: readonly Pick<FixtureImage, 'bytes' | 'mediaType' | 'sha256'>[]
  /** JSON Schema the answer must satisfy, or null for free text. */
  readonly answerSchema: JsonSchema | null
  readonly rung: 'auto' | Rung
  readonly maxOutputTokens: number
  /** Let the model search the web, where the provider has a search of its own. */
  readonly search: boolean
  /** The same for calls that are to share a prompt cache; null when caching is not what is measured. */
  readonly cacheKey: string | null
}

/** A source that a provider's search found. */
export interface Source {
  /** As the provider gave it. */
  readonly url: string
  readonly title: string | null
  /** The provider attributes it to the answer; false: its search found it, and the answer need not rest on it. */
  readonly cited: boolean
}

/** An image as it went over the wire, which need not be the fixture's. */
export interface SentImage {
  readonly sha256: string
  readonly mediaType: string
  /** Pixels. */
  readonly width: number
  readonly height: number
}

/** What a provider counted. Null: it does not say. `tokensIn` and `tokensOut` are whole billed totals. */
export interface Usage {
  readonly tokensIn: number | null
  readonly tokensOut: number | null
  readonly cachedTokens: number | null
  readonly cacheWriteTokens: number | null
  readonly reasoningTokens: number | null
  /** Web searches the provider bills; absent or null: it does not say. */
  readonly searches?: number | null
}

/** What is documented of a provider's prompt cache, with where it is written and when that was read. */
export interface CachePolicy {
  /** Smallest prefix that is cached, in input tokens by the provider's count; null: none is documented. */
  readonly minTokens: number | null
  /** How long a written cache takes to become readable. */
  readonly delayMs: number
  /** The provider's format leaves a count of zero out. */
  readonly absentIsZero: boolean
  readonly source: string
  /** Date, YYYY-MM-DD. */
  readonly asOf: string
}

/** What a provider says of the limits of an account. */
export interface AccountLimit {
  /** What may still be sent before the limit that is nearest is reached; null: it does not say. */
  readonly remaining: number | null
  /** Milliseconds until that limit starts afresh; null: it does not say. */
  readonly resetMs: number | null
}

/** Why a model stopped, in common terms. */
export type FinishReason = 'stop' | 'length' | 'content_filter' | 'refusal' | 'other'

/** One reply in common terms. */
export interface ModelReply {
  /** The answer alone: reasoning text is never part of it. */
  readonly text: string
  readonly finishReason: FinishReason
  /** The provider's own word for it; a prompt that was blocked before a model saw it is told as such. */
  readonly rawFinishReason: string | null
  readonly servedModel: string | null
  /** Null when no structure was asked for. */
  readonly rung: Rung | null
  readonly rungFallback: string | null
  readonly usage: Usage
  /** The provider's own figure in US dollars, where it reports one. */
  readonly reportedCostUsd: number | null
  /** Null: caching was not asked for, or nothing was sent and nothing is documented. */
  readonly cacheMarker: CacheMarker | null
  /** Whether the request really switched a search on. */
  readonly searchRequested: boolean
  /** Whether the provider says that a search was run. */
  readonly searched: boolean
  /** Distinct sources of searches; empty when there was none. URLs that only stand in the text are not here. */
  readonly sources: readonly Source[]
  readonly sentImages: readonly SentImage[]
  /** For the pace of a run alone: it stands in no journal and no sample. */
  readonly accountLimit?: AccountLimit
}

/**
 * Answers to one structured question, each graded before it is used: what a simulated model chooses from. A real model
 * is never shown them.
 */
export interface AnswerKey {
  /** Conforms, with every expected value. */
  readonly right: string
  /** Conforms, with an expected value that is not right; null where there is no such answer. */
  readonly wrongValues: string | null
  /** Parses, and breaks the schema; null where there is no such answer. */
  readonly nonConforming: string | null
}

/** One request that a recipe wants answered. */
export interface Ask {
  /** The run that asks. */
  readonly runId: string
  readonly modelKey: string
  readonly probeClass: ProbeClass
  readonly fixtureId: string
  readonly fixtureHash: string
  readonly sampleIndex: number
  /** Position of the call inside its sample: 0, or 1 for a second call. */
  readonly step: number
  readonly request: CallRequest
  /** For models that answer from it, and given to no other. */
  readonly answerKey?: AnswerKey | null
  /**
   * `only`: answered from the journal or refused as `NOT_JOURNALED`; `never`: bought, whatever the journal holds.
   * Default: from the journal where the run replays and it is there, else bought.
   */
  readonly replay?: 'only' | 'never'
  /**
   * Two calls of the same request that are of use only together: the first is sent when both can be paid; the second is
   * made with what was held for it, or waived.
   */
  readonly pair?: 'first' | 'second' | 'waived'
  /** Sent no earlier than so many milliseconds from now. */
  readonly delayMs?: number
}

/** What the gateway did for an ask, whatever came of it. */
export interface CallRecord {
  readonly requestHash: string
  /** UTC, ISO 8601, of the first attempt. */
  readonly startedAt: string
  /** Requests sent, retries included. */
  readonly attempts: number
  /** Wall time of the last attempt. */
  readonly latencyMs: number
  /** Null when the true cost is unknown; then the bound is set. */
  readonly costUsd: number | null
  readonly costUpperBoundUsd: number | null
  readonly replayed: boolean
}

/** What a worker may know of a model before it asks anything of it. */
export interface ModelTraits {
  /** Where the price comes from: `local`, `user`, a package and version. */
  readonly priceSource: string
  /** True when no real model answers. */
  readonly simulated: boolean
  /** Whether its native rung enforces a schema; `unproven`: it may take one and ignore it. */
  readonly nativeRung: NativeRung
  /** A simulated model that makes its answers from the key that an ask brings along. */
  readonly answersFromKey: boolean
  /** What is known of the provider's prompt cache for this model; null: nothing. */
  readonly cache: CachePolicy | null
  /** Runs whose calls can be replayed, latest first; none where nothing is. */
  readonly earlierRuns: readonly string[]
}

/** Traits, or why the model cannot be asked. */
export type TraitsOutcome =
  | { readonly kind: 'traits'; readonly traits: ModelTraits }
  | { readonly kind: 'refused'; readonly error: Refusal }

/** Answer to an ask. Plain data: it crosses threads and lies in the journal. */
export type CallOutcome =
  | { readonly kind: 'reply'; readonly reply: ModelReply; readonly record: CallRecord }
  | {
      readonly kind: 'fault'
      readonly failureClass: InfrastructureFailure | SetupFailure
      readonly detail: string
      readonly record: CallRecord
      /** Set when a retry that could have helped was not sent. */
      readonly refusal?: Refusal
    }
  | { readonly kind: 'refused'; readonly error: Refusal }

/** Why the gateway did not send a call. Survives a thread boundary, unlike an error class. */
export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly spentUsd?: number
  readonly envelopeUsd?: number
  readonly fix?: string
  readonly allowed?: string
}

/** Whether a call was not sent because the run only plans. */
export function isDryRun({ code }: Refusal): boolean {
  return code === 'DRY_RUN'
}
