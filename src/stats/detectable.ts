import { bisect } from 'simple-statistics'
import { twoSidedZ } from './normal-tail.ts'
import { Z95 } from './wilson.ts'

/** Sizes of two groups of samples, and the true rate of the first. */
export interface TwoGroups {
  readonly nA: number
  readonly nB: number
  readonly rate: number
}

/** 80 % quantile of the normal distribution: the power that is asked for. */
const Z80 = 0.8416212335729143

/**
 * The smallest difference between two rates that a two-sided test at level α sees 80 % of the time, when the first rate is
 * `rate` and the second moves away from it to the side where there is more room. With p₂ = p₁ ± d, c = (1/n₁ + 1/n₂) / 2
 * and p̄ = (n₁ p₁ + n₂ p₂) / (n₁ + n₂) it solves
 *
 *     d - c = z(1 - α/2) √(p̄ (1 - p̄) (1/n₁ + 1/n₂)) + z(0.8) √(p₁ (1 - p₁)/n₁ + p₂ (1 - p₂)/n₂)
 *
 * the sample-size formula of Fleiss (Statistical Methods for Rates and Proportions) with the continuity correction of
 * Casagrande, Pike & Smith (1978, Biometrics 34; for unequal sizes Fleiss, Tytun & Ury 1980, Biometrics 36), which fits
 * Fisher's exact test and the stratified test with its correction. It is cautious beside a rate of 0 or 1, and takes
 * samples as independent: a stratified test over fixtures that differ sees a little more.
 *
 * Null when even the largest difference there can be would be missed too often.
 * @param level α, the error that the test is allowed; 5 % by default.
 * @throws RangeError for a rate or level outside 0 to 1, or sizes below 0.
 */
export function minimumDetectable(groups: TwoGroups, level?: number): number | null {
  checkRate(groups.rate)
  const z = level === undefined ? Z95 : twoSidedZ(level)
  const { nA, nB, rate } = groups
  if (!(nA >= 0 && nB >= 0)) throw new RangeError(`${nA} and ${nB} are not numbers of samples`)
  if (nA === 0 || nB === 0) return null
  const shortfall = (d: number): number => spread(groups, d, z) - d
  const room = Math.max(rate, 1 - rate)
  if (shortfall(room) > 0) return null
  return bisect(shortfall, 0, room, 200, 1e-9)
}

/**
 * The smallest number of samples in each of two equal groups with which {@link minimumDetectable} is at most `difference`.
 * Null when there is no room for such a difference beside the rate.
 * @throws RangeError for a rate or difference outside 0 to 1, a difference of 0.
 */
export function samplesToDetect(difference: number, rate: number): number | null {
  checkRate(rate)
  if (!(difference > 0 && difference <= 1)) throw new RangeError(`${difference} is not a difference of rates`)
  if (difference > Math.max(rate, 1 - rate)) return null
  const suffices = (n: number): boolean => spread({ nA: n, nB: n, rate }, difference) <= difference
  let enough = 1
  while (!suffices(enough)) enough *= 2
  let short = Math.floor(enough / 2)
  while (enough - short > 1) {
    const middle = Math.floor((enough + short) / 2)
    if (suffices(middle)) enough = middle
    else short = middle
  }
  return enough
}

/** How far apart the rates have to be seen, by the formula above, if they are `d` apart. */
function spread({ nA, nB, rate }: TwoGroups, d: number, z = Z95): number {
  const other = rate >= 0.5 ? rate - d : rate + d
  const pooled = (nA * rate + nB * other) / (nA + nB)
  const parts = 1 / nA + 1 / nB
  const variance = (p: number): number => Math.max(0, p * (1 - p))
  const chance = z * Math.sqrt(variance(pooled) * parts)
  const missed = Z80 * Math.sqrt(variance(rate) / nA + variance(other) / nB)
  return parts / 2 + chance + missed
}

function checkRate(rate: number): void {
  if (!(rate >= 0 && rate <= 1)) throw new RangeError(`${rate} is not a rate`)
}
