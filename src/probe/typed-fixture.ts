import type { Static, TSchema } from 'typebox'
import type { Fixture } from '../model/fixture.ts'

/** A fixture whose schema, written out in the probe file, is known to the type checker. */
export type TypedFixture<Schema> = Omit<Fixture, 'schema'> & { readonly schema?: Schema }

/** The answers that a schema allows, as far as its type tells; else unknown. */
export type AnswerTo<Schema> = Schema extends TSchema ? Static<Schema> : unknown
