import type { Leaderboard, LeaderboardModel } from '../../format.ts'
import { tableHead } from './board-head.ts'
import { boardRow } from './board-row.ts'
import { chosenModels, columnsOf, isMeasured, mixOf, sortingOf } from './choose.ts'
import { button, byId, h } from './dom.ts'
import type { State } from './state.ts'
import { counted, countText } from './words.ts'

/** So many rows are made at once. */
const AT_ONCE = 100
/** Of more models so many at first: nobody looks at a thousand, and it is rows that take time. */
const AT_FIRST = 25

/** The table of all models. */
export class BoardView {
  readonly element = h('div', { class: 'board' })
  readonly #board: Leaderboard
  readonly #initial: State
  readonly #change: (part: Partial<State>) => void
  readonly #table = h('table', { class: 'models' })
  readonly #head = h('thead')
  readonly #body = h('tbody')
  readonly #told = h('p', { role: 'status', class: 'told' })
  readonly #region = h('div', { class: 'scroll', role: 'region', 'aria-labelledby': 'caption', tabindex: 0 })
  readonly #more = h('p', { class: 'rows' })
  #state: State
  #models: readonly LeaderboardModel[] = []
  #shown = 0

  constructor(board: Leaderboard, initial: State, change: (part: Partial<State>) => void) {
    this.#board = board
    this.#initial = initial
    this.#state = initial
    this.#change = change
    const caption = h('caption', { id: 'caption' }, 'What was measured of each model')
    this.#table.append(caption, this.#head, this.#body)
    this.#region.append(this.#table)
    this.element.append(this.#told, this.#region, this.#more)
  }

  /** Shows what is chosen. */
  show(state: State): void {
    this.#state = state
    this.#models = chosenModels(this.#board, state)
    const focused = document.activeElement?.id ?? ''
    const columns = columnsOf(this.#board, state)
    this.#table.style.setProperty('--columns', String(columns.length))
    const sorting = sortingOf(this.#board, state)
    const sortBy = (id: string): void => this.#change({ sort: id, reversed: sorting.sort === id && !sorting.reversed })
    this.#head.replaceChildren(tableHead(columns, sorting, sortBy))
    // A class that was chosen meanwhile may not have the column.
    if (focused.startsWith('sort-')) document.getElementById(focused)?.focus()
    this.#body.replaceChildren()
    this.#shown = 0
    this.showRows(this.#models.length > AT_ONCE ? AT_FIRST : AT_ONCE)
    this.#bringIntoView()
    byId('mix').textContent = mixOf(this.#board, this.#models, state).text
  }

  /** On a narrow screen the column that the table is sorted by may be out of sight. */
  #bringIntoView(): void {
    const [model, ...heads] = this.#head.querySelectorAll('th')
    const sorted = heads.find((head) => head.hasAttribute('aria-sort'))
    if (model === undefined || sorted === undefined) return
    const { scrollLeft, clientWidth } = this.#region
    const [left, right] = [sorted.offsetLeft - model.offsetWidth, sorted.offsetLeft + sorted.offsetWidth]
    if (left < scrollLeft || right > scrollLeft + clientWidth) this.#region.scrollLeft = left
  }

  /** Shows so many more of the rows. */
  showRows(count: number): void {
    const columns = columnsOf(this.#board, this.#state)
    const next = this.#models.slice(this.#shown, this.#shown + count)
    this.#body.append(...next.map((model) => boardRow(this.#board, model, columns, this.#state, this.#initial)))
    this.#shown += next.length
    this.#tell()
  }

  #tell(): void {
    const total = this.#models.length
    const measured = this.#models.filter((model) => isMeasured(this.#board, model, this.#state)).length
    const { sort } = sortingOf(this.#board, this.#state)
    const column = this.#board.columns.find(({ id }) => id === sort)
    const left = total - this.#shown
    this.#told.textContent =
      total === 0
        ? 'No model is like that.'
        : `${counted(total, 'model')}, ${countText(measured)} of them measured, sorted by ` +
          `${column?.title.toLowerCase() ?? 'name'}${left > 0 ? `; the first ${countText(this.#shown)} are shown` : ''}.`
    this.#more.hidden = left === 0
    this.#more.replaceChildren(
      button({}, () => this.showRows(AT_ONCE), `Show ${countText(Math.min(left, AT_ONCE))} more`),
      ' ',
      button({}, () => this.showRows(left), `Show all ${countText(total)}`),
    )
  }
}
