import type { Source } from '../model/call.ts'
import type { Citation } from '../model/sample.ts'
import { addressesIn } from './addresses.ts'

/** Parameters that tell who sent the reader, not which page it is. */
const TRACKING = /^(utm_\w+|gclid|gbraid|wbraid|fbclid|msclkid|dclid|mc_cid|mc_eid|igshid|ref_src)$/i

/**
 * The distinct web addresses a reply cites: `native` where the provider attributes them to a search it ran, or where the
 * answer writes down what that search found; `text` where the model only wrote them. What was found and is neither
 * cited nor written is no citation. Addresses are normalised: scheme and host in lowercase, default port, fragment and
 * tracking parameters left out.
 */
export function citationsOf(text: string, sources: readonly Source[]): Citation[] {
  const found = new Set(sources.map(({ url }) => normalizeUrl(url)))
  const cited = sources.filter((source) => source.cited).map(({ url }) => url)
  const urls = new Set([...cited, ...addressesIn(text)].map(normalizeUrl).filter((url) => url !== null))
  return Array.from(urls, (url) => ({ url, kind: found.has(url) ? 'native' : 'text' }))
}

/** A web address in its normal form, or null when the text is none. */
export function normalizeUrl(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return null
  url.hash = ''
  url.username = ''
  url.password = ''
  // Cut out of the text as it is: what a list of parameters writes back is encoded another way.
  const parts = url.search.slice(1).split('&')
  url.search = parts.filter((part) => !TRACKING.test(part.split('=', 1)[0]!)).join('&')
  return url.href
}
