import { minimumDetectable, samplesToDetect } from '../stats/detectable.ts'
import { smallestFisherP } from '../stats/fisher.ts'
import type { RateComparison } from './compare-rates.ts'

/** Error that the verdict, and the search for single fixtures, are allowed. */
const ERROR = 0.05

/** The difference of which it is told how many samples it would take to see: 10 points. */
const TELLING_DIFFERENCE = 0.1

/** What the comparison of the headline rate says. */
export interface Verdict {
  /** By the stratified test at 5 %; `nothing_scored`: a side has no scored sample on a shared fixture. */
  readonly kind: 'a_better' | 'b_better' | 'no_difference_shown' | 'nothing_scored'
  /** True when the fixtures' own spread leaves it open whether it holds on other fixtures of the kind. */
  readonly mayNotCarryOver: boolean
  /** True when the unscored samples could have turned the sign of the difference. */
  readonly unscoredCouldTurnIt: boolean
  /** Fixtures that differ by themselves: Fisher's test, Holm-adjusted, at 5 %. */
  readonly differingFixtures: readonly string[]
}

/** What so many samples can tell. */
export interface Resolution {
  /** The smallest difference from A's rate that is seen 80 % of the time; null: not even the largest. */
  readonly minimumDetectable: number | null
  /** Samples a fixture, on each side, with which a difference of `difference` from A's rate is seen so often. */
  readonly toDetect: { readonly difference: number; readonly samplesPerFixture: number } | null
  /** Whether a single fixture could have been told to differ, had one side always passed and the other never. */
  readonly singleFixtureCould: boolean
  /** The smallest number of samples a fixture, on each side, with which it could. */
  readonly singleFixtureNeeds: number
}

/** The verdict on a rate. */
export function verdictOf({ difference, test, differenceBounds, a, b, fixtures }: RateComparison): Verdict {
  const differingFixtures = fixtures
    .filter(({ holmP }) => holmP !== null && holmP <= ERROR)
    .map(({ fixtureId }) => fixtureId)
  const plain = { mayNotCarryOver: false, unscoredCouldTurnIt: false, differingFixtures }
  if (difference === null) return { kind: 'nothing_scored', ...plain }
  if (test.p > ERROR) return { kind: 'no_difference_shown', ...plain }
  const sign = Math.sign(test.excess)
  const [lower, upper] = difference.ci95
  const [least, most] = differenceBounds!
  return {
    kind: sign > 0 ? 'b_better' : 'a_better',
    mayNotCarryOver: sign > 0 ? lower <= 0 : upper >= 0,
    unscoredCouldTurnIt: a.unscored + b.unscored > 0 && (sign > 0 ? least <= 0 : most >= 0),
    differingFixtures,
  }
}

/** What could have been seen of a rate; null where a side has no scored sample on a shared fixture. */
export function resolutionOf({ a, fixtures }: RateComparison): Resolution | null {
  const paired = fixtures.filter((fixture) => fixture.difference !== null)
  if (paired.length === 0 || a.rate === null) return null
  const [nA, nB] = [paired.map((one) => one.a.n), paired.map((one) => one.b.n)]
  const total = (ns: readonly number[]): number => ns.reduce((sum, n) => sum + n, 0)
  const needed = samplesToDetect(TELLING_DIFFERENCE, a.rate)
  return {
    minimumDetectable: minimumDetectable({ nA: total(nA), nB: total(nB), rate: a.rate }),
    toDetect:
      needed === null ? null : { difference: TELLING_DIFFERENCE, samplesPerFixture: Math.ceil(needed / paired.length) },
    singleFixtureCould: paired.some((one) => smallestFisherP(one.a.n, one.b.n) * paired.length <= ERROR),
    singleFixtureNeeds: singleFixtureNeeds(paired.length),
  }
}

/** Holm compares the smallest p with the error shared among all fixtures. */
function singleFixtureNeeds(fixtures: number): number {
  let n = 1
  while (smallestFisherP(n, n) * fixtures > ERROR) n += 1
  return n
}
