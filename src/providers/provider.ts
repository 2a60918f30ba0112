import type { AccountLimit, AnswerKey, CachePolicy, CallRequest, ModelReply, NativeRung, Usage } from '../model/call.ts'
import type { ProbeClass } from '../model/fixture.ts'
import type { InfrastructureFailure, SetupFailure } from '../model/sample.ts'

/** US dollars. Token prices are per million tokens; what is absent costs what plain input costs. */
export interface Price {
  readonly inputUsdPerMTok: number
  readonly outputUsdPerMTok: number
  readonly cacheReadUsdPerMTok?: number
  readonly cacheWriteUsdPerMTok?: number
  /** Flat price of a call, on top of its tokens. Default 0. */
  readonly perCallUsd?: number
  /** Price of one web search that the provider runs. Default: what is published of it, else 0. */
  readonly perSearchUsd?: number
  /** Most input tokens one image can count for. Default 4,096. */
  readonly imageTokensBound?: number
}

/** Price of what runs on the user's own machine. */
export const FREE: Price = Object.freeze({ inputUsdPerMTok: 0, outputUsdPerMTok: 0 })

/** What a provider bills for web searches, in the units in which it counts them. */
export interface SearchPrice {
  /** US dollars of one. */
  readonly usd: number
  /** Most that can be billed for one call. Default: `MOST_SEARCHES`. */
  readonly most?: number
}

/** Which call of a run this is, and what can be answered: what a simulated model makes its answers from. */
export interface Rehearsal {
  readonly probeClass: ProbeClass
  readonly fixtureHash: string
  readonly sampleIndex: number
  readonly step: number
  /** Requests for this call so far, this one included. */
  readonly attempt: number
  readonly answerKey: AnswerKey | null
}

/** Searches of one call that money is held back for; where a server can be told a bound, it is told this one. */
export const MOST_SEARCHES = 10

export interface CallContext {
  /** The provider's own name for the model, without the provider part. */
  readonly model: string
  /** Aborts the call, body included; the gateway keeps the deadline. */
  readonly signal: AbortSignal
  /** Given to providers that answer from a key, and to no other. */
  readonly rehearsal?: Rehearsal
}

/**
 * One way to reach models. A provider sends at most one request a call that can be billed (retries are the
 * gateway's), and either returns a reply or throws a ProviderFault.
 */
export interface Provider {
  readonly name: string
  /** Classes this provider can serve. */
  readonly classes: readonly ProbeClass[]
  /** True when no real model stands behind it. */
  readonly simulated: boolean
  /** Whether its native rung is known to enforce a schema. @default 'enforced' */
  readonly nativeRung?: NativeRung
  /** It makes its answers from the key of each call, where there is one. @default false */
  readonly answersFromKey?: boolean
  /** Most calls worth having open at once, e.g. the cores of a local engine. Absent: no bound of its own. */
  readonly maxConcurrency?: number
  /** Null: the provider knows none; then the bundled price list is asked, where `priceList` names it there. */
  price(model: string): Price | null
  /** Name of the provider in the bundled price list. */
  readonly priceList?: string
  /** Where its prices come from, as it stands in result files: `local`, `user`, a package and version. */
  readonly priceSource: string
  /** What web searches cost, where prices leave it out; absent or null: nothing is known. */
  searchPrice?(model: string): SearchPrice | null
  /** What is known of its prompt cache for a model; absent or null: nothing. */
  cachePolicy?(model: string): CachePolicy | null
  /** Says why a model cannot be called, before anything is; null when it may exist. */
  rejectModel?(model: string): string | null
  call(request: CallRequest, context: CallContext): Promise<ModelReply>
  /** Where it is, for a server that the user runs: calls that never reach it are a mistake of the set-up. */
  readonly server?: OwnServer
  /** Texts that must not be shown, whoever repeats them: its keys. */
  readonly secrets?: readonly string[]
  /** Frees what the provider holds (threads, sockets). */
  close?(): Promise<void>
}

/** A server that the user runs. */
export interface OwnServer {
  /** Without user, password and query. */
  readonly address: string
  /** Name of the variable or option that moves it. */
  readonly movedBy: string
}

/** Where providers get addresses and keys from. */
export interface Credentials {
  apiKey(provider: string): string | null
  baseUrl(provider: string): string | null
}

/** What a failed call may have cost: nothing, a known usage, or nobody knows. */
export type Billing =
  | { readonly kind: 'none' }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'unknown' }

/** A call that brought no gradable reply, classified by who is at fault. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault'
  readonly failureClass: InfrastructureFailure | SetupFailure
  readonly billing: Billing
  /** How long the provider asks to wait, in milliseconds; null as well when that makes no sense. */
  readonly retryAfterMs: number | null
  /** False when the same request would only fail again. */
  readonly retryable: boolean
  /** What the provider said of the account's limits along with it. */
  readonly accountLimit: AccountLimit | null

  constructor(
    failureClass: InfrastructureFailure | SetupFailure,
    message: string,
    options: {
      billing: Billing
      retryAfterMs?: number | null
      retryable?: boolean
      accountLimit?: AccountLimit | null
      cause?: unknown
    },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.failureClass = failureClass
    this.billing = options.billing
    const { retryAfterMs = null } = options
    this.retryAfterMs = retryAfterMs !== null && retryAfterMs >= 0 && retryAfterMs < Infinity ? retryAfterMs : null
    this.retryable = options.retryable ?? true
    this.accountLimit = options.accountLimit ?? null
  }
}
