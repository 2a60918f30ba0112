import type { ProbeClass } from '../model/fixture.ts'
import type { Sample } from '../model/sample.ts'
import type { Discrepancy, DiscrepancyKind } from './format.ts'
import { MECHANISMS, NATIVE_RUNG, type AskedIn } from './measures.ts'

/** When a claim and a measurement do not fit together. */
export interface Detector {
  readonly kind: DiscrepancyKind
  readonly class: ProbeClass
  readonly field: Discrepancy['claim']['field']
  /** Whether it is about models of which this is claimed, or about those of which it is not: denied, or not on record. */
  readonly declared: boolean
  readonly what: string
  readonly measure: string
  readonly threshold: number
  /** The side of the threshold on which there is something to find. */
  readonly comparison: Discrepancy['comparison']
  /** Whether a scored sample can show anything of it. */
  readonly counts: (sample: Sample, source: AskedIn) => boolean
  /** Whether it asked for what is claimed. */
  readonly exercised: (sample: Sample, source: AskedIn) => boolean
  readonly succeeds: (sample: Sample) => boolean
}

/** Share of answers that conform from which on a model is taken to do what structured output promises. */
const CONFORMANCE = 0.9
/** Of all else, more often than not. */
const HALF = 0.5

const { schema, grounding, caching, image } = MECHANISMS

/** Every kind, in the order it is told. A new kind is a new row, a row in docs/registry.md, and a test. */
export const DETECTORS: readonly Detector[] = [
  {
    ...schema,
    kind: 'declared_schema_low_conformance',
    class: 'schema',
    field: 'structuredOutput',
    declared: true,
    threshold: CONFORMANCE,
    comparison: 'below',
  },
  {
    ...schema,
    kind: 'undeclared_schema_capable',
    class: 'schema',
    field: 'structuredOutput',
    declared: false,
    threshold: CONFORMANCE,
    comparison: 'at_least',
  },
  {
    kind: 'schema_served_via_json_mode',
    class: 'schema',
    field: 'structuredOutput',
    declared: true,
    what: NATIVE_RUNG.what,
    measure: 'answers that were served on the native rung',
    threshold: HALF,
    comparison: 'below',
    counts: NATIVE_RUNG.counts,
    exercised: NATIVE_RUNG.exercised,
    succeeds: NATIVE_RUNG.isServed,
  },
  {
    ...grounding,
    kind: 'declared_search_ungrounded',
    class: 'grounding',
    field: 'webSearch',
    declared: true,
    threshold: HALF,
    comparison: 'below',
  },
  {
    ...grounding,
    kind: 'citations_without_declared_search',
    class: 'grounding',
    field: 'webSearch',
    declared: false,
    measure: 'answers with citations',
    threshold: HALF,
    comparison: 'at_least',
    // Without a search that was switched on, addresses are only written, and may be made up.
    succeeds: (sample) =>
      grounding.exercised(sample) ? sample.grounded === true : sample.grounded === true || hasCitations(sample),
  },
  {
    ...caching,
    kind: 'declared_caching_unrealized',
    class: 'caching',
    field: 'promptCaching',
    declared: true,
    threshold: HALF,
    comparison: 'below',
  },
  {
    ...image,
    kind: 'declared_vision_unreadable',
    class: 'image',
    field: 'vision',
    declared: true,
    threshold: HALF,
    comparison: 'below',
  },
  {
    ...image,
    kind: 'undeclared_vision_capable',
    class: 'image',
    field: 'vision',
    declared: false,
    threshold: HALF,
    comparison: 'at_least',
  },
]

function hasCitations({ citationCount, citations }: Sample): boolean {
  return (citationCount ?? 0) > 0 || (citations?.length ?? 0) > 0
}
