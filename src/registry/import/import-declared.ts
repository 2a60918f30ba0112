import { ProbeError } from '../../model/errors.ts'
import { CLAIM_FIELDS, type Claim, type ClaimField, type Claims, type DeclaredFile } from '../declared-format.ts'
import { isModelsList, readModelsList } from './models-list.ts'
import { isPriceMap, readPriceMap } from './price-map.ts'
import type { Entry, Reading } from './reading.ts'
import { newestOf, withClaim } from './claim-list.ts'

/** A claim that is another than the same source made before. */
export interface ChangedClaim {
  readonly modelKey: string
  readonly field: ClaimField
  readonly before: boolean | number
  readonly after: boolean | number
}

/** What an import did. */
export interface ImportSummary {
  readonly style: 'price_map' | 'models_list'
  /** Entries of the file, and those of them that are about models of the adapters’ providers. */
  readonly entries: number
  readonly read: number
  readonly passedOver: number
  /** What could not be read, and what an entry says otherwise than one before it about the same model. */
  readonly malformed: readonly string[]
  /** Models that were not in the declared layer. */
  readonly newModels: readonly string[]
  /** Claims that this source had not made before. */
  readonly newClaims: number
  readonly changed: readonly ChangedClaim[]
  /** Claims that stand as they did, as of the later of both days. */
  readonly confirmed: number
  /** Claims that the same source has made otherwise since: they are kept, and do not stand. */
  readonly older: readonly ChangedClaim[]
  /** Claims of new ones that another source contradicts. */
  readonly disputed: readonly ChangedClaim[]
}

/** Where a list comes from, and when it was read. */
export interface ImportSource {
  readonly file: string
  /** As it stands beside every claim. */
  readonly name: string
  /** UTC day. */
  readonly asOf: string
}

/**
 * Adds what a list claims to a declared layer. No claim is lost: one that the same source makes otherwise now is kept
 * behind the new one, and those of other sources stay as they are.
 * @param value a map of prices and contexts like LiteLLM's, or a list of models like OpenRouter's, as read from JSON.
 * @throws ProbeError `DECLARED_INVALID` when it is neither.
 */
export function importDeclared(
  declared: DeclaredFile,
  value: unknown,
  source: ImportSource,
): { readonly declared: DeclaredFile; readonly summary: ImportSummary } {
  const [style, reading] = readingOf(value, source.file)
  const models = new Map(Object.entries(declared.models))
  const tally = {
    newModels: [] as string[],
    changed: [] as ChangedClaim[],
    older: [] as ChangedClaim[],
    disputed: [] as ChangedClaim[],
  }
  const counts = { newClaims: 0, confirmed: 0 }
  const { merged, differing } = mergedByModel(reading.entries)
  for (const [modelKey, claims] of merged) {
    if (claims.size === 0) continue
    const before = models.get(modelKey)
    if (before === undefined) tally.newModels.push(modelKey)
    const after: Partial<Record<ClaimField, readonly Claim[]>> = { ...before }
    for (const [field, claimed] of claims) {
      const list: readonly Claim[] = before?.[field] ?? []
      const claim: Claim = { value: claimed, source: source.name, as_of: source.asOf, by: style }
      const own = newestOf(list, source.name)
      if (own === undefined) {
        counts.newClaims += 1
        const other = list.find((one) => one.value !== claimed)
        if (other !== undefined) tally.disputed.push({ modelKey, field, before: other.value, after: claimed })
      } else if (own.value === claimed) counts.confirmed += 1
      else if (own.as_of <= claim.as_of) tally.changed.push({ modelKey, field, before: own.value, after: claimed })
      else tally.older.push({ modelKey, field, before: claimed, after: own.value })
      after[field] = withClaim(list, claim, own)
    }
    models.set(modelKey, inOrder(after))
  }
  const sorted = [...models].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const { total, entries, passedOver, malformed } = reading
  return {
    declared: { ...declared, models: Object.fromEntries(sorted) },
    summary: {
      style,
      entries: total,
      read: entries.length,
      passedOver,
      malformed: [...malformed, ...differing],
      ...tally,
      ...counts,
    },
  }
}

function readingOf(value: unknown, file: string): [ImportSummary['style'], Reading] {
  if (isModelsList(value)) return ['models_list', readModelsList(value)]
  if (isPriceMap(value)) return ['price_map', readPriceMap(value)]
  throw new ProbeError('DECLARED_INVALID', 'is no list of models that can be read', {
    file,
    allowed: 'a map by model whose entries have litellm_provider, or { "data": [{ "id": … }] }',
  })
}

/** A list may hold one model under two names: what each of them says counts, and where they differ the first. */
function mergedByModel(entries: readonly Entry[]): {
  merged: Map<string, Map<ClaimField, Claim['value']>>
  differing: string[]
} {
  const merged = new Map<string, Map<ClaimField, Claim['value']>>()
  const differing: string[] = []
  for (const { modelKey, claims } of entries) {
    const known = merged.get(modelKey) ?? new Map<ClaimField, Claim['value']>()
    for (const [field, value] of claims) {
      const first = known.get(field)
      if (first === undefined) known.set(field, value)
      else if (first !== value) differing.push(`${modelKey}: ${field} ${value}, of which another entry says ${first}`)
    }
    merged.set(modelKey, known)
  }
  return { merged, differing }
}

function inOrder(claims: Partial<Record<ClaimField, readonly Claim[]>>): Claims {
  return Object.fromEntries(
    CLAIM_FIELDS.flatMap((field) => (claims[field] === undefined ? [] : [[field, claims[field]]])),
  ) as Claims
}
