import Type from 'typebox'
import { PROBE_CLASSES } from '../model/probe-class.ts'
import { IntervalSchema } from '../stats/rate-shape.ts'
import { DISCREPANCY_KINDS } from './registry-words.ts'
import { Count, exact, orNull, Share } from './common-shape.ts'

/** Shape of what does not fit together, with what shows it. */
export const DiscrepancySchema = Type.Object(
  {
    kind: Type.Enum([...DISCREPANCY_KINDS]),
    status: Type.Enum(['confirmed', 'suspected']),
    class: Type.Enum([...PROBE_CLASSES]),
    claim: Type.Object(
      {
        field: Type.Enum(['structuredOutput', 'webSearch', 'promptCaching', 'vision']),
        value: orNull(Type.Boolean(), 'Null: nothing is on record, which is no claim that it cannot.'),
        source: orNull(Type.String()),
        as_of: orNull(Type.String()),
      },
      exact,
    ),
    measure: Type.String({ description: 'What was counted.' }),
    successes: Count,
    n: Count,
    rate: orNull(Share),
    interval: orNull(
      Type.Object(
        {
          ci95: IntervalSchema,
          basis: Type.Enum(['samples', 'fixtures'], {
            description: 'samples: Wilson; fixtures: takes fixtures as clusters, where they show how they differ.',
          }),
        },
        exact,
      ),
      'The interval that decided; null without samples.',
    ),
    fixtures: Type.Integer({ minimum: 0, description: 'Fixtures with samples in it.' }),
    threshold: Share,
    comparison: Type.Enum(['below', 'at_least'], { description: 'On which side of the threshold the rate lies.' }),
    mechanism: Type.Object(
      {
        exercised: Type.Integer({
          minimum: 0,
          description: 'Scored samples that asked for what is claimed, themselves or by the canary of their run.',
        }),
        of: Type.Integer({ minimum: 0, description: 'Scored samples.' }),
        what: Type.String({ description: 'What had to be asked for.' }),
      },
      exact,
    ),
    mayNotCarryOver: Type.Boolean({
      description: 'It is so on these fixtures; they are too few to say so of others of their kind.',
    }),
    settledBy: orNull(
      Type.Integer({ minimum: 1 }),
      'Samples that would settle it at this rate, the mechanism exercised in each; null: confirmed, or no number would.',
    ),
    settledByFixtures: orNull(
      Type.Integer({ minimum: 1 }),
      'Fixtures that these samples have to be of, as many of each as now; null: those that were measured will do.',
    ),
    message: Type.String(),
    files: Type.Array(Type.String(), { description: 'That show it; paths relative to the registry file.' }),
  },
  exact,
)
