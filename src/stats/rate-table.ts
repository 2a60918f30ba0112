import type { ProbeClass } from '../model/fixture.ts'
import { isIneligible, type Sample } from '../model/sample.ts'
import type { Counts } from './counts.ts'

/** What a rate is: which scored samples it is over, and which of them count as successes. */
export interface RateDefinition {
  /** Classes the rate applies to. */
  readonly classes: readonly ProbeClass[]
  /** True when the rate applies only to fixtures with an answer schema. */
  readonly needsSchema: boolean
  /** True for a sample that the rate is over (the denominator). Only scored samples are asked. */
  readonly counts: (sample: Sample) => boolean
  /** True for a success (the numerator). Only samples that count are asked. */
  readonly succeeds: (sample: Sample) => boolean
}

/** True when the answer parsed and is valid against the schema. */
export function isConformant(sample: Sample): boolean {
  return sample.parseOk && sample.schemaConform === true
}

/**
 * Every rate that is reported, in the order it is shown. A new rate is a new row: blocks, their schemas and their
 * types follow from this table.
 */
export const RATES = {
  parse: {
    // Every class has it: a refusal or an empty reply is a failed parse for free text as well.
    classes: ['schema', 'grounding', 'caching', 'image'],
    needsSchema: false,
    counts: () => true,
    succeeds: (sample) => sample.parseOk,
  },
  conform: {
    classes: ['schema', 'image'],
    needsSchema: true,
    counts: (sample) => sample.schemaConform !== null,
    succeeds: isConformant,
  },
  values: {
    classes: ['schema', 'image'],
    needsSchema: true,
    counts: (sample) => isConformant(sample) && sample.valueAccuracy !== null,
    succeeds: (sample) => sample.valueAccuracy === 1,
  },
  extraction: {
    classes: ['image'],
    needsSchema: true,
    counts: () => true,
    succeeds: (sample) => isConformant(sample) && sample.valueAccuracy === 1,
  },
  grounded: {
    classes: ['grounding'],
    needsSchema: false,
    counts: () => true,
    succeeds: (sample) => sample.grounded === true,
  },
  cacheHit: {
    classes: ['caching'],
    needsSchema: false,
    counts: (sample) => sample.cachedTokens !== null,
    // What the first call was served from cache already, every call would be.
    succeeds: (sample) => (sample.cachedTokens ?? 0) > (sample.primeCachedTokens ?? 0),
  },
} as const satisfies Readonly<Record<string, RateDefinition>>

/** Name of a reported rate. */
export type RateName = keyof typeof RATES

/** The rates a class is judged by, its own first. What fails to parse is in all of them. */
export const DECIDING_RATES: Readonly<Record<ProbeClass, readonly [RateName, ...RateName[]]>> = {
  schema: ['conform', 'values'],
  image: ['extraction'],
  grounding: ['grounded'],
  caching: ['cacheHit'],
}

/** Whether a text is the name of a reported rate. */
export function isRateName(name: string): name is RateName {
  return Object.hasOwn(RATES, name)
}

/** Names of the rates that apply to a class, in the order they are shown. */
export function ratesOf(options: { readonly probeClass: ProbeClass; readonly hasSchema: boolean }): RateName[] {
  const entries = Object.entries(RATES) as [RateName, RateDefinition][]
  return entries
    .filter(
      ([, { classes, needsSchema }]) => classes.includes(options.probeClass) && (options.hasSchema || !needsSchema),
    )
    .map(([name]) => name)
}

/** Counts one rate over the scored samples among those given. */
export function countRate(name: RateName, samples: readonly Sample[]): Counts {
  const { counts, succeeds }: RateDefinition = RATES[name]
  return countWhere(samples, counts, succeeds)
}

/** Counts the scored samples that are asked about, and those of them that succeed. */
export function countWhere(
  samples: readonly Sample[],
  counts: (sample: Sample) => boolean,
  succeeds: (sample: Sample) => boolean,
): Counts {
  let [successes, n] = [0, 0]
  for (const sample of samples) {
    if (!sample.scored || !counts(sample)) continue
    n += 1
    if (succeeds(sample)) successes += 1
  }
  return { successes, n }
}

/** Names of the custom checks that were made on any of the samples, sorted. */
export function checksOf(samples: readonly Sample[]): string[] {
  return [...new Set(samples.flatMap(({ checks = {} }) => Object.keys(checks)))].toSorted()
}

/** Counts one custom check over the scored samples on which it gave a verdict. */
export function countCheck(name: string, samples: readonly Sample[]): Counts {
  const verdicts = samples.flatMap(({ scored, checks = {} }) =>
    scored && Object.hasOwn(checks, name) ? (checks[name] ?? []) : [],
  )
  return { successes: verdicts.filter(Boolean).length, n: verdicts.length }
}

/** Counts what goes by a name, a rate or a custom check: neither can have the name of one of the other. */
export function countNamed(name: string, samples: readonly Sample[]): Counts {
  return isRateName(name) ? countRate(name, samples) : countCheck(name, samples)
}

/** Samples of one fixture that would have been in a rate, or could have been, had no fault come between. */
export function countSpoiled(name: string, samples: readonly Sample[]): number {
  const spoiled = samples.filter((sample) => !sample.scored && !isIneligible(sample))
  if (spoiled.length === 0) return 0
  if (!isRateName(name)) return spoiled.filter(({ checks = {} }) => Object.hasOwn(checks, name)).length
  const conformant = samples.filter((sample) => sample.scored && isConformant(sample))
  const expectsNone = conformant.length > 0 && conformant.every(({ valueAccuracy }) => valueAccuracy === null)
  return name === 'values' && expectsNone ? 0 : spoiled.length
}
