import { mean, sum } from 'simple-statistics'
import type { Stratum } from './cochran-mantel-haenszel.ts'
import { checkCounts } from './counts.ts'
import { newcombeFromRates, type DifferenceInterval } from './newcombe.ts'
import { t95 } from './student.ts'
import { wilsonFromRate } from './wilson.ts'

/** Mean difference of two rates over fixtures that both were measured on, each fixture counting once. */
export interface PairedDifference {
  /** Fixtures with samples on both sides. */
  readonly pairs: number
  /** Mean of b's rate minus a's. */
  readonly difference: number
  readonly ci95: DifferenceInterval
}

/**
 * Mean D of the differences dᵢ = bᵢ - aᵢ of the rates on k fixtures, with the 95 % interval that takes the fixtures as
 * pairs drawn from fixtures of their kind: Student's interval for paired differences (Student 1908, Biometrika 6),
 *
 *     D ± t(k - 1) √v        v = Σ (dᵢ - D)² / (k (k - 1))
 *
 * so what makes a fixture hard for both sides cancels out. v is taken as at least (1/nA² + 1/nB²) / k², with nA and nB the
 * mean numbers of samples: one sample more or less on each side of one fixture. Where the fixtures cannot show how their
 * differences vary (there is one, or all agree), each is taken to be one fact, as in the interval of a pooled rate: the
 * interval is Newcombe's for k samples on each side. So the width is never zero.
 *
 * In simulations of 13 to 50 fixtures of 3 to 20 samples it mostly covered 93 to 97 %; where but a few fixtures differ at
 * all, like every interval made of them, between 88 and 100 %.
 *
 * Null when no fixture has samples on both sides.
 * @throws RangeError unless all sides are counts.
 */
export function pairedDifference(strata: readonly Stratum[]): PairedDifference | null {
  for (const { a, b } of strata) {
    checkCounts(a)
    checkCounts(b)
  }
  const both = strata.filter(({ a, b }) => a.n > 0 && b.n > 0)
  const k = both.length
  if (k === 0) return null
  const differences = both.map(({ a, b }) => b.successes / b.n - a.successes / a.n)
  const difference = mean(differences)
  const squares = sum(differences.map((own) => (own - difference) ** 2))
  if (k === 1 || squares < 1e-18) return { pairs: k, difference, ci95: asSingleFacts(both) }
  const [nA, nB] = [mean(both.map(({ a }) => a.n)), mean(both.map(({ b }) => b.n))]
  const variance = Math.max(squares / (k * (k - 1)), (nA ** -2 + nB ** -2) / k ** 2)
  const half = t95(k - 1) * Math.sqrt(variance)
  return { pairs: k, difference, ci95: [Math.max(-1, difference - half), Math.min(1, difference + half)] }
}

function asSingleFacts(strata: readonly Stratum[]): DifferenceInterval {
  const sides = [strata.map(({ b }) => b), strata.map(({ a }) => a)]
  const [b, a] = sides.map((side) => {
    const rate = mean(side.map(({ successes, n }) => successes / n))
    return { rate, ci95: wilsonFromRate(rate, strata.length)! }
  })
  return newcombeFromRates(b!, a!)
}
