import { PROBE_CLASSES } from '../../../model/fixture.ts'
import type { Column, Leaderboard, LeaderboardModel, RateCell } from '../../format.ts'
import { cellView, UNPROBED, type CellView } from './cell-view.ts'
import { h, name } from './dom.ts'
import { amountFigure, badge, rateFigure } from './figures.ts'
import { isWhole } from './fixture-rows.ts'
import { hashOf, type State } from './state.ts'

/** The address of a model's section, or of a class in it; the rest of the view stays as it is. */
export function modelHref(key: string, state: State, initial: State, part = ''): string {
  return `#${hashOf({ ...state, model: key, part }, initial)}`
}

/** The row of a model. */
export function boardRow(
  board: Leaderboard,
  model: LeaderboardModel,
  columns: readonly Column[],
  state: State,
  initial: State,
): HTMLTableRowElement {
  const href = modelHref(model.key, state, initial)
  const head = h(
    'th',
    { scope: 'row', class: 'model' },
    h('a', { href, class: 'name' }, name(model.model, 48)),
    h('span', { class: 'provider' }, name(model.provider, 30)),
    ...modelBadges(model),
  )
  return h(
    'tr',
    {},
    head,
    ...columns.map((column) =>
      cellOf(cellView(board, model, column, state), {
        href: modelHref(model.key, state, initial, column.class),
        narrowed: !isWhole(state),
      }),
    ),
  )
}

/** What is to be known of a model as a whole. */
export function modelBadges(model: LeaderboardModel): HTMLElement[] {
  const measured = PROBE_CLASSES.flatMap((one) => model.classes[one] ?? [])
  return [
    ...(model.simulated ? [badge('simulated', 'simulated', 'No real model: its true rates are made up')] : []),
    ...(measured.some(({ complete }) => !complete)
      ? [badge('incomplete', 'incomplete', 'Something is missing in a result')]
      : []),
    ...(measured.some(({ stale }) => stale) ? [badge('stale', 'stale', 'Some of it was measured long ago')] : []),
  ]
}

function cellOf(
  { column, cell, blank, notes, discrepancies }: CellView,
  { href, narrowed }: { readonly href: string; readonly narrowed: boolean },
): HTMLTableCellElement {
  const figure =
    cell === null
      ? h('span', { class: blank === UNPROBED ? 'unprobed' : 'blank' }, blank)
      : 'value' in cell
        ? amountFigure(column, cell)
        : rateFigure(cell as RateCell)
  const marks = discrepancies.map(({ status, message }) => {
    const text = status === 'confirmed' ? 'differs' : 'may differ'
    return h(
      'a',
      { class: `badge ${status}`, href, title: message },
      text,
      h('span', { class: 'unseen' }, ' from claim'),
      // The figure beside it is of some of the fixtures, and may say otherwise.
      narrowed && ' over all fixtures',
    )
  })
  return h(
    'td',
    {},
    figure,
    notes.length > 0 && h('span', { class: 'notes' }, notes.join(' · ')),
    ...(marks.length > 0 ? [h('span', { class: 'marks' }, ...marks)] : []),
  )
}
