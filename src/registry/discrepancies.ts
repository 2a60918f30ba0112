import type { ProbeClass } from '../model/fixture.ts'
import { percentExact } from '../stats/rate-text.ts'
import { samplesToDecide } from '../stats/threshold.ts'
import type { ComposedFixture } from './compose.ts'
import { decide, decidingText, neededText, sideOf } from './decide.ts'
import { DETECTORS, type Detector } from './detectors.ts'
import type { AdapterMap, Discrepancy, StandingClaims } from './format.ts'
import { poolCounts } from './measures.ts'

/**
 * What does not fit together between the claims about a model and what was measured of it. A model that the declared
 * layer does not have is no finding: nobody has looked what is claimed of it.
 */
export function discrepanciesOf(
  claims: StandingClaims | null,
  probed: Readonly<Partial<Record<ProbeClass, readonly ComposedFixture[]>>>,
  adapter: AdapterMap | null,
): Discrepancy[] {
  if (claims === null) return []
  return DETECTORS.flatMap((detector) => {
    const fixtures = probed[detector.class]
    const declared = claims[detector.field]?.value === true
    if (fixtures === undefined || declared !== detector.declared) return []
    return found(detector, { claims, adapter }, fixtures) ?? []
  })
}

/** What a measurement is held against. */
interface Held {
  readonly claims: StandingClaims
  readonly adapter: AdapterMap | null
}

function found(
  detector: Detector,
  { claims, adapter }: Held,
  fixtures: readonly ComposedFixture[],
): Discrepancy | null {
  const { kind, field, threshold, comparison, measure, what } = detector
  const detected = fixtures.map(({ counts }) => counts.detected[kind]!)
  const all = detected.map((one) => one.all)
  const asked = detected.map((one) => one.asked)
  const isExercised = asked.some(({ n }) => n > 0)
  const clusters = isExercised ? asked : all
  const rate = poolCounts(clusters)
  if (rate.rate === null || rate.rate < threshold !== (comparison === 'below')) return null
  const decision = decide(rate, threshold)
  const claim = claims[field]
  const canAsk = isExercised || detector.class !== 'schema' || adapter?.nativeRung !== 'none'
  const confirmed = isExercised && decision.verdict === (comparison === 'below' ? 'missed' : 'met')
  const told = {
    kind,
    status: confirmed ? ('confirmed' as const) : ('suspected' as const),
    class: detector.class,
    claim: { field, value: claim?.value ?? null, source: claim?.source ?? null, as_of: claim?.as_of ?? null },
    measure,
    successes: rate.successes,
    n: rate.n,
    rate: rate.rate,
    interval: decision.interval,
    fixtures: rate.cluster?.clusters ?? 0,
    threshold,
    comparison,
    mechanism: { exercised: total(asked), of: total(all), what },
    mayNotCarryOver: confirmed && decision.mayNotCarryOver,
    // What never asked for it is no beginning: the samples have to be taken anew. An adapter that cannot ask takes none.
    settledBy: confirmed || !canAsk ? null : isExercised ? decision.wouldDecide : samplesToDecide(rate.rate, threshold),
    settledByFixtures: confirmed || !canAsk || !isExercised ? null : decision.ofFixtures,
    files: [...new Set(fixtures.filter((_, index) => clusters[index]!.n > 0).map(({ source }) => source.file))],
  }
  return { ...told, message: messageOf(told, { claims, canAsk, numbers: decidingText(rate, decision) }) }
}

function total(clusters: readonly { readonly n: number }[]): number {
  return clusters.reduce((sum, { n }) => sum + n, 0)
}

const CLAIMED: Readonly<Record<Discrepancy['claim']['field'], string>> = {
  structuredOutput: 'structured output',
  webSearch: 'web search',
  promptCaching: 'prompt caching',
  vision: 'image input',
}

function messageOf(
  told: Omit<Discrepancy, 'message'>,
  { claims, canAsk, numbers }: { readonly claims: StandingClaims; readonly canAsk: boolean; readonly numbers: string },
): string {
  const { claim, threshold, interval, comparison, status, mechanism, settledBy, settledByFixtures } = told
  const name = CLAIMED[claim.field]
  // That nobody is on record with it is no word of the vendor's that it cannot be done.
  const said =
    claim.value === null
      ? `no claim of ${name} is on record, neither that it is there nor that it is not`
      : `${name} is declared${claim.value ? '' : ' not to be there'}`
  const by = claim.source === null ? '' : ` (${claim.source}, ${claim.as_of})`
  const disputed = claims[claim.field]?.disputedBy === undefined ? '' : '; sources differ on that'
  const side = comparison === 'below' ? 'below' : 'at least'
  const measured = `${told.measure}: ${numbers}, ${side} ${percentExact(threshold)}`
  const unsettled = canAsk
    ? 'no number of samples that a run can take would settle it at this rate'
    : 'the adapter of the provider cannot ask for that, so that no number of samples would settle it'
  const settled = settledBy === null ? unsettled : `${neededText(settledBy, settledByFixtures)} would settle it`
  const why =
    mechanism.exercised === 0
      ? `in no sample is it on record that ${mechanism.what}`
      : interval === null || sideOf(interval.ci95, threshold) === 'inconclusive'
        ? 'the interval holds the threshold'
        : 'the exact binomial test over samples does not exclude the threshold'
  const beyond = told.mayNotCarryOver
    ? 'confirmed for these fixtures, and not that it holds on others of their kind'
    : 'confirmed'
  const verdict = status === 'confirmed' ? beyond : `suspected: ${why}; ${settled}`
  return [`${said}${by}${disputed}`, measured, verdict].map(sentence).join(' ')
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
