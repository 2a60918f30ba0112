import type { LoadedFixture, ProbeClass } from '../../src/model/fixture.ts'
import { SIM_PROFILES, type SimProfile } from '../../src/providers/sim/profiles.ts'
import type { ResultFile } from '../../src/results/format.ts'
import { clusteredInterval, type ClusteredInterval } from '../../src/stats/cluster.ts'
import { rateOf, type Rate } from '../../src/stats/rate.ts'
import { countRate, type RateName } from '../../src/stats/rate-table.ts'

/** The rate whose successes are right samples: for structured answers, conforming with every expected value. */
const RIGHT: Readonly<Record<ProbeClass, RateName>> = {
  schema: 'extraction',
  image: 'extraction',
  grounding: 'grounded',
  caching: 'cacheHit',
}

/** How often that happens to a simulated model, by the rates it was given. */
const RIGHT_AS_SET: Readonly<Record<ProbeClass, (profile: SimProfile) => number>> = {
  schema: ({ conform, values }) => conform * values,
  image: ({ conform, values }) => conform * values,
  grounding: ({ grounded }) => grounded,
  caching: ({ cacheHit }) => cacheHit,
}

/** What a fixture tells of a model: nothing more (every sample right), something, or nothing yet (none right). */
export type Verdict = 'saturated' | 'in between' | 'impossible'

/** How one model did on the fixtures of one class. */
export interface Outcome {
  readonly modelKey: string
  /** Share of right samples that a simulated model was given; null: it is measured. */
  readonly asSet: number | null
  readonly pooled: Rate & { readonly cluster: ClusteredInterval | null }
  /** By fixture id. */
  readonly fixtures: ReadonlyMap<string, Rate & { readonly verdict: Verdict }>
}

/**
 * How the model of a result did on these fixtures.
 * @throws Error for a fixture that the result does not have as it is now, or has no sample of that counts.
 */
export function outcomeOf(result: ResultFile, fixtures: readonly LoadedFixture[]): Outcome {
  const { modelKey, class: probeClass } = result
  const counted = fixtures.map(({ id, hash }) => {
    const counts = countRate(RIGHT[probeClass], result.raw[id] ?? [])
    if (result.fixtureHashes[id] !== hash || counts.n === 0)
      throw new Error(`${modelKey} was not measured on ${id} as it is now: npm run screen measures it`)
    return { id, counts }
  })
  const all = counted.map(({ counts }) => counts)
  const successes = sum(all.map((counts) => counts.successes))
  const n = sum(all.map((counts) => counts.n))
  return {
    modelKey,
    asSet: result.simulated ? RIGHT_AS_SET[probeClass](SIM_PROFILES[modelKey.replace('sim/', '')]!) : null,
    pooled: { ...rateOf(successes, n), cluster: clusteredInterval(all) },
    fixtures: new Map(
      counted.map(({ id, counts }) => [id, { ...rateOf(counts.successes, counts.n), verdict: verdictOf(counts) }]),
    ),
  }
}

function verdictOf({ successes, n }: { readonly successes: number; readonly n: number }): Verdict {
  if (successes === n) return 'saturated'
  return successes === 0 ? 'impossible' : 'in between'
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
