// General abbreviations and equals of printed labels. Nothing here comes from a particular form.
const SAME: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '#': 'number',
    no: 'number',
    nr: 'number',
    num: 'number',
    qty: 'quantity',
    amt: 'amount',
    tel: 'phone',
    telephone: 'phone',
    id: 'identifier',
    dept: 'department',
    acct: 'account',
    wt: 'weight',
    sum: 'total',
    gender: 'sex',
    vat: 'tax',
    pct: 'percent',
    '%': 'percent',
  }),
)

const SAME_PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bd\.?o\.?b\b\.?/g, 'date of birth'],
  [/\bbirth ?dates?\b/g, 'date of birth'],
  [/\b(?:surname|family name)\b/g, 'last name'],
  [/\b(?:forename|given name)s?\b/g, 'first name'],
  [/\b(?:zip code|zip|post ?code|postcode)\b/g, 'postal code'],
  [/\bp\.?o\.? (?=(?:no|nr|num|number|date)\b|#)/g, 'purchase order '],
  [/\be-? ?mail\b/g, 'email'],
]

// Words that carry no meaning of their own in a label, and words that many labels share.
const FILLERS = new Set('a an and at by for from in is of on or per please the this to your with as'.split(' '))
const WEAK = new Set('number identifier code name date time amount value type'.split(' '))

/** Words of a label or of a property name (`camelCase`, `snake_case`), in lower case and common spelling. */
export function tokenize(text: string): string[] {
  let plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/№/g, ' # ')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replace(/_/g, ' ')
  for (const [phrase, common] of SAME_PHRASES) plain = plain.replace(phrase, common)
  return (plain.match(/[\p{L}\p{N}]+|[#%]/gu) ?? []).map((token) => SAME.get(token) ?? singular(token))
}

function singular(token: string): string {
  return token.length > 3 && token.endsWith('s') && !token.endsWith('ss') ? token.slice(0, -1) : token
}

/** True for words like `of` and `the`. */
export function isFiller(token: string): boolean {
  return FILLERS.has(token)
}

/** How much a word says: fillers little, words that many labels share less than others. */
export function tokenWeight(token: string): number {
  if (FILLERS.has(token)) return 0.15
  return WEAK.has(token) ? 0.6 : 1
}

/**
 * Likeness of two words, 0 to 1: equal, off by a letter or two in a long word (the engine misread
 * it), or one a beginning of the other (`desc`). Short words and words with digits must be equal.
 */
export function tokenLikeness(a: string, b: string): number {
  if (a === b) return 1
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (/\d/.test(a) || /\d/.test(b) || short.length < 3) return 0
  if (long.startsWith(short)) return 0.8
  const allowed = long.length >= 11 ? 2 : long.length >= 5 ? 1 : 0
  if (long.length - short.length > allowed || allowed === 0) return 0
  const distance = editDistance(a, b)
  return distance <= allowed ? 1 - 0.1 * distance : 0
}

/** Fewest single-letter insertions, deletions and replacements from `a` to `b`. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(replace, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
