import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { besideHref } from '../../src/leaderboard/page/client/beside.ts'
import { cellView } from '../../src/leaderboard/page/client/cell-view.ts'
import { chosenModels, columnsOf, mixOf, sortingOf } from '../../src/leaderboard/page/client/choose.ts'
import { readFields } from '../../src/leaderboard/page/client/read-fields.ts'
import { hashOf, initialState, stateOf, type State } from '../../src/leaderboard/page/client/state.ts'
import { timeText, usdText, visible } from '../../src/leaderboard/page/client/words.ts'
import type { ResultFile } from '../../src/results/format.ts'
import { boardOf, modelOf, SHOWCASE, showcase } from '../support/boards.ts'

const BOARD = showcase()
const INITIAL = initialState(BOARD)
const WHOLE = { domain: '', difficulty: '' }

function keys(part: Partial<State>, board = BOARD): string[] {
  return chosenModels(board, { ...INITIAL, ...part }).map(({ key }) => key.replace('sim/', ''))
}

test('the best stand first, those that were not measured last in both directions', () => {
  const unprobed = ['careless:2', 'flaky', 'outage', 'steady:7']
  expect(keys({ sort: 'image' })).toEqual(['perfect', 'steady', 'garbled', 'careless', ...unprobed])
  expect(keys({ sort: 'image', reversed: true })).toEqual(['careless', 'garbled', 'steady', 'perfect', ...unprobed])
  // Of cost and latency the least is the best.
  expect(keys({ sort: 'costPer1000' }).slice(0, 2)).toEqual(['careless:2', 'careless'])
  expect(keys({ sort: 'model', reversed: true }).slice(0, 2)).toEqual(['steady:7', 'steady'])
})

test('of equal rates the better supported goes first; the lower end of the interval can be sorted by', () => {
  const board = boardOf([
    modelOf('a/three', { rate: 1, clusterCi95: [0.4, 1] }),
    modelOf('b/many', { rate: 0.97, clusterCi95: [0.94, 0.98] }),
    modelOf('c/ten', { rate: 1, clusterCi95: [0.7, 1] }),
  ])
  expect(keys({ sort: 'conform' }, board)).toEqual(['c/ten', 'a/three', 'b/many'])
  expect(keys({ sort: 'conform', rank: 'low' }, board)).toEqual(['b/many', 'c/ten', 'a/three'])
})

test('models are chosen by provider, text, class, domain, difficulty, and what is to be shown', () => {
  const board = boardOf([...BOARD.models, modelOf('openai/steady')])
  expect(keys({ provider: 'openai' }, board)).toEqual(['openai/steady'])
  expect(keys({ text: ' STEADY ', sort: 'model' }, board)).toEqual(['openai/steady', 'steady', 'steady:7'])
  expect(keys({ class: 'caching', sort: 'model' })).toEqual(['careless', 'perfect', 'steady'])
  expect(keys({ domain: 'insurance', sort: 'model' })).toEqual(['careless', 'garbled', 'perfect', 'steady'])
  expect(keys({ class: 'grounding', difficulty: 'hard', sort: 'model' })).not.toContain('garbled')
  expect(keys({ show: 'measured' })).not.toContain('outage')
  expect(keys({ show: 'discrepancies', sort: 'model' })).toEqual([
    'careless',
    'careless:2',
    'garbled',
    'perfect',
    'steady',
  ])
  expect(keys({ show: 'discrepancies', class: 'image' })).toEqual(['garbled'])
  expect(columnsOf(BOARD, { ...INITIAL, class: 'image' }).map(({ id }) => id)).toEqual(['image'])
})

