import { counted } from '../model/counted.ts'
import type { Comparison } from '../results/compare.ts'
import type { Resolution } from '../results/compare-verdict.ts'
import { DECIDING_RATES } from '../stats/rate-table.ts'
import { ofPooled, pOf, points, pointsWithin } from './compare-words.ts'

/** Error at which a rate is spoken of that the verdict is not about. */
const OTHER_ERROR = 0.01

/** What a comparison shows, in one sentence. */
export function verdictSentence(comparison: Comparison): string {
  const { verdict, resolution, headline, rates, a, b } = comparison
  const { a: rateA, b: rateB, difference, test } = rates[headline]!
  if (verdict.kind === 'nothing_scored' || difference === null) {
    return `Nothing to compare: no shared fixture has samples of both in ${headline} (A ${ofPooled(rateA)}, B ${ofPooled(rateB)}).`
  }
  const [better, worse] = verdict.kind === 'a_better' ? ['A', 'B'] : ['B', 'A']
  const sides = { A: `${ofPooled(rateA)} (A, ${a.modelKey})`, B: `${ofPooled(rateB)} (B, ${b.modelKey})` }
  const mean = `B - A ${points(difference.difference)} points ${pointsWithin(difference.ci95)}`
  const fixtures = counted(difference.pairs, 'fixture')
  const figures = `${mean} in the mean of ${fixtures}, p ${pOf(test.p)}`
  const clauses = otherRates(comparison)
  if (verdict.kind === 'no_difference_shown') {
    if (verdict.differingFixtures.length > 0)
      clauses.push(`though by itself ${verdict.differingFixtures.join(', ')} differs`)
    clauses.push(...resolutionClauses(resolution))
    return [`No difference in ${headline} is shown: ${sides.A} and ${sides.B}, ${figures}`, ...clauses].join('; ') + '.'
  }
  if (verdict.mayNotCarryOver) clauses.push('shown for these fixtures, and not that it holds on others of their kind')
  if (verdict.unscoredCouldTurnIt) clauses.push('the samples that are not scored could have turned it')
  const claim = `${better} is better than ${worse} in ${headline}: ${sides[better as 'A' | 'B']} against ${sides[worse as 'A' | 'B']}`
  return [`${claim}, ${figures}`, ...clauses].join('; ') + '.'
}

/** Who chooses by one rate has to know that another says more. */
function otherRates({ class: probeClass, headline, rates }: Comparison): string[] {
  return DECIDING_RATES[probeClass].flatMap((name) => {
    const { difference, test } = rates[name]!
    if (name === headline || difference === null || test.p > OTHER_ERROR) return []
    return [
      `${name}, which is not weighed here, differs: B - A ${points(difference.difference)} points, p ${pOf(test.p)}`,
    ]
  })
}

/** What so few samples could have shown, and how many would show more. */
function resolutionClauses(resolution: Resolution | null): string[] {
  if (resolution === null) return []
  const { minimumDetectable, toDetect } = resolution
  const seen =
    minimumDetectable === null
      ? 'n is too small to see any difference 4 times out of 5'
      : `n is too small to see less than ${sizeOf(minimumDetectable)} points 4 times out of 5`
  if (toDetect === null || (minimumDetectable ?? 1) <= toDetect.difference) return [seen]
  const { difference, samplesPerFixture } = toDetect
  return [`${seen} (${sizeOf(difference)} points would take ${samplesPerFixture} samples a fixture on each side)`]
}

function sizeOf(difference: number): string {
  // Rounded up: a smaller figure would promise too much.
  return `${Math.ceil(difference * 1000 - 1e-6) / 10}`
}
