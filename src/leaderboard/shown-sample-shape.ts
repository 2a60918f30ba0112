import Type from 'typebox'
import { Amount } from '../model/sample-shape.ts'
import { Count, exact, orNull, Share } from '../registry/common-shape.ts'
import { Class, FileIndex, FixtureIndex } from './place-shape.ts'

/** A raw sample that can be looked at. */
export const ShownSampleSchema = Type.Object(
  {
    class: Class,
    fixture: FixtureIndex,
    file: FileIndex,
    index: Type.Integer({ minimum: 0, description: 'Position of the sample in `raw` of its fixture in that file.' }),
    passed: Type.Boolean({
      description:
        'It is a success of the rate that the class is judged by, with every value right and no custom check failed.',
    }),
    scored: Type.Boolean(),
    failureClass: orNull(Type.String(), 'As in the file; files of ModelRig have classes of their own.'),
    rung: orNull(Type.Enum(['native', 'json_mode'])),
    schemaConform: orNull(Type.Boolean()),
    valueAccuracy: orNull(Share),
    grounded: orNull(Type.Boolean()),
    cachedTokens: orNull(Count),
    tokensIn: orNull(Count),
    tokensOut: orNull(Count),
    costUsd: orNull(Amount),
    latencyMs: orNull(Amount),
    output: orNull(Type.String(), 'The reply, cut to `outputCharacters`; null: there is none, or the file keeps none.'),
    cut: Type.Optional(Type.Literal(true, { description: 'There is more of the output in the file.' })),
    violations: Type.Optional(Type.Array(Type.String(), { description: 'Where and what, at most 5.' })),
    mismatches: Type.Optional(Type.Array(Type.String(), { description: 'Path, expected, actual; at most 5.' })),
    citations: Type.Optional(Type.Array(Type.String(), { description: 'At most 5.' })),
    failedChecks: Type.Optional(Type.Array(Type.String(), { description: 'Custom checks by name, at most 5.' })),
  },
  exact,
)
