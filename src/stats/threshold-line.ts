import { percentExact, rateText } from './rate-text.ts'
import type { Judged } from './threshold.ts'

/** A threshold and what came of it, for people: `conform 2/5 40.0% [11.8%, 76.9%], at least 90%: missed`. */
export function thresholdLine({ name, atLeast, rate, verdict, wouldDecide }: Judged): string {
  return `${name} ${rateText(rate)}, at least ${percentExact(atLeast)}: ${verdict}${more({ rate, atLeast, wouldDecide })}`
}

function more({ rate, atLeast, wouldDecide }: Pick<Judged, 'rate' | 'atLeast' | 'wouldDecide'>): string {
  if (wouldDecide !== null) return ` (about ${wouldDecide} samples at this rate would tell)`
  return rate.rate === 1 && atLeast === 1 ? ' (no number of samples can show that it never fails)' : ''
}
