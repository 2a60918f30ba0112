import type { ProbeClass } from '../model/fixture.ts'
import type { Sample } from '../model/sample.ts'
import { spentUsdOf, sumOfUsd } from '../model/spend.ts'
import type { Counts } from '../stats/counts.ts'
import type { SpoiledCounts } from '../stats/pooled-rate.ts'
import { countWhere, isConformant } from '../stats/rate-table.ts'
import { DETECTORS } from './detectors.ts'
import type { DiscrepancyKind } from './format.ts'
import {
  countMeasure,
  groupMeasures,
  MEASURES,
  MECHANISMS,
  NATIVE_RUNG,
  type AskedIn,
  type MeasureName,
} from './measures.ts'

/** Counts of some rates. */
export type MeasureCounts = Readonly<Partial<Record<MeasureName, SpoiledCounts>>>

/**
 * What the samples of one fixture come to: all that the registry tells of a model follows from these, so that of thousands
 * of files no sample stays in memory. Plain JSON.
 */
export interface FixtureCounts {
  readonly samples: number
  readonly scored: number
  readonly rates: MeasureCounts
  /** Of the samples that were served on a rung; absent: none were. */
  readonly byRung: Readonly<Partial<Record<'native' | 'json_mode', MeasureCounts>>>
  readonly rungs: Readonly<Record<'native' | 'json_mode' | 'none', number>>
  readonly rungFallbacks: Readonly<Record<string, number>>
  readonly mechanism: Counts & { readonly exercised: number }
  /** Conformant answers on the native rung, of those asked for it. */
  readonly askedNatively: Counts
  /** By kind: over the samples that can show it, and over those of them that asked for it. */
  readonly detected: Readonly<Partial<Record<DiscrepancyKind, { readonly all: Counts; readonly asked: Counts }>>>
  readonly valueAccuracy: readonly number[]
  readonly cachedShare: readonly number[]
  readonly spentUsd: number
  /** Every cost is known. */
  readonly isCostKnown: boolean
  readonly latenciesMs: readonly number[]
}

/** Counts the samples of a fixture. */
export function countFixture(probeClass: ProbeClass, samples: readonly Sample[], asked: AskedIn): FixtureCounts {
  const scored = samples.filter((sample) => sample.scored)
  const served = (rung: 'native' | 'json_mode'): Sample[] => scored.filter((sample) => sample.rung === rung)
  const [native, coached] = [served('native'), served('json_mode')]
  const { counts, exercised, succeeds } = MECHANISMS[probeClass]
  return {
    samples: samples.length,
    scored: scored.length,
    rates: countsOf(MEASURES[probeClass], samples),
    byRung: {
      ...(native.length > 0 && { native: countsOf(groupMeasures(probeClass), native) }),
      ...(coached.length > 0 && { json_mode: countsOf(groupMeasures(probeClass), coached) }),
    },
    rungs: { native: native.length, json_mode: coached.length, none: scored.length - native.length - coached.length },
    rungFallbacks: Object.fromEntries(numbersOf(scored.flatMap(({ rungFallback }) => rungFallback ?? []))),
    mechanism: {
      ...countWhere(samples, (sample) => counts(sample) && exercised(sample), succeeds),
      exercised: scored.filter(exercised).length,
    },
    askedNatively: countWhere(
      samples,
      (sample) => NATIVE_RUNG.counts(sample, asked) && NATIVE_RUNG.exercised(sample, asked),
      (sample) => NATIVE_RUNG.isServed(sample) && isConformant(sample),
    ),
    detected: Object.fromEntries(
      DETECTORS.filter((detector) => detector.class === probeClass).map((detector) => [
        detector.kind,
        {
          all: countWhere(samples, (sample) => detector.counts(sample, asked), detector.succeeds),
          asked: countWhere(
            samples,
            (sample) => detector.counts(sample, asked) && detector.exercised(sample, asked),
            detector.succeeds,
          ),
        },
      ]),
    ),
    valueAccuracy: scored.filter(isConformant).flatMap(({ valueAccuracy }) => valueAccuracy ?? []),
    cachedShare: scored.flatMap(({ cachedShare }) => cachedShare ?? []),
    spentUsd: sumOfUsd(samples.map(spentUsdOf)),
    isCostKnown: samples.every((sample) => sample.costUsd !== null),
    latenciesMs: scored.flatMap(({ latencyMs }) => latencyMs ?? []),
  }
}

function countsOf(names: readonly MeasureName[], samples: readonly Sample[]): MeasureCounts {
  return Object.fromEntries(names.map((name) => [name, countMeasure(name, samples)]))
}

/** How often each stands in a list. */
function numbersOf(names: readonly string[]): [name: string, count: number][] {
  return Array.from(
    Map.groupBy(names, (name) => name),
    ([name, own]) => [name, own.length],
  )
}
