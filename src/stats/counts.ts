/** Successes among trials: whole numbers, 0 <= successes <= n. */
export interface Counts {
  readonly successes: number
  readonly n: number
}

/** @throws RangeError unless these are whole numbers with 0 <= successes <= n. */
export function checkCounts({ successes, n }: Counts): void {
  if (!Number.isSafeInteger(n) || !Number.isSafeInteger(successes) || successes < 0 || successes > n) {
    throw new RangeError(`${successes} of ${n} is not a count of successes among trials`)
  }
}
