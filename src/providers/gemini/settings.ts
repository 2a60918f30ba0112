import { ProbeError } from '../../model/errors.ts'
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
  return { baseUrl: addressOf(credentials), apiKey: keyOf(credentials) }
}

function addressOf(credentials: Credentials): string {
  const given = credentials.baseUrl('gemini') ?? GOOGLE
  const url = URL.canParse(given) ? new URL(given) : null
  // `fetch` takes no address with a password in it, and would show it in its error; the SDK appends its path to the
  // whole address, so that a query or a fragment would swallow it.
  const plain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === ''
  if (plain && /^https?:$/.test(url.protocol)) return url.href
  throw new ProbeError('OPTION_INVALID', 'is not an address that can be used', {
    file: 'environment',
    field: 'GEMINI_BASE_URL',
    allowed: 'an http or https address, without user, password and query',
  })
}

/** A key that no header can carry would only show up, whole, in the error of the first call. */
function keyOf(credentials: Credentials): string {
  const key = credentials.apiKey('gemini')?.trim() ?? ''
  if (key === '') {
    throw new ProbeError('KEY_MISSING', 'gemini/… needs a key', {
      file: 'environment',
      field: 'GEMINI_API_KEY',
      fix: 'set GEMINI_API_KEY to a key of the Gemini API',
    })
  }
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new ProbeError('OPTION_INVALID', 'holds characters that cannot be sent', {
    file: 'environment',
    field: 'GEMINI_API_KEY',
    allowed: 'letters, digits and signs, without spaces or line breaks',
  })
}
