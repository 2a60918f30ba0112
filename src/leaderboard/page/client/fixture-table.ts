import type { ProbeClass } from '../../../model/fixture.ts'
import type { Leaderboard, ShownSample } from '../../format.ts'
import { rateCell } from './cell-view.ts'
import { button, h, name } from './dom.ts'
import { rateFigure } from './figures.ts'
import type { FixtureResult } from './fixture-rows.ts'
import { ratesOf, RATE_TITLES } from './rate-titles.ts'
import { counted, countText, timeText, usdText } from './words.ts'

interface Table {
  readonly board: Leaderboard
  readonly probeClass: ProbeClass
  readonly results: readonly FixtureResult[]
  readonly samples: readonly { readonly sample: ShownSample; readonly element: HTMLDetailsElement }[]
  readonly title: string
}

/** What each fixture came to. */
export function fixtureTable({ board, probeClass, results, samples, title }: Table): HTMLElement {
  const rates = ratesOf(board, probeClass)
  const few = results.some(({ scored }) => scored < board.thinBelow)
  const caption = h('caption', { id: `caption-${probeClass}` }, `${title}, by fixture`)
  const heads = ['Fixture', ...rates.map((rate) => RATE_TITLES[rate] ?? rate), 'Cost', 'Latency', 'Samples']
  const rows = results.map((result) => {
    const own = samples.filter(({ sample }) => sample.fixture === result.at)
    return h(
      'tr',
      {},
      fixtureHead(result),
      ...rates.map((rate) => rateCellOf(board, result, rate)),
      h('td', {}, usdText(result.costUsd)),
      h('td', {}, result.latencyMs === null ? '–' : timeText(result.latencyMs)),
      h(
        'td',
        {},
        h('span', {}, countText(result.scored)),
        result.unscored > 0 && h('span', { class: 'notes' }, `and ${countText(result.unscored)} not scored`),
        own.length > 0 &&
          button({ class: 'look' }, () => look(own[0]!.element), lookText(own.length, result.fixture.id)),
      ),
    )
  })
  const head = h('thead', {}, h('tr', {}, ...heads.map((text) => h('th', { scope: 'col' }, text))))
  const reason = `Grey in what follows: fewer than ${board.thinBelow} samples of a fixture, too few to tell fixtures apart.`
  return h(
    'div',
    {},
    few && h('p', { class: 'aside' }, reason),
    h(
      'div',
      { class: 'scroll', role: 'region', 'aria-labelledby': `caption-${probeClass}`, tabindex: 0 },
      h('table', { class: 'fixtures' }, caption, head, h('tbody', {}, ...rows)),
    ),
  )
}

function fixtureHead({ fixture: { id, domain, difficulty, family, source } }: FixtureResult): HTMLElement {
  const tags = [domain, difficulty, family].flatMap((tag, index) => [index > 0 ? ' · ' : '', name(tag, 30)])
  return h(
    'th',
    { scope: 'row' },
    name(id),
    h('span', { class: 'provider' }, ...tags),
    source !== undefined && h('span', { class: 'provider' }, 'from ', name(source.replace(/^contributed:\s*/, ''))),
  )
}

function rateCellOf(board: Leaderboard, { counts }: FixtureResult, rate: string): HTMLElement {
  const cell = rateCell([counts(rate)], board.thinBelow)
  if (cell === null) return h('td', {}, h('span', { class: 'blank' }, 'no sample counts'))
  // Within one fixture samples are independent: Wilson is the interval.
  return h('td', {}, rateFigure({ ...cell, clusterCi95: cell.ci95 }))
}

function lookText(count: number, id: string): HTMLElement {
  return h(
    'span',
    {},
    `look at ${count}`,
    h('span', { class: 'unseen' }, ` ${counted(count, 'sample')} of ${id.slice(0, 80)}`),
  )
}

function look(details: HTMLDetailsElement): void {
  details.open = true
  details.querySelector('summary')!.focus()
}
