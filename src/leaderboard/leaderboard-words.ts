/** Version of the format of the leaderboard. */
export const LEADERBOARD_VERSION = 1

/** Rates over fewer samples are shown grey, with the reason. */
export const THIN_BELOW = 10

/** The columns, in their order. */
export const COLUMN_IDS = [
  'conform',
  'values',
  'grounded',
  'cacheHit',
  'image',
  'hard',
  'costPer1000',
  'latency',
] as const
export type ColumnId = (typeof COLUMN_IDS)[number]

/** Rates of a fixture row, by class, in the order they stand in it. */
export const FIXTURE_RATES = {
  schema: ['conform', 'values', 'right'],
  grounding: ['grounded'],
  caching: ['cacheHit'],
  image: ['extraction', 'conform', 'values'],
} as const
