import { types } from 'node:util'
import { counted } from '../model/counted.ts'
import { ProbeError } from '../model/errors.ts'
import { didYouMean } from '../model/closest.ts'
import type { ProbeClass } from '../model/fixture.ts'
import { ownOf } from '../model/own.ts'
import { parseModelKey } from '../model/model-key.ts'
import type { PooledRate } from '../stats/block-types.ts'
import { percentExact } from '../stats/rate-text.ts'
import { decide, decidingText, neededText } from './decide.ts'
import { MECHANISMS } from './measures.ts'
import type { Probed, Registry } from './format.ts'

const DAY_MS = 86_400_000

interface Definition {
  readonly class: ProbeClass
  /** Least rate that counts as having it, unless said. */
  readonly atLeast: number
  /** The rate it is about; null: nothing asked for it. */
  readonly rate: (probed: Probed) => PooledRate | null
  readonly measure: string
  /** What no sample is known to have asked for, where there is no rate. @default asked for, or measured */
  readonly asked?: string
  /** What has to be told along; null: nothing. */
  readonly note?: (probed: Probed) => string | null
}

const CONFORMANCE = 0.9
const HALF = 0.5

/** What can be expected of a model. */
const CAPABILITIES = {
  schema: {
    class: 'schema',
    atLeast: CONFORMANCE,
    rate: ({ rates }) => rates['conform'] ?? null,
    measure: 'answers that conform, on whatever rung',
  },
  'schema.native': {
    class: 'schema',
    atLeast: CONFORMANCE,
    // What was refused there, or ignored, was asked for all the same. Files of older versions tell of answers alone.
    rate: ({ askedNatively, by_rung }) =>
      askedNatively === undefined ? (by_rung['native']?.['conform'] ?? null) : askedNatively,
    measure: 'answers that conform, on the native rung',
    note: notServedNatively,
  },
  'schema.json_mode': {
    class: 'schema',
    atLeast: CONFORMANCE,
    rate: ({ by_rung }) => by_rung['json_mode']?.['conform'] ?? null,
    measure: 'answers that conform, in JSON mode',
  },
  'schema.values': {
    class: 'schema',
    atLeast: CONFORMANCE,
    rate: ({ rates }) => rates['values'] ?? null,
    measure: 'conformant answers with every expected value',
  },
  search: {
    class: 'grounding',
    atLeast: HALF,
    rate: ({ mechanism }) => mechanism.rate,
    measure: 'answers with a citation of a search that was switched on',
    asked: MECHANISMS.grounding.what,
  },
  caching: {
    class: 'caching',
    atLeast: HALF,
    rate: ({ mechanism }) => mechanism.rate,
    measure: 'repeated calls that were served from cache',
    asked: MECHANISMS.caching.what,
  },
  image: {
    class: 'image',
    atLeast: HALF,
    rate: ({ mechanism }) => mechanism.rate,
    measure: 'answers with more than half of the values on the image',
    asked: MECHANISMS.image.what,
  },
  'image.extraction': {
    class: 'image',
    atLeast: CONFORMANCE,
    rate: ({ rates }) => rates['extraction'] ?? null,
    measure: 'answers with every value on the image',
  },
} as const satisfies Readonly<Record<string, Definition>>

/** What can be asked of a registry. */
export type Capability = keyof typeof CAPABILITIES

/** `confirmed`, `contradicted`: measured beyond doubt; `stale`: measured too long ago; `unknown`: anything else. */
export type CapabilityStatus = 'confirmed' | 'contradicted' | 'stale' | 'unknown'

export interface CapabilityQuestion {
  /** Least rate, 0 to 1. @default 0.9 of answers; 0.5 for `search`, `caching` and `image` */
  readonly atLeast?: number
  /** Older measurements are stale. In days. @default what the registry was built with */
  readonly maxAgeDays?: number
  /** @default the clock */
  readonly now?: Date
}

/** What a registry says of a capability, and what that rests on. */
export interface CapabilityReport {
  readonly status: CapabilityStatus
  readonly modelKey: string
  readonly capability: Capability
  readonly atLeast: number
  /** Null: it was not measured. */
  readonly rate: PooledRate | null
  /** When the oldest run in it began; null: it was not measured. */
  readonly oldestDate: string | null
  /** Samples that would decide; null: decided, or not to be said. */
  readonly wouldDecide: number | null
  /** Fixtures that these have to be of, where fixtures differ; null: those that were measured will do. */
  readonly ofFixtures: number | null
  /** Decided for these fixtures, which are too few to say it of others of their kind. */
  readonly mayNotCarryOver: boolean
  /** One sentence. */
  readonly reason: string
}

/**
 * What a registry says of a capability of a model.
 * @throws ProbeError `OPTION_INVALID` for a capability there is not, a share, age or time that is none; `MODEL_KEY_INVALID`.
 */
