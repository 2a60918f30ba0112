import { PROBE_CLASSES } from '../../../model/fixture.ts'
import { printable } from '../../../model/printable.ts'
import type { Leaderboard } from '../../format.ts'
import { button, h } from './dom.ts'
import type { State } from './state.ts'

type Choice = readonly [value: string, text: string]

interface Select {
  readonly name: keyof State
  readonly label: string
  readonly choices: readonly Choice[]
}

/** What the table can be narrowed by, and how it is sorted and coloured. */
export class Controls {
  readonly element: HTMLElement
  readonly #fields = new Map<keyof State, HTMLSelectElement | HTMLInputElement>()
  readonly #reset: HTMLButtonElement

  constructor(board: Leaderboard, change: (part: Partial<State>) => void, reset: () => void) {
    const search = h('input', { id: 'choose-text', type: 'search', autocomplete: 'off', spellcheck: 'false' })
    search.addEventListener('input', () => change({ text: search.value }))
    this.#fields.set('text', search)
    const selects = selectsOf(board).map(({ name, label, choices }) => {
      const options = choices.map(([value, text]) => h('option', { value }, text))
      const select = h('select', { id: `choose-${name}` }, ...options)
      select.addEventListener('change', () => change({ [name]: select.value }))
      this.#fields.set(name, select)
      return labelled(label, select)
    })
    this.#reset = button({ class: 'reset' }, reset, 'Reset')
    const first = labelled('Model contains', search)
    this.element = h('form', { class: 'controls', 'aria-label': 'Choose models' }, first, ...selects, this.#reset)
    this.element.addEventListener('submit', (event) => event.preventDefault())
  }

  /** Shows what is chosen. */
  show(state: State, isInitial: boolean): void {
    for (const [name, field] of this.#fields) {
      const value = String(state[name])
      if (field.value !== value) field.value = value
      // What an address names and nothing has is shown as it is chosen: nothing is found, and it is seen why.
      if (field instanceof HTMLSelectElement && field.selectedIndex === -1) {
        field.append(h('option', { value }, `${shortened(value)} (none here)`))
        field.value = value
      }
    }
    this.#reset.disabled = isInitial
  }
}

function labelled(label: string, field: HTMLSelectElement | HTMLInputElement): HTMLElement {
  return h('span', { class: 'field' }, h('label', { for: field.id }, label), field)
}

function shortened(value: string): string {
  return printable(value).slice(0, 40)
}

function selectsOf(board: Leaderboard): Select[] {
  const orAll = (values: Iterable<string>): Choice[] => [
    ['', 'any'],
    ...[...new Set(values)].toSorted().map((value): Choice => [value, shortened(value)]),
  ]
  const measured = PROBE_CLASSES.filter((one) => board.models.some(({ classes }) => classes[one] !== undefined))
  return [
    { name: 'provider', label: 'Provider', choices: orAll(board.models.map(({ provider }) => provider)) },
    { name: 'class', label: 'Class', choices: orAll(measured) },
    { name: 'domain', label: 'Domain', choices: orAll(board.fixtures.map(({ domain }) => domain)) },
    { name: 'difficulty', label: 'Difficulty', choices: orAll(board.fixtures.map(({ difficulty }) => difficulty)) },
    {
      name: 'show',
      label: 'Show',
      choices: [
        ['all', 'every model'],
        ['measured', 'measured'],
        ['discrepancies', 'with a discrepancy'],
      ],
    },
    {
      name: 'rank',
      label: 'Sort rates by',
      choices: [
        ['rate', 'rate'],
        ['low', 'lower end'],
      ],
    },
    {
      name: 'theme',
      label: 'Colours',
      choices: [
        ['auto', 'of the system'],
        ['light', 'light'],
        ['dark', 'dark'],
      ],
    },
  ]
}
