import { ProbeError } from '../model/errors.ts'
import type { ProbeClass } from '../model/fixture.ts'
import type { Sample } from '../model/sample.ts'
import type { StatsBlock } from '../stats/block.ts'
import { checksOf, DECIDING_RATES, ratesOf, type RateName } from '../stats/rate-table.ts'
import { latencyOf, tallyOf } from '../stats/tally.ts'
import { sumUsd } from './build.ts'
import { compareRate, type RateComparison } from './compare-rates.ts'
import { resolutionOf, verdictOf, type Resolution, type Verdict } from './compare-verdict.ts'
import type { StopReason } from './format.ts'
import type { NamedResult } from './shard-files.ts'
import { sharedFixtures, type LeftOut } from './shared-fixtures.ts'

/** One of the two results. Costs and latency are those of the samples of shared fixtures. */
export interface ComparedSide {
  readonly file: string
  readonly modelKey: string
  readonly date: string
  readonly harnessVersion: string
  readonly simulated: boolean
  readonly stopReason: StopReason | null
  /** How many samples were asked for on each rung; `null` counts those that have none. */
  readonly rungs: Readonly<Record<string, number>>
  readonly cost: CostPerSuccess
  /** Milliseconds over the `n` scored samples that have a latency; null without one. */
  readonly latencyMs: (NonNullable<StatsBlock['latencyMs']> & { readonly n: number }) | null
}

/** What a thousand successes cost, failures and unscored samples paid for along with them. */
export interface CostPerSuccess {
  readonly samples: number
  readonly totalUsd: number
  readonly successes: number
  /** Null without a success. */
  readonly per1000Usd: number | null
  /** True when an unknown cost is in it, at its upper bound. */
  readonly upperBound: boolean
}

/** Two results on the fixtures they share. All differences are B minus A. */
export interface Comparison {
  readonly class: ProbeClass
  /** The rate that the verdict and the cost are about. */
  readonly headline: RateName
  readonly verdict: Verdict
  readonly resolution: Resolution | null
  readonly a: ComparedSide
  readonly b: ComparedSide
  readonly sharedFixtures: readonly string[]
  readonly leftOut: readonly LeftOut[]
  /** By the name of a rate or custom check. */
  readonly rates: Readonly<Record<string, RateComparison>>
}

/**
 * Compares two results on the fixtures that both have, the same by their hash. Every number is counted again from the
 * samples.
 * @throws ProbeError `COMPARE_REFUSED` for different classes, and when no fixture is shared.
 */
export function compareResults(a: NamedResult, b: NamedResult): Comparison {
  const probeClass = a.result.class
  if (probeClass !== b.result.class) {
    const message = `is of class ${b.result.class}, and ${a.file} of class ${probeClass}`
    throw refused(b.file, 'class', message, 'two results of one class')
  }
  const { shared, leftOut } = sharedFixtures(a.result, b.result)
  if (shared.length === 0) {
    const list = leftOut.map(({ fixtureId, why }) => `${fixtureId} (${why})`).join(', ')
    const message = `shares no measured fixture with ${a.file}${list && `: ${list}`}`
    throw refused(b.file, 'fixtureHashes', message, 'two results with samples of the same fixtures')
  }
  // Fixtures of a class that has rates of schemas have one.
  const names = [
    ...ratesOf({ probeClass, hasSchema: true }),
    ...checksOf(shared.flatMap((one) => [...one.a, ...one.b])),
  ]
  const rates = Object.fromEntries(names.map((name) => [name, compareRate(name, shared)]))
  const [headline] = DECIDING_RATES[probeClass]
  const compared = rates[headline]!
  return {
    class: probeClass,
    headline,
    verdict: verdictOf(compared),
    resolution: resolutionOf(compared),
    a: sideOf(
      a,
      shared.flatMap((fixture) => fixture.a),
      compared.a.successes,
    ),
    b: sideOf(
      b,
      shared.flatMap((fixture) => fixture.b),
      compared.b.successes,
    ),
    sharedFixtures: shared.map(({ fixtureId }) => fixtureId),
    leftOut,
    rates,
  }
}

function refused(file: string, field: string, message: string, allowed: string): ProbeError {
  return new ProbeError('COMPARE_REFUSED', message, { file, field, allowed })
}

function sideOf({ file, result }: NamedResult, samples: readonly Sample[], successes: number): ComparedSide {
  const { modelKey, date, harnessVersion, simulated, stopReason } = result
  const totalUsd = sumUsd(samples)
  const timed = samples.filter(({ scored, latencyMs }) => scored && latencyMs !== null).length
  const latencyMs = latencyOf([tallyOf(samples)])
  return {
    file,
    modelKey,
    date,
    harnessVersion,
    simulated,
    stopReason,
    rungs: countsOf(samples.map(({ rung }) => String(rung))),
    cost: {
      samples: samples.length,
      totalUsd,
      successes,
      per1000Usd: successes === 0 ? null : (totalUsd / successes) * 1000,
      upperBound: samples.some(({ costUsd }) => costUsd === null),
    },
    latencyMs: latencyMs && { n: timed, ...latencyMs },
  }
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries([...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
