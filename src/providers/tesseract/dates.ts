const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH = `(?<month>(?:${MONTHS.join('|')})\\p{L}*)\\.?`
const GAP = '[\\s,./-]*'
const ORDINAL = '(?:st|nd|rd|th|\\.)?'
const YEAR = "(?<year>\\d{4}|['’]?\\d{2})(?!\\d)"

const YEAR_FIRST = /^(?<year>\d{4})\s?(?<sep>[-/.])\s?(?<month>\d{1,2})\s?\k<sep>\s?(?<day>\d{1,2})(?!\d)/
const COMPACT = /^(?<year>(?:19|20)\d{2})(?<month>\d{2})(?<day>\d{2})(?!\d)/
const NUMERIC = /^(?<a>\d{1,2})\s?(?<sep>[-/. ])\s?(?<b>\d{1,2})\s?\k<sep>\s?(?<year>\d{4}|\d{2})(?!\d)/
const DAY_NAME = new RegExp(`^(?<day>\\d{1,2})${ORDINAL}${GAP}(?:of\\s+)?${MONTH}${GAP}${YEAR}`, 'iu')
const NAME_DAY = new RegExp(`^${MONTH}${GAP}(?<day>\\d{1,2})${ORDINAL}[\\s,./-]+${YEAR}`, 'iu')
const YEAR_NAME = new RegExp(`^(?<year>\\d{4})${GAP}${MONTH}${GAP}(?<day>\\d{1,2})(?!\\d)`, 'iu')
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)\p{L}*[.,]?\s+/iu

/** A date read off the front of a text, and what follows it. */
export interface DateReading {
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly rest: string
}

/**
 * Reads the date that `text` begins with. In `a/b/year` the month comes first, unless `dayFirst` is
 * set or `a` is over 12; with dots, dashes or spaces the day comes first, unless `b` is over 12. A year
 * of two digits lies in 1970 to 2069. Days that do not exist are no dates.
 */
export function readDate(text: string, dayFirst = false): DateReading | null {
  const plain = text.trim().replace(WEEKDAY, '')
  for (const pattern of [YEAR_FIRST, COMPACT, DAY_NAME, NAME_DAY, YEAR_NAME]) {
    const match = pattern.exec(plain)
    if (!match?.groups) continue
    const { year = '', month = '', day = '' } = match.groups
    return reading(fullYear(year), monthNumber(month), Number(day), plain.slice(match[0].length))
  }
  const match = NUMERIC.exec(plain)
  if (!match?.groups) return null
  const { a = '', b = '', sep = '', year = '' } = match.groups
  const [first, second] = [Number(a), Number(b)]
  const monthFirst = sep === '/' && !dayFirst ? first <= 12 : second > 12
  const [month, day] = monthFirst ? [first, second] : [second, first]
  return reading(fullYear(year), month, day, plain.slice(match[0].length))
}

/**
 * Reads the time of day that `text` begins with: `14:30`, `14.30`, `2:30 pm`, `9 am`, with seconds and
 * a zone where printed. Gives `HH:MM:SS`, then the zone or nothing.
 */
export function readTime(text: string): { time: string; zone: string } | null {
  const match =
    /^(?<h>\d{1,2})(?:\s?[:.h]\s?(?<m>\d{2})(?::(?<s>\d{2}))?)?\s?(?<half>[ap]\.?\s?m\b)?\.?\s?(?<zone>Z\b|UTC\b|GMT\b|[+-]\d{2}:\d{2})?/i.exec(
      text.trim(),
    )
  if (!match?.groups) return null
  const { h = '', m, s, half, zone } = match.groups
  if (m === undefined && half === undefined) return null
  const hours = half === undefined ? Number(h) : (Number(h) % 12) + (/^p/i.test(half) ? 12 : 0)
  if (hours > 23 || Number(m ?? 0) > 59 || Number(s ?? 0) > 59) return null
  const time = [hours, Number(m ?? 0), Number(s ?? 0)].map((part) => String(part).padStart(2, '0')).join(':')
  return { time, zone: zone === undefined ? '' : /^[+-]/.test(zone) ? zone : 'Z' }
}

function reading(year: number, month: number, day: number, rest: string): DateReading | null {
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (!(month >= 1 && month <= 12) || day < 1 || day > days) return null
  const date = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return { date, rest }
}

function fullYear(printed: string): number {
  const year = Number(printed.replace(/\D/g, ''))
  if (printed.length >= 4) return year
  return year < 70 ? 2000 + year : 1900 + year
}

function monthNumber(printed: string): number {
  return /^\d/.test(printed) ? Number(printed) : MONTHS.indexOf(printed.slice(0, 3).toLowerCase()) + 1
}
