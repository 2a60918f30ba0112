import type { PaceNow, Pacing } from '../../model/pacing.ts'

/** What a finished attempt tells about the account it was made on. */
export type PaceSignal = (
  | /** Answered. */ { readonly kind: 'clean' }
  /** Told to slow down. */
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number | null }
  /** The provider, or the way to it, is in trouble. */
  | { readonly kind: 'strained' }
  /** Nothing about the account. */
  | { readonly kind: 'neutral' }
) & {
  /** The account has used up a limit that comes back after so many milliseconds. Absent or null: nothing is known of it. */
  readonly exhaustedMs?: number | null
}

/** How many calls of one provider account are open at once, all its models together. */
export interface Pacer {
  /** Takes a slot if one is free; otherwise `wake` is called once when one may be, after those who asked before. */
  acquire(wake: () => void): Promise<boolean>
  /** Gives a slot back, with what its call told. */
  release(signal: PaceSignal): void
  /** What the pace is, as far as is known here. */
  now(): PaceNow
  /** What the pace has been so far. */
  report(): Pacing
  /** Wakes nobody any more. */
  close(): Promise<void>
}
