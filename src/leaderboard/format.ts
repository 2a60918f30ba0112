import type { Static } from 'typebox'
import type {
  AmountCellSchema,
  ClassSchema,
  ColumnSchema,
  FixtureSchema,
  LeaderboardSchema,
  MixSchema,
  ModelSchema,
  RateCellSchema,
} from './leaderboard-shape.ts'
import type { ShownSampleSchema } from './shown-sample-shape.ts'

export * from './leaderboard-words.ts'

/** A column of the board. */
export type Column = Static<typeof ColumnSchema>
/** A rate in a cell. */
export type RateCell = Static<typeof RateCellSchema>
/** A cost or a latency in a cell. */
export type AmountCell = Static<typeof AmountCellSchema>
/** What was measured of a model in a class. */
export type ClassRow = Static<typeof ClassSchema>
/** A raw sample, as far as it is shown. */
export type ShownSample = Static<typeof ShownSampleSchema>
/** A row of the board. */
export type LeaderboardModel = Static<typeof ModelSchema>
/** A fixture that samples were taken of. */
export type LeaderboardFixture = Static<typeof FixtureSchema>
/** What the fixtures are of. */
export type CorpusMix = Static<typeof MixSchema>
/** All that the page shows. */
export type Leaderboard = Static<typeof LeaderboardSchema>
