import { wires, type Wire } from '../wire.ts'

/** Generations before this one are billed by the prompt. */
const BILLED_BY_QUERY = 3

/**
 * Searches that Google bills for a reply to a request that allowed them: up to Gemini 2.5 one for a prompt that was
 * grounded, however many queries that took; from Gemini 3 on each distinct query that is not empty
 * (ai.google.dev/gemini-api/docs/google-search and /pricing, as quoted in September 2026). No reply says the figure.
 * @param metadata `groundingMetadata`; lists that are empty are left out of it.
 * @param model as the reply names it. A name without a generation is billed by the query, which is never less.
 */
export function billedSearches(metadata: Wire, model: string | null): number {
  const told = Array.isArray(metadata['webSearchQueries']) ? metadata['webSearchQueries'] : []
  const queries = new Set(told.filter((query) => typeof query === 'string' && query.trim() !== ''))
  const grounded = queries.size > 0 || wires(metadata['groundingChunks']).length > 0 ? 1 : 0
  const generation = /\bgemini-(\d+)\b/.exec(model ?? '')?.[1]
  if (generation !== undefined && Number(generation) < BILLED_BY_QUERY) return grounded
  return Math.max(queries.size, grounded)
}
