import Type from 'typebox'
import { PROBE_CLASSES } from '../model/probe-class.ts'
import { Amount } from '../model/sample-shape.ts'
import { PooledRateSchema } from '../stats/block-shape.ts'
import { RateSchema } from '../stats/rate-shape.ts'
import { AbilityClaimSchema, AmountClaimSchema } from './declared-shape.ts'
import { DiscrepancySchema } from './discrepancy-shape.ts'
import { REGISTRY_VERSION } from './registry-words.ts'
import { Count, exact, orNull, Share } from './common-shape.ts'

const Instant = Type.String({ description: 'UTC, ISO 8601.' })

const DISPUTED = { description: 'Newest claims of other sources that differ.' }
const Ability = Type.Optional(
  Type.Object(
    { ...AbilityClaimSchema.properties, disputedBy: Type.Optional(Type.Array(AbilityClaimSchema, DISPUTED)) },
    exact,
  ),
)
const Amounts = Type.Optional(
  Type.Object(
    { ...AmountClaimSchema.properties, disputedBy: Type.Optional(Type.Array(AmountClaimSchema, DISPUTED)) },
    exact,
  ),
)

/** Shape of the claims that stand: one of each kind, the vendor's own first, else the newest. */
export const StandingClaimsSchema = Type.Object(
  {
    structuredOutput: Ability,
    jsonMode: Ability,
    webSearch: Ability,
    promptCaching: Ability,
    vision: Ability,
    contextTokens: Amounts,
    maxOutputTokens: Amounts,
    inputUsdPerMTok: Amounts,
    outputUsdPerMTok: Amounts,
    cacheReadUsdPerMTok: Amounts,
    cacheWriteUsdPerMTok: Amounts,
  },
  exact,
)

export const AdapterSchema = Type.Object(
  {
    classes: Type.Array(Type.Enum([...PROBE_CLASSES]), { description: 'What the adapter can ask the provider for.' }),
    nativeRung: Type.Enum(['enforced', 'unproven', 'none'], {
      description: 'What is known of the schemas it sends: held to, perhaps ignored, or never sent.',
    }),
    cacheMinTokens: orNull(Count, 'Documented smallest prefix that is cached; null: not known.'),
  },
  { ...exact, description: 'What the adapter of the provider can ask for: a claim of ours, and of no vendor.' },
)

const rates = <T extends Parameters<typeof Type.Record>[1]>(rate: T) => Type.Record(Type.String(), rate)
const groups = (description: string) => Type.Record(Type.String(), rates(PooledRateSchema), { description })

