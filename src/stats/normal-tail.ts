import { bisect, errorFunction } from 'simple-statistics'

/**
 * Two-sided p of a standard normal z: 1 - erf(|z| / √2); for z = √χ² it is that of χ² with one degree of freedom. By the
 * rational approximation of erf in simple-statistics: off by less than 1.2e-7 of itself up to |z| = 5, and by 2⁻⁵² or so
 * beyond, which is all that a difference from 1 can show, and below which it never is.
 * @throws RangeError when z is not a number.
 */
export function twoSidedP(z: number): number {
  if (Number.isNaN(z)) throw new RangeError('z is not a number')
  // At 0 the approximation gives a hair more than 1.
  return Math.min(1, Math.max(Number.EPSILON, 1 - errorFunction(Math.abs(z) / Math.SQRT2)))
}

/**
 * The z of which {@link twoSidedP} is p: 1.96 for 5 %.
 * @throws RangeError unless p is above 2⁻⁵², the smallest there is, and at most 1.
 */
export function twoSidedZ(p: number): number {
  if (!(p > Number.EPSILON && p <= 1)) throw new RangeError(`${p} is not the p of a z`)
  return p === 1 ? 0 : bisect((z) => twoSidedP(z) - p, 0, 10, 200, 1e-9)
}
