import { isModelKey } from '../../model/model-key.ts'
import { isRecord } from '../../model/record.ts'
import { EntryReader, ownField, type Entry, type Reading } from './reading.ts'

/** Whether a value is a list of models as OpenRouter's API answers with. */
export function isModelsList(value: unknown): value is { readonly data: readonly unknown[] } {
  if (!isRecord(value) || !Array.isArray(value['data'])) return false
  return value['data'].some((entry) => isRecord(entry) && typeof entry['id'] === 'string')
}

/**
 * Reads such a list. The parameters and modalities it names of a model are all there are: what is missing from them is
 * claimed not to be there.
 */
export function readModelsList({ data }: { readonly data: readonly unknown[] }): Reading {
  const malformed: string[] = []
  const entries: Entry[] = []
  for (const [position, entry] of data.entries()) {
    const id = isRecord(entry) ? ownField(entry, 'id') : undefined
    const modelKey = `openrouter/${String(id)}`
    if (!isRecord(entry) || typeof id !== 'string' || !isModelKey(modelKey))
      malformed.push(`data[${position}]: has no id that can be the name of a model`)
    else entries.push({ modelKey, claims: claimsIn(entry, id, malformed) })
  }
  return { total: data.length, entries, passedOver: 0, malformed }
}

function claimsIn(entry: Readonly<Record<string, unknown>>, id: string, malformed: string[]): Entry['claims'] {
  const reader = new EntryReader(entry, id, malformed)
  const parameters = reader.texts('supported_parameters')
  if (parameters !== null) {
    reader.claims.set('structuredOutput', parameters.includes('structured_outputs'))
    reader.claims.set('jsonMode', parameters.includes('response_format'))
  }
  const modalities = reader.texts('input_modalities', reader.record('architecture'))
  if (modalities !== null) reader.claims.set('vision', modalities.includes('image'))
  reader.tokens('contextTokens', 'context_length')
  reader.tokens('maxOutputTokens', 'max_completion_tokens', reader.record('top_provider'))
  const pricing = reader.record('pricing')
  reader.price('inputUsdPerMTok', 'prompt', pricing)
  reader.price('outputUsdPerMTok', 'completion', pricing)
  reader.price('cacheReadUsdPerMTok', 'input_cache_read', pricing)
  reader.price('cacheWriteUsdPerMTok', 'input_cache_write', pricing)
  if (ownField(pricing, 'input_cache_read') !== undefined && reader.claims.has('cacheReadUsdPerMTok'))
    reader.claims.set('promptCaching', true)
  return reader.claims
}