export const FileSchema = Type.Object(
  {
    file: Type.String({ description: 'Path, relative to the registry file.' }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    date: Instant,
    format: Type.Enum(['modelrig-probes', 'modelrig']),
    harnessVersion: Type.String(),
    simulated: Type.Boolean(),
    complete: orNull(Type.Boolean(), 'Null: the file does not say.'),
    stopReason: orNull(Type.String()),
    askedRung: orNull(Type.String(), 'Serving path the run asked for; null: the file does not say.'),
    fixtures: Type.Integer({ minimum: 0, description: 'Fixtures that are taken from it.' }),
  },
  exact,
)

/** Shape of how many samples were served how. */
export const RungsSchema = Type.Object(
  { native: Count, json_mode: Count, none: Count },
  { ...exact, description: 'Scored samples by the path they were served on.' },
)

/** Shape of latencies in milliseconds. */
export const LatencySchema = Type.Object({ n: Count, p50: Amount, p90: Amount, max: Amount }, exact)

export const FixtureRowSchema = Type.Object(
  {
    hash: Type.String({ pattern: '^[0-9a-f]{16}$' }),
    family: Type.String(),
    difficulty: Type.Enum(['standard', 'hard']),
    domain: Type.String(),
    file: Type.Integer({ minimum: 0, description: 'Position in `files`.' }),
    samples: Count,
    scored: Count,
    unscored: Count,
    costUsd: Type.Number({ minimum: 0, description: 'Of all its samples; unknown cost at its bound.' }),
    latencyMs: orNull(Amount, 'Median over scored samples.'),
    rates: rates(RateSchema),
  },
  exact,
)

/** Shape of what was measured of a model in a class. */
export const ProbedSchema = Type.Object(
  {
    date: Type.String({ description: 'When the newest run that is in it began.' }),
    oldestDate: Type.String({ description: 'When the oldest run that is in it began.' }),
    ageDays: Type.Number({ minimum: 0, description: 'Age of the oldest run when the registry was built.' }),
    stale: Type.Boolean({ description: 'Some of it is older than `staleAfterDays`.' }),
    simulated: Type.Boolean(),
    complete: Type.Boolean({ description: 'Nothing that its files set out to measure is missing, in them together.' }),
    files: Type.Array(FileSchema, { description: 'Newest first.' }),
    fixtures: Type.Record(Type.String(), FixtureRowSchema),
    samples: Count,
    scored: Count,
    unscored: Count,
    rates: rates(PooledRateSchema),
    hard: orNull(
      PooledRateSchema,
      'Of hard fixtures: right answers (schema, image) or the rate of the class; null: there is none.',
    ),
    by_difficulty: groups('Rates by difficulty, but for `parse`.'),
    by_domain: groups('Rates by domain.'),
    by_family: groups('Rates by family.'),
    by_rung: groups(
      'Rates by the path that answers were served on: `native`, `json_mode`; absent where there is none.',
    ),
    valueAccuracyMean: orNull(Share),
    cachedShareMean: orNull(Share),
    rungs: RungsSchema,
    rungFallbacks: Type.Record(Type.String(), Count, { description: 'Why samples were not served natively.' }),
    mechanism: Type.Object(
      {
        what: Type.String({ description: 'What had to be asked for.' }),
        exercised: Type.Integer({ minimum: 0, description: 'Scored samples that really asked for it.' }),
        of: Type.Integer({ minimum: 0, description: 'Scored samples.' }),
        measure: Type.String({ description: 'What `rate` counts.' }),
        rate: orNull(PooledRateSchema, 'Over the samples that asked for it; null without one.'),
      },
      { ...exact, description: 'What claims are held against: samples that never asked say nothing of them.' },
    ),
    askedNatively: Type.Optional(
      orNull(
        PooledRateSchema,
        'Class schema: conformant answers on the native rung, over all samples that asked for it there; a schema that was refused or ignored failed. Null: none asked.',
      ),
    ),
    cost: Type.Object(
      {
        samples: Count,
        totalUsd: Amount,
        successes: Type.Integer({ minimum: 0, description: 'Of the rate that the class is judged by.' }),
        per1000Usd: orNull(Amount, 'Per 1,000 successes, all that failed paid for along; null without one.'),
        upperBound: Type.Boolean({ description: 'An unknown cost is in it, at its bound.' }),
      },
      exact,
    ),
    latencyMs: orNull(LatencySchema, 'Over scored samples.'),
  },
  exact,
)

export const RegistryModelSchema = Type.Object(
  {
    declared: orNull(StandingClaimsSchema, 'Null: the declared layer does not have the model.'),
    adapter: orNull(AdapterSchema, 'Null: no adapter of that name.'),
    probed: Type.Object(
      {
        schema: Type.Optional(ProbedSchema),
        grounding: Type.Optional(ProbedSchema),
        caching: Type.Optional(ProbedSchema),
        image: Type.Optional(ProbedSchema),
      },
      { ...exact, description: 'A class without results is absent.' },
    ),
    discrepancies: Type.Array(DiscrepancySchema),
  },
  exact,
)

/** Why a file that was given is not in the registry, or only in part. */
const REFUSAL_REASONS = ['unreadable', 'not_verified', 'simulated', 'shard', 'no_samples'] as const

export const RefusedSchema = Type.Object(
  { file: Type.String(), reason: Type.Enum([...REFUSAL_REASONS]), message: Type.String() },
  exact,
)

/** Shape of a registry file; shipped as `schemas/registry.schema.json`. */
export const RegistrySchema = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    formatVersion: Type.Literal(REGISTRY_VERSION),
    harnessVersion: Type.String(),
    builtAt: Instant,
    staleAfterDays: Type.Number({ exclusiveMinimum: 0 }),
    simulated: Type.Boolean({ description: 'Simulated results were let in: they say nothing of real models.' }),
    files: Type.Object(
      { given: Count, used: Count, superseded: Count, refused: Type.Array(RefusedSchema) },
      { ...exact, description: 'Result files; superseded: every fixture of it has newer samples.' },
    ),
    models: Type.Record(Type.String(), RegistryModelSchema, { description: 'By model key.' }),
  },
  {
    $id: 'modelrig-probes/registry',
    title: 'modelrig-probes registry: what vendors declare beside what was measured',
    additionalProperties: false,
  },
)
