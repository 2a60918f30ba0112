import type { ProbeClass } from '../../../model/fixture.ts'
import type { ClassRow, Leaderboard, LeaderboardModel } from '../../format.ts'
import { rateCell } from './cell-view.ts'
import { fileLink, h, long } from './dom.ts'
import { badge, rateFigure } from './figures.ts'
import { fixtureResults, type FixtureResult } from './fixture-rows.ts'
import { fixtureTable } from './fixture-table.ts'
import { ratesOf, RATE_TITLES } from './rate-titles.ts'
import { sampleView } from './sample-view.ts'
import { counted, countText, dayText, meanText, rangeText, timeText, usdText } from './words.ts'

const TITLES: Readonly<Record<ProbeClass, string>> = {
  schema: 'Structured output',
  grounding: 'Grounding',
  caching: 'Caching',
  image: 'Image input',
}

/** Where the section of a class begins. */
export function partId(probeClass: string): string {
  return `part-${probeClass}`
}

/** What was measured of a model in a class: rates, what contradicts claims, each fixture, and samples. */
export function classView(
  board: Leaderboard,
  model: LeaderboardModel,
  probeClass: ProbeClass,
  own: ClassRow,
): HTMLElement {
  const results = fixtureResults(board, model, probeClass, { domain: '', difficulty: '' })
  const samples = model.samples
    .filter((sample) => sample.class === probeClass)
    .map((sample) => ({ sample, element: sampleView(board, sample) }))
  return h(
    'section',
    { class: 'class' },
    h(
      'h3',
      { id: partId(probeClass), tabindex: -1 },
      TITLES[probeClass],
      ' ',
      h('span', { class: 'aside' }, `class ${probeClass}`),
    ),
    discrepanciesOf(board, model, probeClass),
    ratesView(board, { probeClass, results, mean: probeClass === 'schema' ? model.cells.values?.mean : undefined }),
    factsOf(board, own),
    fixtureTable({ board, probeClass, results, samples, title: TITLES[probeClass] }),
    h('h4', {}, 'Raw samples'),
    h('p', { class: 'aside' }, samplesText(board, samples.length, own)),
    ...samples.map(({ element }) => element),
  )
}

function samplesText({ samples: { perClass } }: Leaderboard, shown: number, own: ClassRow): string {
  const of = `${countText(shown)} of ${counted(own.samples, 'sample')} can be looked at here`
  return `${of}, at most ${perClass}, those that failed first. The result file has every one.`
}

interface Rates {
  readonly probeClass: ProbeClass
  readonly results: readonly FixtureResult[]
  /** Mean share of the values that are right. */
  readonly mean: number | undefined
}

function ratesView(board: Leaderboard, { probeClass, results, mean }: Rates): HTMLElement {
  const rates = ratesOf(board, probeClass).map((rate) => {
    const cell = rateCell(
      results.map(({ counts }) => counts(rate)),
      board.thinBelow,
    )
    const notes = cell === null ? [] : [`over samples ${rangeText(cell.ci95)}`]
    if (rate === 'values' && mean !== undefined) notes.push(meanText(mean))
    if (cell?.thin) notes.unshift(`too few: n < ${board.thinBelow}`)
    return h(
      'div',
      {},
      h('dt', {}, RATE_TITLES[rate] ?? rate),
      h(
        'dd',
        {},
        cell === null ? 'no sample counts' : rateFigure(cell),
        h('span', { class: 'notes' }, notes.join(' · ')),
      ),
    )
  })
  return h('dl', { class: 'rates' }, ...rates)
}

function factsOf(board: Leaderboard, own: ClassRow): HTMLElement {
  const { date, oldestDate, ageDays, stale, complete, samples, unscored, rungs, latencyMs, costUsd, files } = own
  const days = dayText(date) === dayText(oldestDate) ? dayText(date) : `${dayText(oldestDate)} to ${dayText(date)}`
  const rows: readonly (readonly [string, ...(Node | string)[]])[] = [
    ['Measured', `${days}, ${counted(ageDays, 'day')} old${stale ? ': stale' : ''}`],
    ['Samples', `${countText(samples)}${unscored > 0 ? `, ${countText(unscored)} of them not scored` : ''}`],
    ['Result', complete ? 'complete' : 'incomplete: some of what was asked for is missing'],
    ['Served', rungsText(rungs)],
    ['Cost', usdText(costUsd)],
    ...(latencyMs === null
      ? []
      : ([['Latency', `median ${timeText(latencyMs.p50)}, 90% within ${timeText(latencyMs.p90)}`]] as const)),
    ['Files', ...files.flatMap((at, index) => [index > 0 ? ', ' : '', fileLink(board.files[at]!)])],
  ]
  return h(
    'dl',
    { class: 'facts' },
    ...rows.map(([title, ...told]) =>
      h('div', title === 'Files' ? { class: 'wide' } : {}, h('dt', {}, title), h('dd', {}, ...told)),
    ),
  )
}

function rungsText({ native, json_mode: coached }: ClassRow['rungs']): string {
  const parts = [
    ...(native > 0 ? [`${countText(native)} with the schema enforced`] : []),
    ...(coached > 0 ? [`${countText(coached)} with the schema in the prompt`] : []),
  ]
  return parts.length === 0 ? 'as text' : parts.join(', ')
}

function discrepanciesOf(board: Leaderboard, model: LeaderboardModel, probeClass: ProbeClass): HTMLElement | null {
  const own = model.discrepancies.filter((one) => one.class === probeClass)
  if (own.length === 0) return null
  const items = own.map(({ kind, status, message, files }) =>
    h(
      'li',
      { class: `discrepancy ${status}` },
      badge(status, status),
      ' ',
      h('code', {}, kind),
      h('p', {}, long(message, 600)),
      h(
        'p',
        { class: 'aside' },
        'Shown by ',
        ...files.flatMap((at, index) => [index > 0 ? ', ' : '', fileLink(board.files[at]!)]),
      ),
    ),
  )
  return h('div', {}, h('h4', {}, 'Claims that do not fit'), h('ul', { class: 'discrepancies' }, ...items))
}
