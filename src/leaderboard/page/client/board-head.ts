import type { Column } from '../../format.ts'
import { button, h } from './dom.ts'
import type { State } from './state.ts'

type Sorting = Pick<State, 'sort' | 'reversed'>

/** The heads of the columns: each sorts by its column, and leads to its method. */
export function tableHead(columns: readonly Column[], sorting: Sorting, sortBy: (id: string) => void): HTMLElement {
  const model = head({ id: 'model', title: 'Model', meaning: 'Sort by name' }, sorting, false, sortBy)
  model.className = 'model'
  const heads = columns.map((column) => {
    const descends = (column.better === 'higher') !== sorting.reversed
    const cell = head(column, sorting, descends, sortBy)
    const label = `Method of ${column.title.toLowerCase()}`
    cell.append(h('a', { class: 'method', href: `#method-${column.id}`, 'aria-label': label }, 'method'))
    return cell
  })
  return h('tr', {}, model, ...heads)
}

function head(
  { id, title, meaning }: Pick<Column, 'title' | 'meaning'> & { id: string },
  sorting: Sorting,
  descends: boolean,
  sortBy: (id: string) => void,
): HTMLTableCellElement {
  const isSorted = sorting.sort === id
  const falls = id === 'model' ? sorting.reversed : descends
  const arrow = h('span', { class: 'arrow', 'aria-hidden': 'true' }, isSorted ? (falls ? '▼' : '▲') : '↕')
  const own = button({ id: `sort-${id}`, title: meaning }, () => sortBy(id), title, '\u00A0', arrow)
  return h('th', { scope: 'col', ...(isSorted && { 'aria-sort': falls ? 'descending' : 'ascending' }) }, own)
}
