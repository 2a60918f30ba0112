import { addressOf, requiredKey } from '../endpoint.ts'
import type { Credentials } from '../provider.ts'

/** Where to call, and as whom. */
export interface GeminiSettings {
  readonly baseUrl: string
  readonly apiKey: string
}

const GOOGLE = 'https://generativelanguage.googleapis.com/'

/**
 * Address and key, checked before the first call.
 * @throws ProbeError `KEY_MISSING` without a key, `OPTION_INVALID` for what cannot be used.
 */
export function geminiSettings(credentials: Credentials): GeminiSettings {
  const given = credentials.baseUrl('gemini') ?? GOOGLE
  const url = addressOf(given, { field: 'GEMINI_BASE_URL', query: false })
  return { baseUrl: url.href, apiKey: requiredKey('gemini', credentials) }
}
