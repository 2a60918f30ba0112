import { ProbeError } from '../model/errors.ts'
import type { Credentials } from './provider.ts'

/** Where an address or a key was given, for the error about it. */
export interface Given {
  /** @default 'environment' */
  readonly file?: string
  readonly field: string
}

/**
 * The address of a server.
 * @param query false where an SDK appends its path to the whole address, so that a query or a fragment would swallow it.
 * @throws ProbeError `OPTION_INVALID` for what is none.
 */
export function addressOf(
  text: string,
  { file = 'environment', field, query = true }: Given & { readonly query?: boolean },
): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  // `fetch` takes no address with a password in it, and would show it in its error.
  const plain = url !== null && url.username === '' && url.password === '' && (query || url.search + url.hash === '')
  if (!plain || !/^https?:$/.test(url.protocol)) {
    throw new ProbeError('OPTION_INVALID', 'is not an address that can be used', {
      file,
      field,
      allowed: `an http or https address, without user${query ? ' and password' : ', password and query'}`,
    })
  }
  return url
}

/**
 * A key without the spaces around it; null for none.
 * @throws ProbeError `OPTION_INVALID` for one that no header can carry: it would only show up, whole, in the error of
 * the first call.
 */
export function keyOf(text: string | null, { file = 'environment', field }: Given): string | null {
  const key = text?.trim() || null
  if (key === null || /^[\x21-\x7e]+$/.test(key)) return key
  throw new ProbeError('OPTION_INVALID', 'holds characters that cannot be sent', {
    file,
    field,
    allowed: 'letters, digits and signs, without spaces or line breaks',
  })
}

/**
 * The key of a hosted provider.
 * @throws ProbeError `KEY_MISSING` where there is none, `OPTION_INVALID` for one that cannot be sent.
 */
export function requiredKey(provider: string, credentials: Credentials): string {
  const field = `${provider.toUpperCase()}_API_KEY`
  const key = keyOf(credentials.apiKey(provider), { field })
  if (key !== null) return key
  throw new ProbeError('KEY_MISSING', `${provider}/… needs a key in ${field}`, {
    file: 'environment',
    field,
    fix: `set ${field} to a key of ${provider}`,
  })
}
