import Type from 'typebox'
import { Amount } from '../model/sample-shape.ts'
import { DiscrepancySchema } from '../registry/discrepancy-shape.ts'
import { LatencySchema, RungsSchema } from '../registry/registry-shape.ts'
import { Count, exact, orNull, Share } from '../registry/common-shape.ts'
import { IntervalSchema } from '../stats/rate-shape.ts'
import { COLUMN_IDS, LEADERBOARD_VERSION } from './leaderboard-words.ts'
import { Class, FileIndex } from './place-shape.ts'
import { ShownSampleSchema } from './shown-sample-shape.ts'

export const ColumnSchema = Type.Object(
  {
    id: Type.Enum([...COLUMN_IDS]),
    title: Type.String(),
    kind: Type.Enum(['rate', 'usd', 'ms']),
    class: Class,
    rate: orNull(Type.String(), 'Name of the rate in `fixtureFields`; null: no rate.'),
    better: Type.Enum(['higher', 'lower']),
    meaning: Type.String({ description: 'One sentence.' }),
    method: Type.String({ description: 'Where the method is described: path of a page of the package, with anchor.' }),
  },
  exact,
)

export const RateCellSchema = Type.Object(
  {
    successes: Count,
    n: Count,
    rate: Share,
    ci95: Type.Unsafe<[number, number]>({ ...IntervalSchema, description: 'Wilson, over samples.' }),
    clusterCi95: Type.Unsafe<[number, number]>({
      ...IntervalSchema,
      description: 'Takes fixtures as clusters: the one to draw.',
    }),
    mean: Type.Optional(Type.Number({ description: 'Mean share of expected values matched; column `values` alone.' })),
    thin: Type.Optional(Type.Literal(true, { description: 'n is below `thinBelow`.' })),
    stale: Type.Optional(Type.Literal(true)),
  },
  exact,
)

export const AmountCellSchema = Type.Object(
  {
    value: Type.Number({ minimum: 0, description: 'US dollars per 1,000 successes, or the median in milliseconds.' }),
    n: Type.Integer({ minimum: 0, description: 'Successes that the cost is shared among; samples of the latency.' }),
    p90: Type.Optional(Amount),
    upperBound: Type.Optional(Type.Literal(true, { description: 'An unknown cost is in it, at its bound.' })),
    thin: Type.Optional(Type.Literal(true)),
    stale: Type.Optional(Type.Literal(true)),
  },
  exact,
)

const CellsSchema = Type.Object(
  {
    conform: Type.Optional(RateCellSchema),
    values: Type.Optional(RateCellSchema),
    grounded: Type.Optional(RateCellSchema),
    cacheHit: Type.Optional(RateCellSchema),
    image: Type.Optional(RateCellSchema),
    hard: Type.Optional(RateCellSchema),
    costPer1000: Type.Optional(AmountCellSchema),
    latency: Type.Optional(AmountCellSchema),
  },
  { ...exact, description: 'A column that is absent was not probed; it says nothing of the model.' },
)

export const ClassSchema = Type.Object(
  {
    date: Type.String(),
    oldestDate: Type.String(),
    ageDays: Type.Number(),
    stale: Type.Boolean(),
    complete: Type.Boolean(),
    samples: Count,
    unscored: Count,
    rungs: RungsSchema,
    files: Type.Array(FileIndex),
    fixtures: Type.Array(Type.Array(orNull(Type.Number())), {
      description: 'A row a fixture; what stands where: `fixtureFields` of the class.',
    }),
    costUsd: Amount,
    latencyMs: orNull(LatencySchema),
  },
  exact,
)

const DeclaredSchema = Type.Object(
  {
    structuredOutput: Type.Optional(Type.Boolean()),
    jsonMode: Type.Optional(Type.Boolean()),
    webSearch: Type.Optional(Type.Boolean()),
    promptCaching: Type.Optional(Type.Boolean()),
    vision: Type.Optional(Type.Boolean()),
    contextTokens: Type.Optional(Type.Number()),
    maxOutputTokens: Type.Optional(Type.Number()),
    inputUsdPerMTok: Type.Optional(Type.Number()),
    outputUsdPerMTok: Type.Optional(Type.Number()),
    cacheReadUsdPerMTok: Type.Optional(Type.Number()),
    cacheWriteUsdPerMTok: Type.Optional(Type.Number()),
    disputed: Type.Optional(Type.Array(Type.String(), { description: 'Fields on which sources differ.' })),
    sources: Type.Array(
      Type.Object({ source: Type.String(), as_of: Type.String(), fields: Type.Array(Type.String()) }, exact),
    ),
  },
  { ...exact, description: 'The claims that stand.' },
)

