import Type from 'typebox'
import { FAILURE_CLASSES } from './failure.ts'

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()])

/** The one call that shows whether a server enforces the schemas it takes, as stored in result files. */
export const CanarySchema = Type.Object(
  {
    enforced: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether the answer keeps to a schema that the natural answer breaks; null: there was no answer.',
    }),
    failureClass: orNull(Type.Enum([...FAILURE_CLASSES])),
    output: Type.String({ description: 'The reply as text.' }),
    servedModel: orNull(Type.String()),
    attempts: Type.Integer({ minimum: 0 }),
    costUsd: orNull(Type.Number({ minimum: 0 })),
    costUpperBoundUsd: Type.Optional(Type.Number({ minimum: 0 })),
    requestHash: Type.String(),
    startedAt: Type.String({ description: 'UTC, ISO 8601.' }),
  },
  {
    additionalProperties: false,
    description:
      'Asked once where a server may take a schema and ignore it. Its cost is in totalCostUsd and in no sample.',
  },
)
