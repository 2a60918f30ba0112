import { ProbeError } from '../../model/errors.ts'
import { addressOf, keyOf } from '../endpoint.ts'
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
  const apiKey = keyOf(credentials.apiKey('gemini'), { field: 'GEMINI_API_KEY' })
  if (apiKey !== null) return { baseUrl: url.href, apiKey }
  throw new ProbeError('KEY_MISSING', 'gemini/… needs a key', {
    file: 'environment',
    field: 'GEMINI_API_KEY',
    fix: 'set GEMINI_API_KEY to a key of the Gemini API',
  })
}
