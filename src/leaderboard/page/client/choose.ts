import { PROBE_CLASSES } from '../../../model/fixture.ts'
import type { Column, CorpusMix, Leaderboard, LeaderboardFixture, LeaderboardModel } from '../../format.ts'
import { corpusMix } from '../../mix.ts'
import { cellView, sortValue } from './cell-view.ts'
import { fixtureResults, isWhole } from './fixture-rows.ts'
import type { State } from './state.ts'

/** The columns of a class; all of them without one. */
export function columnsOf({ columns }: Leaderboard, state: State): Column[] {
  return columns.filter((column) => state.class === '' || column.class === state.class)
}

/** What is sorted by: where the chosen column is not shown, the first of those that are. */
export function sortingOf(board: Leaderboard, state: State): Pick<State, 'sort' | 'reversed'> {
  const columns = columnsOf(board, state)
  const [first] = columns
  const isShown = state.sort === 'model' || first === undefined || columns.some(({ id }) => id === state.sort)
  return isShown ? { sort: state.sort, reversed: state.reversed } : { sort: first.id, reversed: false }
}

/** The models that are to be shown, in their order. */
export function chosenModels(board: Leaderboard, state: State): LeaderboardModel[] {
  return sorted(
    board,
    state,
    board.models.filter((model) => isChosen(board, model, state)),
  )
}

function isChosen(board: Leaderboard, model: LeaderboardModel, state: State): boolean {
  if (state.provider !== '' && model.provider !== state.provider) return false
  if (!model.key.toLowerCase().includes(state.text.trim().toLowerCase())) return false
  if (state.show === 'discrepancies' && !model.discrepancies.some((one) => isOf(state, one.class))) return false
  const narrowed = state.class !== '' || !isWhole(state)
  return !(narrowed || state.show === 'measured') || isMeasured(board, model, state)
}

function isOf(state: State, probeClass: string): boolean {
  return state.class === '' || state.class === probeClass
}

/** Whether anything was measured of it in the class and on the fixtures that are chosen. */
export function isMeasured(board: Leaderboard, model: LeaderboardModel, state: State): boolean {
  const classes = PROBE_CLASSES.filter((one) => isOf(state, one) && model.classes[one] !== undefined)
  return isWhole(state)
    ? classes.length > 0
    : classes.some((one) => fixtureResults(board, model, one, state).length > 0)
}

/** Those that were not measured stand last, whatever the direction; where all else is the same, keys decide. */
function sorted(board: Leaderboard, state: State, models: readonly LeaderboardModel[]): LeaderboardModel[] {
  const { sort, reversed } = sortingOf(board, state)
  const column = board.columns.find(({ id }) => id === sort)
  if (column === undefined) {
    const byKey = models.toSorted((a, b) => order(a.key, b.key))
    return reversed ? byKey.toReversed() : byKey
  }
  const worstFirst = (column.better === 'higher') === reversed
  const ranked = models.map((model) => {
    const view = cellView(board, model, column, state)
    return { model, value: sortValue(view, state.rank), low: sortValue(view, 'low') }
  })
  const direction = worstFirst ? 1 : -1
  return ranked
    .toSorted((a, b) => {
      if (a.value === null || b.value === null)
        return Number(a.value === null) - Number(b.value === null) || order(a.model.key, b.model.key)
      return direction * (a.value - b.value) || direction * (a.low! - b.low!) || order(a.model.key, b.model.key)
    })
    .map(({ model }) => model)
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** What the rates that are shown are of. */
export function mixOf(board: Leaderboard, models: readonly LeaderboardModel[], state: State): CorpusMix {
  if (models.length === board.models.length && state.class === '' && isWhole(state)) return board.mix
  const fixtures = new Set<LeaderboardFixture>()
  const measured = new Set<LeaderboardModel>()
  let samples = 0
  for (const model of models) {
    for (const probeClass of PROBE_CLASSES.filter((one) => isOf(state, one))) {
      for (const { fixture, scored, unscored } of fixtureResults(board, model, probeClass, state)) {
        fixtures.add(fixture)
        measured.add(model)
        samples += scored + unscored
      }
    }
  }
  return corpusMix([...fixtures], { models: measured.size, samples })
}
