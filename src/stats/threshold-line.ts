import { rateText } from './rate-text.ts'
import type { Judged } from './threshold.ts'

/** A threshold and what came of it, for people: `conform 2/5 40.0% [11.8%, 76.9%], at least 90%: missed`. */
export function thresholdLine({ name, atLeast, rate, verdict, wouldDecide }: Judged): string {
  const more = wouldDecide === null ? '' : ` (about ${wouldDecide} samples at this rate would tell)`
  return `${name} ${rateText(rate)}, at least ${Number((atLeast * 100).toFixed(6))}%: ${verdict}${more}`
}
