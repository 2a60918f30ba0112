import type { Static, TSchema } from 'typebox'
import type { Fixture } from '../model/fixture.ts'

/**
 * A schema of a library that can give it as JSON Schema, by the Standard JSON Schema interface: zod from 4.2 on, ArkType
 * from 2.1.28 on, Valibot through `@valibot/to-json-schema`, and others.
 */
export interface StandardSchema<Input = unknown> {
  readonly '~standard': {
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: unknown } | undefined
  }
}

/** The answers that a schema allows, as far as its type tells; else unknown. Of a schema that transforms: what goes in. */
export type AnswerTo<Schema> =
  Schema extends StandardSchema<infer Input> ? Input : Schema extends TSchema ? Static<Schema> : unknown

/** What is expected at the paths that an answer has; at any path where its type does not tell. */
export type ExpectedAt<Answer> = unknown extends Answer
  ? Readonly<Record<string, unknown>>
  : { readonly [Path in PathsOf<Answer> | `/${string}`]?: unknown }

/** Paths into an answer: names and indexes, with dots between. */
type PathsOf<Answer, Depth extends unknown[] = []> = Depth['length'] extends 8
  ? string
  : unknown extends Answer
    ? string
    : Answer extends readonly (infer Item)[]
      ? Below<`${number}`, Item, Depth>
      : Answer extends object
        ? { [Key in keyof Answer & (string | number)]: Below<`${Key}`, Answer[Key], Depth> }[keyof Answer &
            (string | number)]
        : never

type Below<Key extends string, Value, Depth extends unknown[]> =
  | Key
  | `${Key}.${PathsOf<NonNullable<Value>, [...Depth, unknown]>}`

/** A fixture whose schema, written out in the probe file, is known to the type checker. */
export type TypedFixture<Schema> = Omit<Fixture, 'schema' | 'expectedValues'> & {
  /** JSON Schema of the answer, or a schema of a library that can give one. */
  readonly schema?: Schema
  readonly expectedValues?: ExpectedAt<AnswerTo<Schema>>
}

/** A fixture for `probe()`, with its type: what its answers look like is known to the checks that are made of them. */
export function defineFixture<const Schema>(fixture: TypedFixture<Schema>): TypedFixture<Schema> {
  return fixture
}