test('where the column that is sorted by is not shown, the first that is shown is sorted by', () => {
  const state = { ...INITIAL, sort: 'latency', reversed: true }
  expect(sortingOf(BOARD, state)).toEqual({ sort: 'latency', reversed: true })
  expect(sortingOf(BOARD, { ...state, class: 'image' })).toEqual({ sort: 'image', reversed: false })
  expect(keys({ sort: 'latency', reversed: true, class: 'image' })).toEqual([
    'perfect',
    'steady',
    'garbled',
    'careless',
  ])
  expect(keys({ sort: 'model', class: 'image' })).toEqual(['careless', 'garbled', 'perfect', 'steady'])
})

test('in a domain rates, intervals and cost are counted over its fixtures alone', () => {
  const steady = BOARD.models.find(({ key }) => key === 'sim/steady')!
  const cell = (id: string, scope: { domain: string; difficulty: string }) =>
    cellView(
      BOARD,
      steady,
      BOARD.columns.find((column) => column.id === id)!,
      scope,
    )
  // Two hard schema fixtures beside syrup-course, 3 of 4: 11 of 12; without it 8 of 8, which is 2 facts of 2.
  const hard = cell('conform', { domain: '', difficulty: 'hard' }).cell
  expect(hard).toMatchObject({ successes: 11, n: 12 })
  expect(cell('conform', { domain: 'medical', difficulty: '' }).cell).toMatchObject({ successes: 3, n: 4, thin: true })
  const finance = cell('conform', { domain: 'finance', difficulty: '' })
  expect(finance.notes).toEqual(['too few: n < 10'])
  // Wilson's lower end of 1 of 1: 1 / (1 + 1.96²).
  expect(finance.cell).toMatchObject({ clusterCi95: [expect.closeTo(1 / (1 + 1.959964 ** 2), 5), 1] })
  // $0.01083 for 4.
  expect(cell('costPer1000', { domain: 'finance', difficulty: '' }).cell).toMatchObject({ value: 2.7075, n: 4 })
  expect(cell('latency', { domain: '', difficulty: 'hard' })).toMatchObject({ cell: { value: latencyOfHard(), n: 12 } })
  expect(cell('hard', { domain: 'legal', difficulty: '' })).toMatchObject({ cell: null, blank: 'no hard fixture' })
})

/** Median of the medians of three fixtures with four samples each, from the result file. */
function latencyOfHard(): number {
  const file = new URL('results/sim-steady/schema-2026-11-30.json', SHOWCASE)
  const { raw, fixtureDifficulties } = JSON.parse(readFileSync(file, 'utf8')) as ResultFile
  const hard = Object.keys(raw).filter((id) => fixtureDifficulties[id] === 'hard')
  const sorted = (numbers: number[]): number[] => numbers.toSorted((a, b) => a - b)
  const medians = hard.map((id) => {
    const [, second, third] = sorted(raw[id]!.map(({ latencyMs }) => latencyMs!))
    return (second! + third!) / 2
  })
  return sorted(medians)[1]!
}

test('what nobody measured is unprobed; what came to nothing says so', () => {
  const conform = BOARD.columns[0]!
  expect(cellView(BOARD, modelOf('a/b'), conform, WHOLE).blank).toBe('unprobed')
  const ofLegal = { domain: 'legal', difficulty: '' }
  expect(cellView(BOARD, modelOf('a/b'), conform, ofLegal).blank).toBe('unprobed')
  expect(cellView(BOARD, modelOf('a/b', {}), conform, ofLegal).blank).toBe('no such fixture')
  const spoiled = { ...modelOf('a/b', {}), cells: {} }
  expect(cellView(BOARD, spoiled, conform, WHOLE).blank).toBe('no scored sample')
  const fields = BOARD.fixtureFields['schema']!
  const hardAt = BOARD.fixtures.findIndex((one) => one.class === 'schema' && one.difficulty === 'hard')
  /** A model with one hard fixture, of which that is counted and all else is none. */
  const blank = (column: string, counts: Readonly<Record<string, number>>): string => {
    const row = fields.map((name) => (name === 'fixture' ? hardAt : (counts[name] ?? 0)))
    const classes = { schema: { ...modelOf('a/b', {}).classes.schema!, fixtures: [row] } }
    const shown = BOARD.columns.find(({ id }) => id === column)!
    return cellView(BOARD, { ...spoiled, classes }, shown, WHOLE).blank
  }
  expect(blank('hard', {})).toBe('no scored sample')
  expect(blank('hard', { scored: 4 })).toBe('no sample counts')
  expect(blank('values', { scored: 4, 'conform.n': 4 })).toBe('no conformant answer')
  // They conform, and nothing is expected of them.
  expect(blank('values', { scored: 4, 'conform.n': 4, 'conform.successes': 4 })).toBe('no sample counts')
})

