import { expect, test } from 'vitest'
import { namedLevers } from '../../scripts/screen/corpus.ts'
import { corpusPage } from '../../scripts/screen/page.ts'
import type { LoadedFixture } from '../../src/model/fixture.ts'
import type { Sample } from '../../src/model/sample.ts'
import { buildResult } from '../../src/results/build.ts'
import type { ResultFile } from '../../src/results/format.ts'
import { caseMeta, RUN, sample } from '../support/samples.ts'

const HASH = '0123456789abcdef'
const RIGHT = sample(0)
const WRONG_VALUE = sample(0, { valueAccuracy: 0.5 })
const NOT_CONFORMING = sample(0, { schemaConform: false, valueAccuracy: null })

function fixture(id: string, overrides: Partial<LoadedFixture> & { notes?: string } = {}): LoadedFixture {
  const { notes = '', ...loaded } = overrides
  const plain = { id, class: 'image', domain: 'finance', family: 'probe-suite', difficulty: 'standard' } as const
  const rest = { hash: HASH, subtype: null, image: null, file: null }
  return { ...plain, ...rest, ...loaded, fixture: { ...plain, prompt: id, notes } }
}

function result(modelKey: string, samples: Readonly<Record<string, readonly Sample[]>>): ResultFile {
  const facts = { priceSource: 'p', simulated: modelKey.startsWith('sim/') }
  const metas = Object.entries(samples).map(([id, own]) =>
    caseMeta(
      id,
      own.map((one, index) => ({ ...one, index })),
      { modelKey, facts },
    ),
  )
  return buildResult({ ...RUN, modelKey }, metas)
}

const CORPUS = [
  fixture('always'),
  fixture('never', { difficulty: 'hard', domain: 'legal', notes: 'Levers: reasoning, forbidden field. And more.' }),
  fixture('often', { difficulty: 'hard', domain: 'legal', notes: 'Levers: reasoning, structural depth.' }),
]
const SAMPLES = {
  always: [RIGHT, RIGHT],
  never: [WRONG_VALUE, NOT_CONFORMING],
  often: [RIGHT, WRONG_VALUE],
}

function rowsOf(page: string, beginning: string): string[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith(`| ${beginning} `))
    .map((line) => line.replaceAll(/ {2,}/g, ' '))
}

test('a fixture is saturated, impossible or in between, by samples that are right in everything', () => {
  const page = corpusPage(CORPUS, [result('m/x', SAMPLES)])
  expect(['always', 'never', 'often'].flatMap((id) => rowsOf(page, id))).toEqual([
    '| always | finance | standard | 2/2 saturated |',
    '| never | legal | hard | 0/2 impossible |',
    '| often | legal | hard | 1/2 50.0% [9.5%, 90.5%] |',
  ])
  expect(rowsOf(page, '`m/x`')).toEqual([
    '| `m/x` | measured | 3/6 50.0% [18.8%, 81.2%] | [12.5%, 87.5%] | 1 | | 1 | 1 |',
  ])
})

test('of a simulated model it says what was set, and how many fixtures that saturates', () => {
  const page = corpusPage(CORPUS, [result('sim/careless', SAMPLES)])
  // 0.7 × 0.6, and three fixtures times its square.
  expect(rowsOf(page, '`sim/careless`')[0]).toContain('| 42.0% | 3/6 50.0% [18.8%, 81.2%] | [12.5%, 87.5%] | 1 | 0.5 |')
})

test('kinds are counted by class, levers among the hard ones', () => {
  const page = corpusPage(CORPUS, [])
  expect(page).toContain('\n3 fixtures, 2 of them hard (66.7%).\n')
  expect(['hard', 'legal', 'reasoning', 'structural depth'].flatMap((kind) => rowsOf(page, kind))).toEqual([
    '| hard | 0 | 0 | 0 | 2 | 2 | 66.7% |',
    '| legal | 0 | 0 | 0 | 2 | 2 | 66.7% |',
    '| reasoning | 0 | 0 | 0 | 2 | 2 | 100.0% |',
    '| structural depth | 0 | 0 | 0 | 1 | 1 | 50.0% |',
  ])
  expect(namedLevers({ notes: 'Only levers that stand first. Levers: reasoning.' })).toEqual([])
})

test('nothing of when it was measured stands in it', () => {
  const [early, late] = ['2026-01-02', '2027-03-04'].map((day) => ({
    ...result('m/x', SAMPLES),
    date: `${day}T00:00Z`,
  }))
  expect(corpusPage(CORPUS, [early!])).toBe(corpusPage(CORPUS, [late!]))
})

test.for<[string, LoadedFixture]>([
  ['was not measured', fixture('new')],
  ['was changed since', fixture('always', { hash: 'fedcba9876543210' })],
])('a fixture that %s is told, with what to do', ([, other]) => {
  const measured = result('m/x', SAMPLES)
  expect(() => corpusPage([other], [measured])).toThrow(
    `m/x was not measured on ${other.id} as it is now: npm run screen measures it`,
  )
})
