import type { Source } from '../model/call.ts'
import type { Citation } from '../model/sample.ts'

/** Parameters that tell who sent the reader, not which page it is. */
const TRACKING = /^(utm_\w+|gclid|gbraid|wbraid|fbclid|msclkid|dclid|mc_cid|mc_eid|igshid|ref_src)$/i
/** A URL in running text ends before what cannot stand in one, and before marks that only text has. */
const URL_IN_TEXT = /https?:\/\/[^\s<>"'`|\\^{}\u200b-\u200d\u2060\ufeff\ue200-\ue2ff]+/giu
/** Punctuation that closes a sentence or a markdown mark, in Latin and CJK texts. */
const CLOSING = /[.,;:!?*_~。，、；：！？…”’»」』】》]+$/u

/**
 * The distinct web addresses a reply cites: `native` where the provider attributes them to a search it ran, `text`
 * where the model only wrote them. An address that is both is native. Addresses are normalised: scheme and host in
 * lowercase, default port, fragment and tracking parameters left out.
 */
export function citationsOf(text: string, sources: readonly Source[]): Citation[] {
  const kinds = new Map<string, Citation['kind']>()
  for (const { url } of sources) add(kinds, url, 'native')
  for (const [found] of text.matchAll(URL_IN_TEXT)) add(kinds, trimmed(found), 'text')
  return [...kinds].map(([url, kind]) => ({ url, kind }))
}

/** A web address in its normal form, or null when the text is none. */
export function normalizeUrl(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return null
  url.hash = ''
  url.username = ''
  url.password = ''
  // A copy: what is deleted is skipped over by a live list.
  for (const name of Array.from(url.searchParams.keys())) if (TRACKING.test(name)) url.searchParams.delete(name)
  return url.href
}

function add(kinds: Map<string, Citation['kind']>, text: string, kind: Citation['kind']): void {
  const url = normalizeUrl(text)
  if (url !== null && !kinds.has(url)) kinds.set(url, kind)
}

/** Takes off what belongs to the sentence: closing punctuation, and brackets that were opened before the address. */
function trimmed(found: string): string {
  let url = found
  for (;;) {
    const shorter = withoutOpenBracket(url.replace(CLOSING, ''))
    if (shorter === url) return url
    url = shorter
  }
}

const BRACKETS: readonly (readonly [string, string])[] = [
  ['(', ')'],
  ['[', ']'],
  ['（', '）'],
]

function withoutOpenBracket(url: string): string {
  for (const [open, close] of BRACKETS) {
    if (url.endsWith(close) && url.split(close).length > url.split(open).length) return url.slice(0, -close.length)
  }
  // `[text](address)` runs on where a markdown link has no space after it.
  const link = url.indexOf('](')
  return link === -1 ? url : url.slice(0, link)
}
