import { ownOf } from '../../../model/own.ts'
import { printable } from '../../../model/printable.ts'
import type { LeaderboardModel } from '../../format.ts'
import { h, long } from './dom.ts'
import { countText, dayText, usdText } from './words.ts'

type Declared = NonNullable<LeaderboardModel['declared']>

const ABILITIES = {
  structuredOutput: 'Structured output',
  jsonMode: 'JSON mode',
  webSearch: 'Web search',
  promptCaching: 'Prompt caching',
  vision: 'Image input',
} as const

const AMOUNTS = {
  contextTokens: 'Context',
  maxOutputTokens: 'Most output',
  inputUsdPerMTok: 'Input',
  outputUsdPerMTok: 'Output',
  cacheReadUsdPerMTok: 'Cache read',
  cacheWriteUsdPerMTok: 'Cache write',
} as const

/** What is claimed of a model: claims, and no measurements. */
export function declaredView(declared: Declared | null): HTMLElement {
  const head = h('h3', {}, 'Declared')
  if (declared === null) return h('section', {}, head, h('p', {}, 'No claim is on record.'))
  const disputed = (field: string) => (declared.disputed?.includes(field) ? ' (sources differ)' : '')
  const abilities = entriesOf(ABILITIES).flatMap(([field, title]) => {
    const value = declared[field]
    return value === undefined ? [] : [[title, (value ? 'declared' : 'declared not to be there') + disputed(field)]]
  })
  const amounts = entriesOf(AMOUNTS).flatMap(([field, title]) => {
    const value = declared[field]
    if (value === undefined) return []
    const text = field.endsWith('Tokens') ? `${countText(value)} tokens` : `${usdText(value)} per million tokens`
    return [[title, text + disputed(field)]]
  })
  const rows = [...abilities, ...amounts].map(([title, text]) => h('div', {}, h('dt', {}, title!), h('dd', {}, text!)))
  const sources = declared.sources.map(({ source, as_of, fields }) =>
    h('li', {}, `${fields.map(titleOf).join(', ')}: `, long(source, 120), `, ${dayText(as_of)}`),
  )
  return h(
    'section',
    {},
    head,
    h('p', { class: 'aside' }, 'What the sources below claim. These are no measurements.'),
    h('dl', { class: 'facts' }, ...rows),
    h('ul', { class: 'sources' }, ...sources),
  )
}

function titleOf(field: string): string {
  return ownOf<string>({ ...ABILITIES, ...AMOUNTS }, field) ?? printable(field).slice(0, 40)
}

function entriesOf<T extends object>(table: T): [keyof T & string, string][] {
  return Object.entries(table) as [keyof T & string, string][]
}
