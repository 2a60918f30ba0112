const SIGN = '[-+−–]'
const CURRENCY = '(?:[$€£¥₹₽₩]|\\p{L}{1,3}[$.]?(?=[\\s\\d$€£¥(+−-]))'
const DIGITS = "\\d[\\dOol.,'’\\u00a0\\u202f]*(?:[ \\u00a0]\\d{3}(?!\\d)[\\d.,]*)*|[.,]\\d+"
const NUMBER = new RegExp(
  `^(?<open>\\()?\\s*(?<sign>${SIGN})?\\s*(?:${CURRENCY})?\\s*(?<open2>\\()?(?<sign2>${SIGN})?\\s*(?:[$€£¥₹])?\\s*` +
    `(?<digits>${DIGITS})(?<rest>.*)$`,
  'su',
)

/** How a printed number is read. */
export interface NumberReading {
  /** A whole number is asked for: a lone separator before three digits then parts thousands. */
  readonly whole: boolean
}

/**
 * Reads the number that `text` begins with: signs of currency or a code of up to three letters before
 * it, a unit or per cent sign after it, negatives as `-5`, `5-` or `(5)`.
 *
 * Separators: of two kinds the last is the decimal one; one that repeats parts thousands; a single
 * comma before exactly three digits parts thousands (`1,250`), a single dot does not (`1.250`) unless
 * a whole number is asked for; spaces and apostrophes part thousands. Null when there is no number,
 * or when it is a piece of a date, a time or a code.
 */
export function parseNumber(text: string, reading: NumberReading): number | null {
  const match = NUMBER.exec(text.trim())
  const groups = match?.groups
  if (!groups) return null
  const { digits = '', rest = '' } = groups
  const trimmed = digits.replace(/[.,'’\s]+$/u, '')
  const after = digits.slice(trimmed.length) + rest
  if (/^\s?[-/:.]\s?\d|^\p{L}*\d/u.test(after.replace(/^[.,](?=\s)/, ''))) return null
  const value = Number(plainDigits(trimmed.replace(/[Oo]/g, '0').replace(/l/g, '1'), reading.whole))
  if (!Number.isFinite(value)) return null
  const bracketed = (groups['open'] ?? groups['open2']) !== undefined && /^\s*\)/.test(after)
  const signed = /[-−–]/.test(`${groups['sign'] ?? ''}${groups['sign2'] ?? ''}`)
  const trailing = /^\s?[-−–](?=\s|$)/.test(after)
  return bracketed || signed || trailing ? 0 - value : value
}

/** Digits with a dot before the decimals and nothing else. */
function plainDigits(printed: string, whole: boolean): string {
  const digits = printed.replace(/[\s'’\u00a0\u202f]/gu, '')
  const separators = digits.match(/[.,]/g) ?? []
  const last = separators.at(-1)
  if (last === undefined) return digits
  const decimals = digits.slice(digits.lastIndexOf(last) + 1)
  const kinds = new Set(separators).size
  const thousands =
    kinds === 1 &&
    (separators.length > 1 || (decimals.length === 3 && (last === ',' || whole) && !/^0?[.,]/.test(digits)))
  if (thousands) return digits.replace(/[.,]/g, '')
  const at = digits.lastIndexOf(last)
  return `${digits.slice(0, at).replace(/[.,]/g, '')}.${decimals}`
}
