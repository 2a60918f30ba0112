import { Z95 } from './wilson.ts'

/**
 * Two-sided 95 % quantile of Student's t distribution: exact for one and two degrees of freedom, for more the expansion
 * of Abramowitz & Stegun 26.7.5 around the normal quantile, which is off by 0.13 % at 3 and by less above.
 * @throws RangeError unless the degrees of freedom are a whole number of at least 1.
 */
export function t95(degrees: number): number {
  if (!Number.isSafeInteger(degrees) || degrees < 1) throw new RangeError(`${degrees} are no degrees of freedom`)
  if (degrees === 1) return Math.tan(Math.PI * 0.475)
  if (degrees === 2) return 0.95 * Math.sqrt(2 / (1 - 0.95 ** 2))
  const z = Z95
  const terms = [
    z,
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160,
  ]
  return terms.reduce((sum, term, power) => sum + term / degrees ** power, 0)
}
