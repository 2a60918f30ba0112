import { ProbeError } from '../../model/errors.ts'
import { CLAIM_FIELDS, type Claim, type ClaimField, type Claims, type DeclaredFile } from '../declared-format.ts'
import { isModelsList, readModelsList } from './models-list.ts'
import { isPriceMap, readPriceMap } from './price-map.ts'
import type { Entry, Reading } from './reading.ts'

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
  readonly malformed: readonly string[]
  /** Models that were not in the declared layer. */
  readonly newModels: readonly string[]
  /** Claims that this source had not made before. */
  readonly newClaims: number
  readonly changed: readonly ChangedClaim[]
  /** Claims that stand as they did, with a new date. */
  readonly confirmed: number
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
  const tally = { newModels: [] as string[], changed: [] as ChangedClaim[], disputed: [] as ChangedClaim[] }
  const counts = { newClaims: 0, confirmed: 0 }
  for (const { modelKey, claims } of distinct(reading.entries)) {
    if (claims.size === 0) continue
    const before = models.get(modelKey)
    if (before === undefined) tally.newModels.push(modelKey)
    const after: Partial<Record<ClaimField, readonly Claim[]>> = { ...before }
    for (const [field, claimed] of claims) {
      const list: readonly Claim[] = before?.[field] ?? []
      const claim: Claim = { value: claimed, source: source.name, as_of: source.asOf, by: style }
      const own = newest(list.filter((one) => one.source === source.name))
      const isLate = own !== undefined && own.as_of > source.asOf
      if (isLate && list.some((one) => one.source === source.name && one.value === claimed)) {
        // Of an older list nothing is new that this source has said before, or since.
        counts.confirmed += 1
        continue
      }
      if (isLate) counts.newClaims += 1
      else if (own === undefined) {
        counts.newClaims += 1
        const other = list.find((one) => one.value !== claimed)
        if (other !== undefined) tally.disputed.push({ modelKey, field, before: other.value, after: claimed })
      } else if (own.value === claimed) counts.confirmed += 1
      else tally.changed.push({ modelKey, field, before: own.value, after: claimed })
      const others = own?.value === claimed ? list.filter((one) => one !== own) : list
      after[field] = isLate ? [...list, claim] : [claim, ...others]
    }
    models.set(modelKey, inOrder(after))
  }
  const sorted = [...models].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const { total, entries, passedOver, malformed } = reading
  return {
    declared: { ...declared, models: Object.fromEntries(sorted) },
    summary: { style, entries: total, read: entries.length, passedOver, malformed, ...tally, ...counts },
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

function newest(claims: readonly Claim[]): Claim | undefined {
  return claims.toSorted((a, b) => (a.as_of > b.as_of ? -1 : Number(a.as_of < b.as_of)))[0]
}

/** A list may hold one model under two names: the first counts. */
function distinct(entries: readonly Entry[]): Entry[] {
  const seen = new Set<string>()
  return entries.filter(({ modelKey }) => !seen.has(modelKey) && seen.add(modelKey))
}

function inOrder(claims: Partial<Record<ClaimField, readonly Claim[]>>): Claims {
  return Object.fromEntries(
    CLAIM_FIELDS.flatMap((field) => (claims[field] === undefined ? [] : [[field, claims[field]]])),
  ) as Claims
}
