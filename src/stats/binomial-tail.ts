import { gammaln } from 'simple-statistics'
import { checkCounts, type Counts } from './counts.ts'

/**
 * Chance of at most so many successes among n independent trials of a rate:
 *
 *     Σ C(n, x) pˣ (1 - p)ⁿ⁻ˣ over x = 0 … successes
 *
 * the cumulative binomial distribution, which the interval of Clopper & Pearson (1934, Biometrika 26) inverts.
 * @throws RangeError unless the first are counts and the rate is 0 to 1.
 */
export function atMost({ successes, n }: Counts, rate: number): number {
  checkCounts({ successes, n })
  if (!(rate >= 0 && rate <= 1)) throw new RangeError(`${rate} is not a rate`)
  if (successes === n || rate === 0) return 1
  if (rate === 1) return 0
  const [pass, fail] = [Math.log(rate), Math.log1p(-rate)]
  let sum = 0
  for (let x = 0; x <= successes; x += 1) {
    const ways = gammaln(n + 1) - gammaln(x + 1) - gammaln(n - x + 1)
    sum += Math.exp(ways + x * pass + (n - x) * fail)
  }
  return Math.min(1, sum)
}

/** Chance of at least so many. */
export function atLeast({ successes, n }: Counts, rate: number): number {
  return atMost({ successes: n - successes, n }, 1 - rate)
}
