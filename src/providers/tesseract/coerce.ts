import { readDate, readTime } from './dates.ts'
import { isMark, readChoices, TICKED } from './marks.ts'
import { parseNumber } from './numbers.ts'
import type { Field } from './schema-fields.ts'
import { editDistance, tokenize } from './tokens.ts'
import { joinWords, type Word } from './words.ts'

/** What the words say as a value of the field, or undefined when they cannot be one. */
export function coerceWords(words: readonly Word[], field: Field): unknown {
  if (words.length === 0) return undefined
  const choices = readChoices(words)
  if (choices.length > 0) {
    if (field.kind === 'boolean') return coerceTicks(words)
    const ticked = choices.filter((choice) => choice.ticked).map((choice) => choice.text)
    if (field.kind === 'list') return ticked.map((text) => coerceItem(text, field))
    return ticked.length === 1 ? coerceText(ticked[0] ?? '', field) : undefined
  }
  return coerceText(joinWords(words), field)
}

/** Same for text without check boxes. */
function coerceText(text: string, field: Field): unknown {
  const clean = tidy(text)
  if (clean === '') return undefined
  switch (field.kind) {
    case 'number':
    case 'integer':
      return coerceNumber(clean, field)
    case 'boolean':
      return coerceBoolean(clean)
    case 'date':
      return readDate(clean, wantsDayFirst(field))?.date
    case 'date-time':
      return coerceDateTime(clean, wantsDayFirst(field))
    case 'time': {
      const read = readTime(clean)
      return read ? `${read.time}${read.zone || 'Z'}` : undefined
    }
    case 'choice':
      return closestOption(clean, field.options)
    case 'list':
      return clean
        .split(/\s*[,;•]\s*/)
        .filter((part) => part !== '')
        .map((part) => coerceItem(part, field))
    case 'const':
      return field.schema['const']
    case 'table':
      return undefined
    case 'string':
      return clean
  }
}

/**
 * The allowed value that the text means: equal but for case and punctuation, the only one that begins
 * with it (`M`), the only one it holds as words, or the nearest within a quarter of its letters.
 * Otherwise the text itself.
 */
function closestOption(text: string, options: readonly unknown[]): unknown {
  const said = tokenize(text).join(' ')
  const named = options.map((option) => ({ option, name: tokenize(String(option)).join(' ') }))
  const equal = named.find(({ name }) => name === said)
  if (equal) return equal.option
  const rules: ((name: string) => boolean)[] = [
    (name) => said !== '' && name.startsWith(said),
    (name) => name !== '' && ` ${said} `.includes(` ${name} `),
  ]
  for (const rule of rules) {
    const fits = named.filter(({ name }) => rule(name))
    if (fits.length === 1) return fits[0]?.option
  }
  const [nearest] = named
    .map(({ option, name }) => ({ option, distance: editDistance(name, said), allowed: Math.floor(name.length / 4) }))
    .filter(({ distance, allowed }) => distance <= allowed)
    .toSorted((a, b) => a.distance - b.distance)
  return nearest ? nearest.option : text
}

function coerceItem(text: string, field: Field): unknown {
  const item = field.items[0]
  return (item ? coerceText(text, item) : tidy(text)) ?? tidy(text)
}

function coerceNumber(text: string, field: Field): number | undefined {
  const value = parseNumber(text, { whole: field.kind === 'integer' })
  if (value === null || (field.kind === 'integer' && !Number.isInteger(value))) return undefined
  const most = field.schema['maximum']
  // A share that may not exceed 1 is asked for as a fraction, whatever the form prints.
  if (/^\S*\d\s?%/.test(text) && typeof most === 'number' && most <= 1) return value / 100
  return value
}

const YES = new Set(['yes', 'y', 'true', 'x', 'checked', 'ticked', 'on'])
const NO = new Set(['no', 'n', 'false', 'unchecked', 'off', 'none'])

function coerceBoolean(text: string): boolean | undefined {
  // Both answers side by side: the mark at one of them was not seen.
  if (/\b(?:yes\W+(?:\S{1,3}\s+)?no|no\W+(?:\S{1,3}\s+)?yes)\b/i.test(text)) return undefined
  const [first = ''] = text.toLowerCase().match(/\p{L}+|[✓✔]/gu) ?? []
  if (YES.has(first) || first === '✓' || first === '✔') return true
  return NO.has(first) ? false : undefined
}

/** A lone box, or the ticked one of Yes and No. */
function coerceTicks(words: readonly Word[]): boolean | undefined {
  const choices = readChoices(words)
  const answers = choices.flatMap((choice) => {
    const meaning = coerceBoolean(choice.text)
    return meaning === undefined ? [] : [{ ticked: choice.ticked, meaning }]
  })
  if (answers.length > 0) {
    const ticked = answers.filter((answer) => answer.ticked)
    return ticked.length === 1 ? ticked[0]?.meaning : undefined
  }
  const first = words[0]
  return isMark(first) ? first?.text === TICKED : undefined
}

function coerceDateTime(text: string, dayFirst: boolean): string | undefined {
  const read = readDate(text, dayFirst)
  if (!read) return undefined
  const time = readTime(read.rest.replace(/^[\s,T]*(?:at\s+)?/i, ''))
  // RFC 3339 needs a time and a zone; a form that prints none is read as midnight, UTC.
  return `${read.date}T${time?.time ?? '00:00:00'}${time?.zone || 'Z'}`
}

function wantsDayFirst(field: Field): boolean {
  return /\bDD[/. -]MM\b/i.test(String(field.schema['description'] ?? ''))
}

/** Takes off what the engine made of rules and box edges around a value. */
function tidy(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/^[\s|:_=—~]+/u, '')
    .replace(/[\s|_=—~]+$/u, '')
    .replace(/^([[({])(?![^\])}]*[\])}])\s*/u, (_, open: string) => (open === '(' ? '(' : ''))
    .trim()
}
