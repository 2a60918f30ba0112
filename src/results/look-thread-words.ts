import type { Piece } from './cut.ts'
import type { Look, LookOrder } from './look.ts'

/** What a thread that looks through samples begins with: the cells in which it tells what it grades. */
export interface LookThreadData {
  readonly cells: SharedArrayBuffer
}

/** Outputs that were begun to be graded; which one is being graded, 0: none, 1: the first, … */
export const CELL = { begun: 0, at: 1, count: 2 } as const

/** The samples of a fixture: as they were read, or where they stand in an open file. */
export type Samples = { readonly value: unknown } | { readonly file: number; readonly piece: Piece }

/** What such a thread is told. */
export interface ThreadOrder {
  readonly order: LookOrder
  readonly samples: Samples
  /** Outputs that were found to stall. */
  readonly stalled: readonly number[]
}

/** What it answers. */
export type ThreadAnswer = { readonly look: Look } | { readonly error: unknown }
