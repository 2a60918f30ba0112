import Type, { type Static } from 'typebox'

/** Faults of the model: scored, the sample failed to parse. */
export const MODEL_FAILURES = ['refusal', 'content_filter', 'truncated', 'empty'] as const
/** Faults of the infrastructure: unscored, the run is incomplete. */
export const INFRASTRUCTURE_FAILURES = [
  'rate_limited',
  'overloaded',
  'server_error',
  'timeout',
  'network',
  'bad_response',
  'grader_timeout',
] as const
/** Nobody's fault: the sample could not measure what the class measures. Unscored. */
export const INELIGIBLE = ['cache_prefix_below_minimum', 'cache_not_reported', 'cache_contaminated'] as const
/** Faults of the set-up: the model's run stops at once. */
export const SETUP_FAILURES = ['auth', 'model_not_found', 'quota_exhausted'] as const

export type ModelFailure = (typeof MODEL_FAILURES)[number]
export type InfrastructureFailure = (typeof INFRASTRUCTURE_FAILURES)[number]
export type SetupFailure = (typeof SETUP_FAILURES)[number]
export type FailureClass = ModelFailure | InfrastructureFailure | SetupFailure | (typeof INELIGIBLE)[number]

/** Every failure class there is. */
export const FAILURE_CLASSES: readonly FailureClass[] = [
  ...MODEL_FAILURES,
  ...INFRASTRUCTURE_FAILURES,
  ...INELIGIBLE,
  ...SETUP_FAILURES,
]

/** True for a sample that could not measure what its class measures, through nobody's fault. */
export function isIneligible({ failureClass }: { readonly failureClass: FailureClass | null }): boolean {
  return (INELIGIBLE as readonly (string | null)[]).includes(failureClass)
}

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()])
const Count = Type.Integer({ minimum: 0 })
/** Finite: JSON can spell numbers that are not. */
export const Amount = Type.Number({ minimum: 0, maximum: Number.MAX_VALUE })
const Share = Type.Number({ minimum: 0, maximum: 1 })

/**
 * How a call was tied to a prompt cache: by a `breakpoint` in the request, by a `key` or header that leads to one cache;
 * `automatic`: by nothing, at a provider that documents that it caches by itself.
 */
export const CACHE_MARKERS = ['breakpoint', 'key', 'automatic'] as const
export type CacheMarker = (typeof CACHE_MARKERS)[number]

/** What stood around the JSON of a reply. */
export const Wrapping = Type.Enum(['none', 'fence', 'reasoning', 'prose'])
export type Wrapping = Static<typeof Wrapping>

export const Violation = Type.Object(
  {
    path: Type.String({ description: 'JSON Pointer into the answer.' }),
    message: Type.String(),
    keyword: Type.String({ description: 'Schema keyword that said no.' }),
  },
  { additionalProperties: false },
)
export type Violation = Static<typeof Violation>

export const Mismatch = Type.Object(
  {
    path: Type.String({ description: 'Path as written in expectedValues.' }),
    expected: Type.Unknown(),
    actual: Type.Optional(Type.Unknown({ description: 'Absent when the answer has nothing there.' })),
  },
  { additionalProperties: false },
)
export type Mismatch = Static<typeof Mismatch>

export const Citation = Type.Object(
  {
    url: Type.String({ description: 'In normal form.' }),
    kind: Type.Enum(['native', 'text'], {
      description:
        'native: attributed by the provider to a search it ran, or found by it and written in the answer. text: only written.',
    }),
  },
  { additionalProperties: false },
)
export type Citation = Static<typeof Citation>

/** Most samples of a fixture and model in one run. */
export const MOST_SAMPLES = 10_000

/** What a custom check can be called. */
export const CHECK_NAME = '^[A-Za-z][A-Za-z0-9_-]{0,63}$'

const SentImage = Type.Object(
  { sha256: Type.String(), mediaType: Type.String(), width: Count, height: Count },
  { additionalProperties: false, description: 'An image as it went over the wire.' },
)

/** One measured attempt at one fixture by one model, as stored in `raw`. */
export const SampleSchema = Type.Object(
  {
    index: Type.Integer({ minimum: 0, exclusiveMaximum: MOST_SAMPLES }),
    scored: Type.Boolean({ description: 'False when an infrastructure fault spoiled the measurement.' }),
    failureClass: nullable(Type.Enum([...FAILURE_CLASSES])),
    failureDetail: Type.Optional(
      Type.String({ description: 'What the provider or the network said, or why the text did not parse.' }),
    ),
    parseOk: Type.Boolean(),
    schemaConform: nullable(Type.Boolean()),
    valueAccuracy: nullable(Share),
    grounded: nullable(Type.Boolean()),
    citationCount: nullable(Count),
    cachedTokens: nullable(Count),
    cachedShare: Type.Optional(nullable(Share)),
    primeCachedTokens: Type.Optional(nullable(Count)),
    cacheMarker: Type.Optional(
      nullable(Type.Enum([...CACHE_MARKERS], { description: 'How both calls were tied to a cache.' })),
    ),
    rung: nullable(Type.Enum(['native', 'json_mode'])),
    tokensIn: nullable(Count),
    tokensOut: nullable(Count),
    costUsd: nullable(Amount),
    latencyMs: nullable(Amount),
    output: nullable(Type.String({ description: 'The reply as text; cut beyond 256 KiB.' })),
    outputBytes: Type.Optional(Type.Integer({ minimum: 0, description: 'UTF-8 size of the whole output, when cut.' })),
    outputSha256: Type.Optional(Type.String({ description: 'Hex digest of the whole output, when cut.' })),
    finishReason: nullable(
      Type.Enum(['stop', 'length', 'content_filter', 'refusal', 'other'], { description: 'In common terms.' }),
    ),
    rawFinishReason: Type.Optional(nullable(Type.String({ description: 'The provider’s own word for it.' }))),
    servedModel: nullable(Type.String({ description: 'What the provider says it ran.' })),
    attempts: Type.Integer({ minimum: 0 }),
    requestHash: Type.String(),
    startedAt: Type.String({ description: 'UTC, ISO 8601.' }),
    reasoningTokens: Type.Optional(nullable(Count)),
    cacheWriteTokens: Type.Optional(nullable(Count)),
    violations: Type.Optional(Type.Array(Violation, { maxItems: 10 })),
    mismatches: Type.Optional(Type.Array(Mismatch)),
    wrapping: Type.Optional(Wrapping),
    sentImages: Type.Optional(Type.Array(SentImage)),
    citations: Type.Optional(Type.Array(Citation)),
    searchRequested: Type.Optional(Type.Boolean({ description: 'The request really switched a search on.' })),
    searched: Type.Optional(Type.Boolean({ description: 'The provider says that a search was run.' })),
    rungFallback: Type.Optional(nullable(Type.String())),
    checks: Type.Optional(
      Type.Record(Type.String({ pattern: CHECK_NAME }), nullable(Type.Boolean()), {
        additionalProperties: false,
        description:
          'Custom checks by name; null: there is no verdict, of a check that failed or a sample that is not scored.',
      }),
    ),
    costUpperBoundUsd: Type.Optional(Amount),
    replayed: Type.Boolean(),
  },
  { additionalProperties: false },
)
export type Sample = Static<typeof SampleSchema>
