/** What a finished attempt tells about the account it was made on. */
export type PaceSignal =
  /** Answered. */
  | { readonly kind: 'clean' }
  /** Told to slow down. */
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number | null }
  /** The provider, or the way to it, is in trouble. */
  | { readonly kind: 'strained' }
  /** Nothing about the account. */
  | { readonly kind: 'neutral' }

/** How many calls of one provider account are open at once, all its models together. */
export interface Pacer {
  /** Takes a slot if one is free; otherwise `wake` is called once when one may be, after those who asked before. */
  acquire(wake: () => void): Promise<boolean>
  /** Gives a slot back, with what its call told. */
  release(signal: PaceSignal): void
}
