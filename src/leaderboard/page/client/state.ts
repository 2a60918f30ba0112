import type { Column, Leaderboard } from '../../format.ts'

export const THEMES = ['auto', 'light', 'dark'] as const
export const SHOWN = ['all', 'measured', 'discrepancies'] as const
export const RANKINGS = ['rate', 'low'] as const

/** What the reader has chosen. All of it stands in the address, so that a view can be sent to somebody. */
export interface State {
  /** A column, or `model`. */
  readonly sort: string
  /** False: the best first; of `model`, A first. */
  readonly reversed: boolean
  /** What rates are sorted by: themselves, or the lower end of their interval. */
  readonly rank: (typeof RANKINGS)[number]
  readonly show: (typeof SHOWN)[number]
  /** Empty: all. */
  readonly provider: string
  readonly class: string
  readonly domain: string
  readonly difficulty: string
  /** Part of a model key. */
  readonly text: string
  readonly theme: (typeof THEMES)[number]
  /** Key of the model that is looked at; empty: the table is. */
  readonly model: string
  /** The class that is looked at in its section; empty: none more than others. */
  readonly part: string
}

/** What is shown when nothing is chosen: sorted by the first column in which anything was measured. */
export function initialState({ columns, models }: Pick<Leaderboard, 'columns' | 'models'>): State {
  const filled = columns.find(({ id }) => models.some(({ cells }) => cells[id] !== undefined))
  const unfiltered = { provider: '', class: '', domain: '', difficulty: '', text: '', model: '', part: '' }
  return { sort: filled?.id ?? 'model', reversed: false, rank: 'rate', show: 'all', theme: 'auto', ...unfiltered }
}

/** The state as the part of an address behind `#`; what is as initially is left out. */
export function hashOf(state: State, initial: State): string {
  const chosen = Object.entries(state).filter(([name, value]) => value !== initial[name as keyof State])
  return new URLSearchParams(Object.fromEntries(chosen.map(([name, value]) => [name, String(value)]))).toString()
}

/** The state that an address holds; null: it leads to a place in the page, and says nothing of the state. */
export function stateOf(hash: string, initial: State, columns: readonly Column[]): State | null {
  const text = hash.replace(/^#/, '')
  if (text !== '' && !text.includes('=')) return null
  const given = new URLSearchParams(text)
  const oneOf = <T extends string>(name: string, allowed: readonly T[], preset: T): T =>
    allowed.find((one) => one === given.get(name)) ?? preset
  const filter = (name: string): string => given.get(name) ?? ''
  return {
    sort: oneOf('sort', ['model', ...columns.map(({ id }) => id)], initial.sort),
    reversed: given.get('reversed') === 'true',
    rank: oneOf('rank', RANKINGS, initial.rank),
    show: oneOf('show', SHOWN, initial.show),
    provider: filter('provider'),
    class: filter('class'),
    domain: filter('domain'),
    difficulty: filter('difficulty'),
    text: filter('text'),
    theme: oneOf('theme', THEMES, initial.theme),
    model: filter('model'),
    part: filter('part'),
  }
}
