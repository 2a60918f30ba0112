/**
 * An address in running text ends before what cannot stand in one, and before marks that only text has: quotation marks,
 * and the full stops and brackets of CJK texts, which are not set off by spaces.
 */
const ADDRESS =
  /https?:\/\/[^\s<>"'`|\\^{}\u200b-\u200d\u2060\ufeff\ue200-\ue2ff\u201c-\u201f\u00ab\u00bb。、；！？「」『』【】《》〈〉]+/giu
/** CJK marks that titles hold too: they end an address that has no letters of such a script before them. */
const AFTER_ASCII = /^([\x21-\x7e]+)[，：（）].*$/u
/** What ends an address where text is written as HTML. */
const ENTITY_OF_TEXT = /&(lt|gt|quot|apos|nbsp|#3[49]|#6[02]|#160|#x2[27]|#x3[ce]|#xa0);.*$/i
const AMPERSAND = /&(amp|#38|#x26);/gi
/** Punctuation that closes a sentence or a markdown mark, in Latin and CJK texts. */
const CLOSING = /[.,;:!?*_~，：…’]+$/u
/** A footnote behind an address: `[1]`, or what is left of `[^1]`. */
const FOOTNOTE = /\[(\d{1,3}\])?$/

const BRACKETS: readonly (readonly [string, string])[] = [
  ['(', ')'],
  ['[', ']'],
  ['（', '）'],
]

/** The web addresses that stand in a text, as they are meant there. */
export function addressesIn(text: string): string[] {
  return Array.from(text.matchAll(ADDRESS), ([found]) => trimmed(unescaped(found.replace(AFTER_ASCII, '$1'))))
}

/** An address as it reads where text was written as HTML. */
function unescaped(found: string): string {
  return found.replace(ENTITY_OF_TEXT, '').replaceAll(AMPERSAND, '&')
}

/** Takes off what belongs to the sentence: closing punctuation, footnotes, and brackets that were opened before it. */
function trimmed(found: string): string {
  let url = found
  for (;;) {
    const shorter = withoutOpenBracket(url.replace(CLOSING, '').replace(FOOTNOTE, ''))
    if (shorter === url) return url
    url = shorter
  }
}

function withoutOpenBracket(url: string): string {
  for (const [open, close] of BRACKETS) {
    if (url.endsWith(close) && url.split(close).length > url.split(open).length) return url.slice(0, -close.length)
  }
  // `[text](address)` runs on where a markdown link has no space after it.
  const link = url.indexOf('](')
  return link === -1 ? url : url.slice(0, link)
}
