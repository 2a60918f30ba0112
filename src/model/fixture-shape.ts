import Type from 'typebox'
import { DIFFICULTIES, PROBE_CLASSES } from './probe-class.ts'

/** A JSON Schema document (2020-12 unless its `$schema` says draft-07). */
export type JsonSchema = { readonly [keyword: string]: unknown }

const TOKEN = '^[a-z0-9][a-z0-9-]*$'
const ID = '^[a-z0-9][a-z0-9._-]{0,99}$'

/** Shape of a fixture file; shipped as `schemas/fixture.schema.json` so that editors complete it. */
export const FixtureSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String({ description: 'Location of this schema, for editors.' })),
    id: Type.String({
      pattern: ID,
      description: 'Lowercase letters, digits, dots, dashes and underscores; equals the file name without .json.',
    }),
    class: Type.Enum([...PROBE_CLASSES], { description: 'What is measured.' }),
    domain: Type.String({
      pattern: TOKEN,
      description: 'Lowercase letters, digits and dashes: finance, legal, medical, technical, …',
    }),
    family: Type.Optional(
      Type.String({
        pattern: TOKEN,
        default: 'probe-suite',
        description: 'Group the fixture belongs to: lowercase letters, digits and dashes.',
      }),
    ),
    difficulty: Type.Optional(Type.Enum([...DIFFICULTIES], { default: 'standard' })),
    subtype: Type.Optional(Type.String({ description: 'Free metadata, e.g. extraction.tabular.' })),
    notes: Type.Optional(Type.String({ description: 'Free metadata for people.' })),
    source: Type.Optional(
      Type.String({ description: 'Provenance; contributed:<handle> gives credit on the leaderboard.' }),
    ),
    prompt: Type.String({ minLength: 1, description: 'What the model is asked.' }),
    schema: Type.Optional(
      Type.Unsafe<JsonSchema>({ type: 'object', description: 'JSON Schema of the answer (schema and image classes).' }),
    ),
    expectedValues: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        minProperties: 1,
        description:
          'Path to expected value. A path is dots with numeric indexes, or a JSON Pointer when it begins with /. ' +
          'A value is a literal, or {"$oneOf": […]}, {"$tolerance": [value, abs]}, {"$pattern": "…"}.',
      }),
    ),
    image: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9._-]+\\.png$',
        description: 'File name of a PNG in the folder of the fixture (image class).',
      }),
    ),
    form: Type.Optional(
      Type.String({ description: 'Form specification the PNG was rendered from, relative to the fixture.' }),
    ),
  },
  {
    $id: 'modelrig-probes/fixture',
    title: 'modelrig-probes fixture',
    additionalProperties: false,
  },
)