test('the mix is of what is shown', () => {
  const state = { ...INITIAL, class: 'grounding', domain: 'finance' }
  const mix = mixOf(BOARD, chosenModels(BOARD, state), state)
  expect(mix).toMatchObject({ fixtures: 1, byDomain: { finance: 1 }, byClass: { grounding: 1 } })
  expect(mixOf(BOARD, BOARD.models, INITIAL).text).toBe(BOARD.mix.text)
})

test('a view stands in the address, and nothing that is not there is taken from one', () => {
  const chosen: State = { ...INITIAL, sort: 'latency', reversed: true, domain: 'a&b=c', theme: 'dark', model: 'x/y:z' }
  expect(stateOf(`#${hashOf(chosen, INITIAL)}`, INITIAL, BOARD.columns)).toEqual(chosen)
  expect(hashOf(INITIAL, INITIAL)).toBe('')
  expect(stateOf('', INITIAL, BOARD.columns)).toEqual(INITIAL)
  expect(stateOf('#sort=__proto__&theme=pink&rank=x', INITIAL, BOARD.columns)).toEqual(INITIAL)
  // A place in the page leaves the view as it is.
  expect(stateOf('#method-conform', INITIAL, BOARD.columns)).toBeNull()
})

test('a table in which only images were measured is sorted by them', () => {
  const { key, ...rest } = BOARD.models.find((model) => model.cells.image)!
  const only = { key, ...rest, cells: { image: rest.cells.image! } }
  expect(initialState(boardOf([modelOf('a/b'), only])).sort).toBe('image')
  expect(initialState(boardOf([modelOf('a/b')])).sort).toBe('model')
})

test.for([
  ['../fixtures/image/a b#1.png', '../fixtures/image/a%20b%231.png'],
  ['javascript:alert(1)', 'javascript%3Aalert(1)'],
  ['https://evil.example/x', 'https%3A//evil.example/x'],
  ['//evil.example/x', null],
  ['/etc/passwd', null],
  ['\\\\evil\\x', null],
  ['', null],
] as const)('the address of a file beside the page: %s', ([path, href]) => {
  expect(besideHref(path)).toBe(href)
})

test('fields of an extraction, with what was expected where it differs', () => {
  const output = '{"total":7,"items":[{"name":"a: expected b, was c"}]}'
  expect(readFields(output, ['total: expected 8, was 7', 'due: expected "x", was nothing'])).toEqual([
    { path: 'total', read: '7', expected: '8' },
    { path: 'items.0.name', read: '"a: expected b, was c"', expected: null },
    { path: 'due', read: 'nothing', expected: '"x"' },
  ])
  expect(readFields('no JSON', [])).toEqual([])
  expect(readFields(null, [])).toEqual([])
})

test('amounts in words', () => {
  expect([0, 0.000039, 0.0042, 0.137, 1234.5].map(usdText)).toEqual([
    '$0',
    '$0.000039',
    '$0.0042',
    '$0.14',
    '$1,234.50',
  ])
  expect([7, 999.4, 7487, 21_920].map(timeText)).toEqual(['7 ms', '999 ms', '7.49 s', '21.9 s'])
  expect(visible('a\r\nb\tc\u202Ed\u0000')).toBe('a\nb\tc\\u202ed\\u0000')
})
