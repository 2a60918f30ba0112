import type { Static } from 'typebox'
import type { ClaimsSchema, DeclaredSchema } from './declared-shape.ts'
import type { Claimant } from './declared-words.ts'

export { DECLARED_VERSION } from './declared-words.ts'

/** All claims about a model, by what they are about; several where sources differ. */
export type Claims = Static<typeof ClaimsSchema>
/** What a claim can be about. */
export type ClaimField = keyof Claims
/** One claim with who says it, where, and when it was read. */
export interface Claim {
  readonly value: boolean | number
  readonly source: string
  readonly as_of: string
  readonly by: Claimant
}

/** Every field, in the order it is shown. */
export const CLAIM_FIELDS: readonly ClaimField[] = [
  'structuredOutput',
  'jsonMode',
  'webSearch',
  'promptCaching',
  'vision',
  'contextTokens',
  'maxOutputTokens',
  'inputUsdPerMTok',
  'outputUsdPerMTok',
  'cacheReadUsdPerMTok',
  'cacheWriteUsdPerMTok',
]

/** What is claimed of models. */
export type DeclaredFile = Static<typeof DeclaredSchema>
