import type { Rate } from './rate.ts'

/** A share in per cent, with one decimal. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}

/** A share that somebody chose, in per cent, with the decimals it has. */
export function percentExact(share: number): string {
  return `${Number((share * 100).toFixed(6))}%`
}

/** An interval of rates; empty where there is none. */
export function intervalText(interval: readonly number[] | null): string {
  return interval === null ? '' : `[${interval.map(percent).join(', ')}]`
}

/** A rate with its count and interval: `2/5 40.0% [11.8%, 76.9%]`. */
export function rateText({ successes, n, rate, ci95 }: Pick<Rate, 'successes' | 'n' | 'rate' | 'ci95'>): string {
  return rate === null || ci95 === null ? 'no n' : `${successes}/${n} ${percent(rate)} ${intervalText(ci95)}`
}
