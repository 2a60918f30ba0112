import type { Static } from 'typebox'
import type { FixtureSchema } from './fixture-shape.ts'
import type { DIFFICULTIES, ProbeClass } from './probe-class.ts'

export type { JsonSchema } from './fixture-shape.ts'
export { DIFFICULTIES, hasAnswerSchema, PROBE_CLASSES, type ProbeClass } from './probe-class.ts'

/** One probe input with its expectations, as written in a file or a probe file. */
export type Fixture = Static<typeof FixtureSchema>

/** The image of a fixture as read from disk. `sha256` is the hex digest of `bytes`. */
export interface FixtureImage {
  readonly bytes: Uint8Array
  readonly mediaType: 'image/png'
  readonly sha256: string
  readonly width: number
  readonly height: number
}

/** A fixture that is checked, hashed and ready to be measured. */
export interface LoadedFixture {
  readonly fixture: Fixture
  readonly id: string
  readonly class: ProbeClass
  readonly domain: string
  readonly family: string
  readonly difficulty: (typeof DIFFICULTIES)[number]
  readonly subtype: string | null
  /** First 16 hex digits of the fixture's canonical SHA-256. */
  readonly hash: string
  readonly image: FixtureImage | null
  /** Path of the JSON file, or null for one defined in code. */
  readonly file: string | null
}
