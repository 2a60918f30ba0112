import Type from 'typebox'
import { CanarySchema } from '../model/canary-shape.ts'
import { PacingSchema } from '../model/pacing-shape.ts'
import { PROBE_CLASSES } from '../model/probe-class.ts'
import { MOST_SAMPLES } from '../model/sample-limits.ts'
import { Amount, SampleSchema } from '../model/sample-shape.ts'
import { PooledBlockSchema, StatsBlockSchema } from '../stats/block-shape.ts'
import { FORMAT_VERSION, RUNGS, STOP_REASONS } from './format-words.ts'

/** Names have no line breaks: what stands at one that has would not be looked at. */
const perFixture = <T extends Parameters<typeof Type.Record>[1]>(type: T) =>
  Type.Record(Type.String(), type, { additionalProperties: false })

/** Statistics of one fixture: a row of `stats`. */
export const FixtureStatsSchema = Type.Object(
  { fixtureId: Type.String(), ...StatsBlockSchema.properties },
  { additionalProperties: false },
)

const Checksum = Type.String({ pattern: '^[0-9a-f]{8}$' })

/** Shape of the checksums of a result file. */
const ChecksumsSchema = Type.Object(
  {
    fields: perFixture(Checksum),
    samples: perFixture(Type.Array(Checksum)),
  },
  {
    additionalProperties: false,
    description:
      'First 8 hex digits of the SHA-256 of the canonical JSON of every other field and of every sample, as written.',
  },
)

/** Shape of the rule of a run without a fixed number of samples. */
const UntilSchema = Type.Object(
  {
    halfWidth: Type.Number({ exclusiveMinimum: 0, maximum: 0.5, description: 'Of the 95 % interval.' }),
    rates: Type.Array(Type.String(), { minItems: 1, description: 'Rates whose intervals were to be so narrow.' }),
    mostSamples: Type.Integer({
      minimum: 1,
      description: 'Most samples of a fixture: a rate over all of them is then as narrow.',
    }),
  },
  {
    additionalProperties: false,
    description:
      'Each fixture was sampled until its intervals were narrow enough, or the most samples were taken; absent: each had a fixed number.',
  },
)

/** Shape of a result file; shipped as `schemas/result.schema.json`, checked when one is written. */
export const ResultSchema = Type.Object(
  {
    formatVersion: Type.Literal(FORMAT_VERSION),
    modelKey: Type.String({ pattern: '^[a-z0-9][a-z0-9-]*/.+$' }),
    class: Type.Enum([...PROBE_CLASSES]),
    date: Type.String({
      description: 'When the run began: UTC, ISO 8601.',
      pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d+)?Z$',
    }),
    harnessVersion: Type.String(),
    simulated: Type.Boolean({ description: 'True when no real model was measured.' }),
    complete: Type.Boolean({
      description: 'Every fixture has all samples it was to have in this file, all of them scored.',
    }),
    stopReason: Type.Union([Type.Enum([...STOP_REASONS]), Type.Null()]),
    samplesPerFixture: Type.Integer({
      minimum: 1,
      maximum: MOST_SAMPLES,
      description: 'Most samples the run was to take of a fixture, all shards together.',
    }),
    fixtureSamples: Type.Optional(
      perFixture(
        Type.Integer({
          minimum: 1,
          maximum: MOST_SAMPLES,
          description: 'Samples the run was to take of this fixture, all shards together.',
        }),
      ),
    ),
    until: Type.Optional(UntilSchema),
    rung: Type.Optional(Type.Enum([...RUNGS], { description: 'Serving path the run asked for.' })),
    maxOutputTokens: Type.Optional(Type.Integer({ minimum: 1, description: 'Most output tokens of a call.' })),
    envelopeUsd: Amount,
    totalCostUsd: Type.Number({
      minimum: 0,
      maximum: Number.MAX_VALUE,
      description: 'Spent on these samples and the canary; unknown spend at its upper bound.',
    }),
    priceSource: Type.Union([Type.String(), Type.Null()]),
    canary: Type.Optional(CanarySchema),
    pacing: Type.Optional(PacingSchema),
    shard: Type.Union([Type.String({ pattern: '^\\d+/\\d+$' }), Type.Null()], {
      description: 'Part of a run, i/n; its samples keep their indexes in the whole run.',
    }),
    runEnvelopeUsd: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: Number.MAX_VALUE,
        description: 'Envelope of the whole run, in the file of a shard.',
      }),
    ),
    fixtureHashes: perFixture(Type.String({ pattern: '^[0-9a-f]{16}$' })),
    fixtureFamilies: perFixture(Type.String()),
    fixtureDifficulties: perFixture(Type.Enum(['standard', 'hard'])),
    fixtureDomains: perFixture(Type.String()),
    fixtureSubtypes: Type.Optional(perFixture(Type.String())),
    stats: Type.Array(FixtureStatsSchema),
    overall: PooledBlockSchema,
    by_family: perFixture(PooledBlockSchema),
    by_difficulty: perFixture(PooledBlockSchema),
    by_domain: perFixture(PooledBlockSchema),
    by_subtype: Type.Optional(perFixture(PooledBlockSchema)),
    raw: perFixture(Type.Array(SampleSchema, { maxItems: MOST_SAMPLES })),
    checksums: Type.Optional(ChecksumsSchema),
  },
  {
    $id: 'modelrig-probes/result',
    title: 'modelrig-probes result file',
    additionalProperties: false,
  },
)
