import { isModelKey } from '../../model/model-key.ts'
import { isRecord } from '../../model/record.ts'
import { EntryReader, ownField, type Entry, type Reading } from './reading.ts'

/** Providers of such maps by the names that adapters have. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['openai', 'openai'],
  ['gemini', 'gemini'],
  ['anthropic', 'anthropic'],
  ['deepseek', 'deepseek'],
  ['xai', 'xai'],
  ['openrouter', 'openrouter'],
  ['deepinfra', 'deepinfra'],
  ['fireworks_ai', 'fireworks'],
  ['groq', 'groq'],
  ['together_ai', 'together'],
  ['mistral', 'mistral'],
  ['ollama', 'ollama'],
  ['ollama_chat', 'ollama'],
  ['hosted_vllm', 'vllm'],
  ['lm_studio', 'lmstudio'],
])

const MODES: readonly unknown[] = ['chat', 'responses', undefined]

/** An entry that documents the map, and is no model. */
const SPECIMEN = 'sample_spec'

/** Whether a value is a map of prices and contexts by model, as LiteLLM keeps one. */
export function isPriceMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && Object.values(value).some((entry) => isRecord(entry) && 'litellm_provider' in entry)
}

/** Reads such a map: of every model of a known provider what it says, and nothing of what it does not say. */
export function readPriceMap(map: Readonly<Record<string, unknown>>): Reading {
  const malformed: string[] = []
  const entries: Entry[] = []
  let passedOver = 0
  const named = Object.entries(map).filter(([name]) => name !== SPECIMEN)
  for (const [name, entry] of named) {
    if (!isRecord(entry)) {
      malformed.push(`${name}: is no object`)
      continue
    }
    const provider = ownField(entry, 'litellm_provider')
    const own = typeof provider === 'string' ? PROVIDERS.get(provider) : undefined
    if (own === undefined || !MODES.includes(ownField(entry, 'mode'))) {
      passedOver += 1
      continue
    }
    const prefix = `${String(provider)}/`
    const modelKey = `${own}/${name.startsWith(prefix) ? name.slice(prefix.length) : name}`
    if (isModelKey(modelKey)) entries.push({ modelKey, claims: claimsIn(entry, name, malformed) })
    else malformed.push(`${name}: cannot be the name of a model`)
  }
  return { total: named.length, entries, passedOver, malformed }
}

function claimsIn(entry: Readonly<Record<string, unknown>>, name: string, malformed: string[]): Entry['claims'] {
  const reader = new EntryReader(entry, name, malformed)
  reader.ability('structuredOutput', 'supports_response_schema')
  reader.ability('webSearch', 'supports_web_search')
  reader.ability('promptCaching', 'supports_prompt_caching')
  reader.ability('vision', 'supports_vision')
  reader.tokens('contextTokens', 'max_input_tokens')
  reader.tokens('maxOutputTokens', 'max_output_tokens')
  reader.price('inputUsdPerMTok', 'input_cost_per_token')
  reader.price('outputUsdPerMTok', 'output_cost_per_token')
  reader.price('cacheReadUsdPerMTok', 'cache_read_input_token_cost')
  reader.price('cacheWriteUsdPerMTok', 'cache_creation_input_token_cost')
  return reader.claims
}
