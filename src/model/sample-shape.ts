import Type from 'typebox'
import { CACHE_MARKERS } from './cache-marker.ts'
import { FAILURE_CLASSES } from './failure.ts'
import { CHECK_NAME, MOST_SAMPLES } from './sample-limits.ts'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()])
const Count = Type.Integer({ minimum: 0 })
/** Finite: JSON can spell numbers that are not. */
export const Amount = Type.Number({ minimum: 0, maximum: Number.MAX_VALUE })
const Share = Type.Number({ minimum: 0, maximum: 1 })

/** What stood around the JSON of a reply. */
export const WrappingSchema = Type.Enum(['none', 'fence', 'reasoning', 'prose'])

export const ViolationSchema = Type.Object(
  {
    path: Type.String({ description: 'JSON Pointer into the answer.' }),
    message: Type.String(),
    keyword: Type.String({ description: 'Schema keyword that said no.' }),
  },
  { additionalProperties: false },
)

export const MismatchSchema = Type.Object(
  {
    path: Type.String({ description: 'Path as written in expectedValues.' }),
    expected: Type.Unknown(),
    actual: Type.Optional(Type.Unknown({ description: 'Absent when the answer has nothing there.' })),
  },
  { additionalProperties: false },
)

export const CitationSchema = Type.Object(
  {
    url: Type.String({ description: 'In normal form.' }),
    kind: Type.Enum(['native', 'text'], {
      description:
        'native: attributed by the provider to a search it ran, or found by it and written in the answer. text: only written.',
    }),
  },
  { additionalProperties: false },
)

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
    violations: Type.Optional(Type.Array(ViolationSchema, { maxItems: 10 })),
    mismatches: Type.Optional(Type.Array(MismatchSchema)),
    wrapping: Type.Optional(WrappingSchema),
    sentImages: Type.Optional(Type.Array(SentImage)),
    citations: Type.Optional(Type.Array(CitationSchema)),
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
