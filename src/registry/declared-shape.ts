import Type, { type TSchema } from 'typebox'
import { CLAIMANTS, DECLARED_VERSION, LONGEST_SOURCE } from './declared-words.ts'

const day = Type.String({
  pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
  description: 'UTC day of the page where it says one, else on which it was read.',
})
const Amount = Type.Number({ minimum: 0, maximum: Number.MAX_VALUE })
const Tokens = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

function claimOf<T extends TSchema>(value: T) {
  return Type.Object(
    {
      value,
      source: Type.String({
        minLength: 1,
        maxLength: LONGEST_SOURCE,
        description: 'Page, or name and version of a list.',
      }),
      as_of: day,
      by: Type.Enum([...CLAIMANTS]),
    },
    { additionalProperties: false },
  )
}

/** Shape of a claim that something can be done, or cannot. */
export const AbilityClaimSchema = claimOf(Type.Boolean())
/** Shape of a claim of how much. */
export const AmountClaimSchema = claimOf(Amount)

const abilities = (description: string) => Type.Optional(Type.Array(AbilityClaimSchema, { minItems: 1, description }))
const amounts = <T extends TSchema>(value: T, description: string) =>
  Type.Optional(Type.Array(claimOf(value), { minItems: 1, description }))

/** Shape of all claims about a model, by what they are about; several where sources differ. */
export const ClaimsSchema = Type.Object(
  {
    structuredOutput: abilities('Answers are held to a JSON Schema by the provider.'),
    jsonMode: abilities('Answers are JSON, of whatever shape.'),
    webSearch: abilities('The provider searches the web for an answer.'),
    promptCaching: abilities('Repeated beginnings of prompts are served from a cache.'),
    vision: abilities('Images can be part of the prompt.'),
    contextTokens: amounts(Tokens, 'Tokens of prompt, or of prompt and answer.'),
    maxOutputTokens: amounts(Tokens, 'Most tokens of an answer.'),
    inputUsdPerMTok: amounts(Amount, 'US dollars per million tokens of input.'),
    outputUsdPerMTok: amounts(Amount, 'US dollars per million tokens of output.'),
    cacheReadUsdPerMTok: amounts(Amount, 'US dollars per million tokens of input that are read from a cache.'),
    cacheWriteUsdPerMTok: amounts(Amount, 'US dollars per million tokens of input that are written into a cache.'),
  },
  { additionalProperties: false },
)

/** Shape of `registry/declared.json`; shipped as `schemas/declared.schema.json`. */
export const DeclaredSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String({ description: 'Location of this schema, for editors.' })),
    formatVersion: Type.Literal(DECLARED_VERSION),
    models: Type.Record(Type.String({ pattern: '^[a-z0-9][a-z0-9-]*/.+$' }), ClaimsSchema, {
      additionalProperties: false,
      description: 'By model key.',
    }),
  },
  {
    $id: 'modelrig-probes/declared',
    title: 'modelrig-probes declared layer: what is claimed of models',
    additionalProperties: false,
  },
)