export function capabilityIn(
  registry: Registry,
  modelKey: string,
  capability: Capability,
  { atLeast, maxAgeDays = registry.staleAfterDays, now = new Date() }: CapabilityQuestion = {},
): CapabilityReport {
  const definition = definitionOf(capability)
  const threshold = atLeast ?? definition.atLeast
  refuseNonsense({ atLeast: threshold, maxAgeDays, now })
  parseModelKey(modelKey)
  const told = { modelKey, capability, atLeast: threshold }
  const undecided = { status: 'unknown' as const, wouldDecide: null, ofFixtures: null, mayNotCarryOver: false }
  const nothing = { ...told, ...undecided, rate: null, oldestDate: null }
  const model = ownOf(registry.models, modelKey)
  if (model === undefined) {
    const { fix: meant } = didYouMean(modelKey, Object.keys(registry.models))
    return { ...nothing, reason: `the registry does not have the model${meant === undefined ? '' : ` (${meant})`}` }
  }
  const probed = model.probed[definition.class]
  if (probed === undefined) return { ...nothing, reason: `no result of class ${definition.class}` }
  const rate = definition.rate(probed)
  const note = definition.note?.(probed) ?? null
  const noted = [note, probed.simulated ? 'simulated: no real model was measured' : null]
    .map((one) => (one === null ? '' : `; ${one}`))
    .join('')
  if (rate === null || rate.n === 0) {
    const why =
      definition.asked === undefined
        ? 'never asked for, or not measured'
        : `in none that was scored is it on record that ${definition.asked}`
    const reason = `no sample shows it: ${definition.measure}: ${why}${noted}`
    return { ...nothing, reason }
  }
  const decision = decide(rate, threshold)
  const { verdict, wouldDecide, ofFixtures, mayNotCarryOver } = decision
  const numbers = `${definition.measure}: ${decidingText(rate, decision)}, at least ${percentExact(threshold)} expected${noted}`
  const measured = { ...told, ...undecided, rate, oldestDate: probed.oldestDate }
  const ageDays = (now.getTime() - Date.parse(probed.oldestDate)) / DAY_MS
  if (ageDays > maxAgeDays) {
    const reason = `measured ${Math.floor(ageDays)} days ago, and ${maxAgeDays} are allowed; ${numbers}`
    return { ...measured, status: 'stale', reason }
  }
  if (verdict === 'inconclusive') {
    const more = wouldDecide === null ? '' : `; ${neededText(wouldDecide, ofFixtures)} would tell`
    return { ...measured, wouldDecide, ofFixtures, reason: `${numbers}: not decided${more}` }
  }
  const status = verdict === 'met' ? 'confirmed' : 'contradicted'
  const beyond = mayNotCarryOver ? '; so it is on these fixtures, and others of their kind may differ' : ''
  return { ...measured, status, mayNotCarryOver, reason: `${numbers}${beyond}` }
}

/** What `rungFallback` says of a provider, for people. */
const FALLBACKS: Readonly<Record<string, string>> = {
  schema_rejected: 'the provider refused the schema',
  schema_not_enforced: 'the provider takes schemas and ignores them, as a canary showed',
  enforcement_unproven: 'a canary showed nothing',
  unsupported: 'no schema was sent, since the provider takes none',
}

function notServedNatively({ rungFallbacks }: Probed): string | null {
  const each = Object.entries(rungFallbacks).map(([code, count]) => {
    const samples = counted(count, 'sample')
    const meaning = ownOf(FALLBACKS, code)
    return `${samples} (${code}${meaning === undefined ? '' : `: ${meaning}`})`
  })
  return each.length === 0 ? null : `not served natively: ${each.join(', ')}`
}

function definitionOf(capability: string): Definition {
  const known = Object.keys(CAPABILITIES)
  if (Object.hasOwn(CAPABILITIES, capability)) return CAPABILITIES[capability as Capability]
  throw new ProbeError('OPTION_INVALID', `there is no capability "${capability}"`, {
    field: 'capability',
    allowed: known.join(', '),
    ...didYouMean(capability, known),
  })
}

/** Types may not have been checked, and of a time that is none nothing would be too old. */
function refuseNonsense({ atLeast, maxAgeDays, now }: Readonly<Record<keyof CapabilityQuestion, unknown>>): void {
  const refuse = (field: string, value: unknown, what: string, allowed: string): never => {
    throw new ProbeError('OPTION_INVALID', `${String(value)} is no ${what}`, { field, allowed })
  }
  if (!(typeof atLeast === 'number' && atLeast > 0 && atLeast <= 1))
    refuse('atLeast', atLeast, 'share', 'above 0, up to 1')
  if (!(typeof maxAgeDays === 'number' && maxAgeDays >= 0)) refuse('maxAgeDays', maxAgeDays, 'age', '0 or more days')
  if (!types.isDate(now) || Number.isNaN(now.getTime())) refuse('now', now, 'point in time', 'a Date')
}