const { kind, status, class: ofClass, message, settledBy, mayNotCarryOver } = DiscrepancySchema.properties

const ShownDiscrepancySchema = Type.Object(
  {
    kind,
    status,
    class: ofClass,
    column: Type.Enum([...COLUMN_IDS], { description: 'Where it belongs.' }),
    message,
    settledBy,
    mayNotCarryOver,
    files: Type.Array(FileIndex),
  },
  exact,
)

export const ModelSchema = Type.Object(
  {
    key: Type.String(),
    provider: Type.String(),
    model: Type.String(),
    simulated: Type.Boolean(),
    declared: orNull(DeclaredSchema, 'Null: the declared layer does not have the model.'),
    cells: CellsSchema,
    classes: Type.Object(
      {
        schema: Type.Optional(ClassSchema),
        grounding: Type.Optional(ClassSchema),
        caching: Type.Optional(ClassSchema),
        image: Type.Optional(ClassSchema),
      },
      exact,
    ),
    discrepancies: Type.Array(ShownDiscrepancySchema),
    samples: Type.Array(ShownSampleSchema, { description: 'Some raw samples, those that failed first.' }),
  },
  exact,
)

export const FixtureSchema = Type.Object(
  {
    id: Type.String(),
    hash: Type.String(),
    class: Class,
    domain: Type.String(),
    family: Type.String(),
    difficulty: Type.Enum(['standard', 'hard']),
    source: Type.Optional(Type.String({ description: 'Provenance, where the fixture is at hand.' })),
    image: Type.Optional(Type.String({ description: 'Path of the image, relative to the leaderboard.' })),
  },
  exact,
)

const Counts = Type.Record(Type.String(), Count)

export const MixSchema = Type.Object(
  {
    models: Count,
    fixtures: Count,
    samples: Count,
    byClass: Counts,
    byDomain: Counts,
    byDifficulty: Counts,
    byFamily: Counts,
    text: Type.String({ description: 'The mix in a sentence or two: stands on every rendering.' }),
  },
  { ...exact, description: 'Fixtures by what they are of, counted from `fixtures`.' },
)

/** Shape of `leaderboard.json`; shipped as `schemas/leaderboard.schema.json`. */
export const LeaderboardSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    formatVersion: Type.Literal(LEADERBOARD_VERSION),
    harnessVersion: Type.String(),
    builtAt: Type.String({ description: 'When the registry was built; UTC, ISO 8601.' }),
    staleAfterDays: Type.Number(),
    simulated: Type.Boolean({
      description: 'A showcase: simulated results are in it, and they say nothing of real models.',
    }),
    thinBelow: Type.Integer({ minimum: 1 }),
    columns: Type.Array(ColumnSchema),
    mix: MixSchema,
    contributors: Type.Array(Type.Object({ handle: Type.String(), fixtures: Count }, exact), {
      description: 'Who gave fixtures, by their `source`; most first.',
    }),
    fixtures: Type.Array(FixtureSchema),
    fixtureFields: Type.Record(Type.String(), Type.Array(Type.String()), {
      description:
        'By class, what stands where in a fixture row: fixture, file, scored, unscored, costUsd, latencyMs, then of each rate successes and n.',
    }),
    files: Type.Array(Type.String(), { description: 'Result files, relative to the leaderboard.' }),
    samples: Type.Object(
      {
        shown: Count,
        of: Type.Integer({ minimum: 0, description: 'Samples in the registry.' }),
        perClass: Type.Integer({ minimum: 0, description: 'Most of a model and class.' }),
        outputCharacters: Type.Integer({ minimum: 0, description: 'Most of an output.' }),
        budgetBytes: Type.Integer({ minimum: 0, description: 'Most of all samples together, as JSON.' }),
      },
      { ...exact, description: 'What bounds the raw samples in here: the files have all.' },
    ),
    models: Type.Array(ModelSchema, { description: 'By key.' }),
  },
  {
    $id: 'modelrig-probes/leaderboard',
    title: 'modelrig-probes leaderboard',
    additionalProperties: false,
  },
)
