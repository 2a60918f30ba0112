import type { Static } from 'typebox'
import type { PooledBlockSchema, PooledRateSchema, StatsBlockSchema } from './block-shape.ts'

/** A rate over several fixtures, with the interval that knows about them. */
export type PooledRate = Static<typeof PooledRateSchema>

/** Statistics of the samples of one fixture. */
export type StatsBlock = Static<typeof StatsBlockSchema>

/** Statistics of the samples of several fixtures together. */
export type PooledBlock = Static<typeof PooledBlockSchema>
