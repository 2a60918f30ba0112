import './style/base.css'
import './style/table.css'
import './style/model.css'
import './style/print.css'
import { BoardView } from './board-view.ts'
import { modelHref } from './board-row.ts'
import { mixOf } from './choose.ts'
import { partId } from './class-view.ts'
import { Controls } from './controls.ts'
import { carried } from './data.ts'
import { byId, h } from './dom.ts'
import { modelView } from './model-view.ts'
import { hashOf, initialState, stateOf, type State } from './state.ts'

const TITLE = document.title

async function start(): Promise<void> {
  const board = await carried()
  const initial = initialState(board)
  let state = stateOf(location.hash, initial, board.columns) ?? initial
  let last = ''

  const change = (part: Partial<State>): void => {
    state = { ...state, ...part }
    const hash = hashOf(state, initial)
    // Replaced: a step back leaves the table, and does not undo one filter after the other.
    history.replaceState(null, '', hash === '' ? location.pathname + location.search : `#${hash}`)
    show()
  }
  const controls = new Controls(board, change, () => change({ ...initial, theme: state.theme }))
  const table = new BoardView(board, initial, change)
  byId('board').append(controls.element, table.element)

  const show = (): void => {
    document.documentElement.dataset['theme'] = state.theme
    const model = board.models.find(({ key }) => key === state.model)
    byId('board').hidden = model !== undefined
    byId('model').hidden = model === undefined
    document.title = model === undefined ? TITLE : `${model.key.slice(0, 100)} · ${TITLE}`
    if (model !== undefined) {
      const back = `#${hashOf({ ...state, model: '', part: '' }, initial)}`
      byId('model').replaceChildren(modelView(board, model, back))
      byId('mix').textContent = mixOf(board, [model], initial).text
      return
    }
    controls.show(state, hashOf({ ...state, theme: initial.theme }, initial) === '')
    table.show(state)
  }

  /** To the class of the model that is asked for, or to the head of it all. */
  const lookAtModel = (): void => {
    const part = document.getElementById(partId(state.part))
    part?.scrollIntoView()
    const head = part ?? byId('model').querySelector('h2')
    head?.focus()
  }
  addEventListener('hashchange', () => {
    const next = stateOf(location.hash, initial, board.columns)
    if (next === null) return
    last = state.model
    state = next
    show()
    if (state.model !== '' && state.model !== last) {
      scrollTo(0, 0)
      lookAtModel()
    } else if (state.model === '' && last !== '') {
      const href = modelHref(last, state, initial)
      const links = [...byId('board').querySelectorAll<HTMLElement>('a.name')]
      links.find((link) => link.getAttribute('href') === href)?.focus()
    }
  })
  // Paper has no button that shows more.
  addEventListener('beforeprint', () => {
    table.showRows(Infinity)
    for (const details of document.querySelectorAll('details')) details.open = true
  })
  show()
  if (state.model !== '' && state.part !== '') lookAtModel()
  document.documentElement.dataset['ready'] = 'true'
  // When the frame that shows it is done: what is only in the tree cannot be used yet.
  requestAnimationFrame(() => setTimeout(() => performance.mark('interactive')))
}

start().catch((error: unknown) => {
  const why = error instanceof Error ? error.message : String(error)
  const told = `The figures in this page cannot be read: ${why}. They are in leaderboard.json beside it, from which it can be made anew.`
  byId('board').replaceChildren(h('p', { class: 'showcase', role: 'alert' }, told))
})
