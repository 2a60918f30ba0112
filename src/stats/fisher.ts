import { gammaln } from 'simple-statistics'
import { checkCounts, type Counts } from './counts.ts'

/** Outcomes as likely as the observed one, but for rounding, are as extreme. */
const TIE = 1 + 1e-7

/**
 * Exact two-sided p of the hypothesis that two independent rates are equal (Fisher 1935, The Design of Experiments; Irwin
 * 1935). Given both sample sizes and all successes K together, the successes x of the first are hypergeometric:
 *
 *     P(x) = C(n₁, x) C(n₂, K - x) / C(n₁ + n₂, K)
 *
 * and p is the sum of P over all x that are no likelier than the observed one (the usual two-sided form, as in R's
 * `fisher.test`). 1 where nothing else could have been observed: no samples on a side, all passed, all failed.
 * @throws RangeError unless both sides are counts.
 */
export function fisherExact(a: Counts, b: Counts): number {
  checkCounts(a)
  checkCounts(b)
  const all = a.successes + b.successes
  const least = Math.max(0, all - b.n)
  const most = Math.min(a.n, all)
  const logOfAll = logChoose(a.n + b.n, all)
  const probability = (x: number): number => Math.exp(logChoose(a.n, x) + logChoose(b.n, all - x) - logOfAll)
  const observed = probability(a.successes) * TIE
  let p = 0
  for (let x = least; x <= most; x += 1) {
    const own = probability(x)
    if (own <= observed) p += own
  }
  return Math.min(1, p)
}

/**
 * The smallest p that any outcome with these sample sizes has: that of all against none. Where it is above the error that
 * is allowed, the test can show nothing.
 */
export function smallestFisherP(nA: number, nB: number): number {
  return fisherExact({ successes: nA, n: nA }, { successes: 0, n: nB })
}

function logChoose(n: number, k: number): number {
  return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
}
