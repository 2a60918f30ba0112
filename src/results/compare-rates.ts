import { mean, sum } from 'simple-statistics'
import type { Sample } from '../model/sample.ts'
import { unscoredBounds } from '../stats/bounds.ts'
import { cochranMantelHaenszel, type StratifiedTest } from '../stats/cochran-mantel-haenszel.ts'
import { clusteredInterval, type ClusteredInterval } from '../stats/cluster.ts'
import type { Counts } from '../stats/counts.ts'
import { fisherExact } from '../stats/fisher.ts'
import { holm } from '../stats/holm.ts'
import { newcombe, type DifferenceInterval } from '../stats/newcombe.ts'
import { pairedDifference, type PairedDifference } from '../stats/paired-difference.ts'
import { countNamed, countSpoiled } from '../stats/rate-table.ts'
import { rateOf, type Rate } from '../stats/rate.ts'
import type { Interval } from '../stats/wilson.ts'
import type { SharedFixture } from './shared-fixtures.ts'

/** One side's rate over the shared fixtures. */
export interface SideRate extends Omit<Rate, 'bounds'> {
  /** The interval that takes fixtures as clusters; null without samples. */
  readonly cluster: ClusteredInterval | null
  /** Samples that faults spoiled. */
  readonly unscored: number
  /** The rate if those had all failed, and if they had all passed; null without samples. */
  readonly bounds: Interval | null
}

/** One rate on one fixture. Differences are B's rate minus A's; null where a side has no samples in the rate. */
export interface FixtureDifference {
  readonly fixtureId: string
  readonly a: Rate
  readonly b: Rate
  readonly difference: number | null
  /** Newcombe's interval. */
  readonly ci95: DifferenceInterval | null
  /** Fisher's exact two-sided test. */
  readonly p: number | null
  /** The same, adjusted for the number of fixtures (Holm). */
  readonly holmP: number | null
}

/** One rate of both sides over the shared fixtures. */
export interface RateComparison {
  readonly a: SideRate
  readonly b: SideRate
  /** Mean over fixtures of B's rate minus A's, with the interval that takes fixtures as pairs; null without a pair. */
  readonly difference: PairedDifference | null
  /** Cochran–Mantel–Haenszel over the fixtures; its `excess` is that of B's successes. */
  readonly test: StratifiedTest
  /** Lowest and highest mean difference, whatever the unscored samples had been; null without samples. */
  readonly differenceBounds: DifferenceInterval | null
  readonly fixtures: readonly FixtureDifference[]
}

/** The samples of both sides that count on one fixture. */
interface CountedFixture {
  readonly fixtureId: string
  readonly a: CountedSide
  readonly b: CountedSide
}

interface CountedSide extends Counts {
  readonly unscored: number
}

/** Compares one rate or custom check over the fixtures that have it. */
export function compareRate(name: string, fixtures: readonly SharedFixture[]): RateComparison {
  const count = (samples: readonly Sample[]): CountedSide => ({
    ...countNamed(name, samples),
    unscored: countSpoiled(name, samples),
  })
  const counted = fixtures.map(({ fixtureId, a, b }) => ({ fixtureId, a: count(a), b: count(b) }))
  return {
    a: sideRate(counted.map(({ a }) => a)),
    b: sideRate(counted.map(({ b }) => b)),
    difference: pairedDifference(counted),
    // The test counts its first side's successes, and B is told against A.
    test: cochranMantelHaenszel(counted.map(({ a, b }) => ({ a: b, b: a }))),
    differenceBounds: differenceBounds(counted),
    fixtures: fixtureDifferences(counted),
  }
}

function sideRate(clusters: readonly CountedSide[]): SideRate {
  const [successes, n, unscored] = [
    sum(clusters.map((own) => own.successes)),
    sum(clusters.map((own) => own.n)),
    sum(clusters.map((own) => own.unscored)),
  ]
  const bounds = unscoredBounds({ successes, n }, unscored)
  return { ...rateOf(successes, n), cluster: clusteredInterval(clusters), unscored, bounds }
}

function differenceBounds(counted: readonly CountedFixture[]): DifferenceInterval | null {
  const bounds = counted.flatMap(({ a, b }) => {
    const [ofA, ofB] = [unscoredBounds(a, a.unscored), unscoredBounds(b, b.unscored)]
    return ofA && ofB ? [{ least: ofB[0] - ofA[1], most: ofB[1] - ofA[0] }] : []
  })
  return bounds.length === 0 ? null : [mean(bounds.map(({ least }) => least)), mean(bounds.map(({ most }) => most))]
}

function fixtureDifferences(counted: readonly CountedFixture[]): FixtureDifference[] {
  const tested = counted.filter(({ a, b }) => a.n > 0 && b.n > 0)
  const ps = tested.map(({ a, b }) => fisherExact(a, b))
  const adjusted = holm(ps)
  const positions = new Map(tested.map(({ fixtureId }, position) => [fixtureId, position]))
  return counted.map(({ fixtureId, a, b }) => {
    const position = positions.get(fixtureId)
    return {
      fixtureId,
      a: rateOf(a.successes, a.n),
      b: rateOf(b.successes, b.n),
      difference: position === undefined ? null : b.successes / b.n - a.successes / a.n,
      ci95: newcombe(b, a),
      p: position === undefined ? null : ps[position]!,
      holmP: position === undefined ? null : adjusted[position]!,
    }
  })
}
