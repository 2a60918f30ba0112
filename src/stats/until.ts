import type { ProbeClass } from '../model/fixture.ts'
import type { Sample } from '../model/sample.ts'
import type { Counts } from './counts.ts'
import { countRate, DECIDING_RATES } from './rate-table.ts'
import type { Tally } from './tally.ts'
import { halfWidth, Z95 } from './wilson.ts'

/**
 * Samples with which the Wilson interval of any rate is within ± `target`: one half is the widest, and there
 *
 *     z / (2 √(n + z²)) <= target
 *
 * @param target half-width, above 0 and at most 0.5.
 */
export function mostSamplesUntil(target: number): number {
  if (!(target > 0 && target <= 0.5)) throw new RangeError(`${target} is not the half-width of an interval`)
  return Math.max(1, Math.ceil(Z95 ** 2 * (1 / (4 * target ** 2) - 1)))
}

/** How wide the intervals of a fixture are. */
export interface Width {
  /** Half-width of the widest interval among the rates the class is judged by. */
  readonly now: number
  /** The same, once samples that were asked for are there, if the rates stay. */
  readonly ahead: number
}

/**
 * The widths of a fixture's samples. A second rate that no sample is in has no interval to narrow. Null: the samples
 * show nothing of what the class measures.
 * @param coming samples that were asked for and are not there.
 */
export function widthOf(samples: readonly Sample[], probeClass: ProbeClass, coming: number): Width | null {
  const counts = DECIDING_RATES[probeClass].map((name) => countRate(name, samples))
  return widthOfCounts(counts, samples.length, coming)
}

function widthOfCounts(counts: readonly Counts[], samples: number, coming: number): Width | null {
  const [main, ...others] = counts
  if (main!.n === 0) return null
  const filled = [main!, ...others.filter(({ n }) => n > 0)]
  // As many of those to come are in a rate as of those that came.
  const growth = 1 + coming / samples
  return {
    now: Math.max(...filled.map(({ successes, n }) => halfWidth(successes / n, n))),
    ahead: Math.max(...filled.map(({ successes, n }) => halfWidth(successes / n, n * growth))),
  }
}

/** Whether a fixture has all samples that the rule asks for. */
export function isNarrow({ named, samples }: Tally, probeClass: ProbeClass, target: number): boolean {
  const width = widthOfCounts(
    DECIDING_RATES[probeClass].map((name) => named.get(name)!),
    samples,
    0,
  )
  return width === null || width.now <= target || samples >= mostSamplesUntil(target)
}
