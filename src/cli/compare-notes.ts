import type { ComparedSide, Comparison } from '../results/compare.ts'
import { intervalText } from '../stats/rate-text.ts'

/** What to bear in mind with a comparison, a line each. */
export function comparisonNotes(comparison: Comparison): string[] {
  const { a, b, leftOut, resolution, rates, headline, sharedFixtures } = comparison
  const compared = rates[headline]!
  const lines = [...sideNotes('A', a), ...sideNotes('B', b)]
  if (a.harnessVersion !== b.harnessVersion)
    lines.push(`graded by different versions: A by ${a.harnessVersion}, B by ${b.harnessVersion}`)
  const [rungsA, rungsB] = [rungsOf(a), rungsOf(b)]
  if (rungsA !== rungsB) lines.push(`structure was asked for in different ways: A ${rungsA}, B ${rungsB}`)
  for (const [name, side] of [['A', compared.a] as const, ['B', compared.b] as const]) {
    if (side.unscored === 0 || side.bounds === null) continue
    const had = 'lies within'
    lines.push(
      `${name}: ${side.unscored} of ${side.n + side.unscored} samples are not scored; whatever they had been, ${headline} ${had} ${intervalText(side.bounds)}`,
    )
  }
  if (resolution !== null && !resolution.singleFixtureCould && sharedFixtures.length > 1) {
    lines.push(
      `no single fixture could be told to differ: that takes ${resolution.singleFixtureNeeds} samples a fixture on each side`,
    )
  }
  if (leftOut.length > 0)
    lines.push(`left out: ${leftOut.map(({ fixtureId, why }) => `${fixtureId} (${why})`).join(', ')}`)
  return lines
}

function sideNotes(name: string, { simulated, stopReason }: ComparedSide): string[] {
  return [
    ...(simulated ? [`${name} is simulated: no real model was measured`] : []),
    ...(stopReason === null ? [] : [`${name} is incomplete: ${stopReason}`]),
  ]
}

/** The rungs of the samples that have one. */
function rungsOf({ rungs }: ComparedSide): string {
  const named = Object.entries(rungs).filter(([rung]) => rung !== 'null')
  return named.map(([rung]) => rung).join(' and ') || 'on no rung'
}
