import { expect, test } from 'vitest'
import { intervalBar } from '../../reporters/interval-bar.ts'
import { renderTable } from '../../reporters/table.ts'
import { buildResult } from '../../src/results/build.ts'
import { rateOf } from '../../src/stats/rate.ts'
import { caseMeta, RUN, sample } from '../support/samples.ts'

// Wilson, 95 %; a character is 5 points, so 62.4 % lies in the thirteenth.
test.for<[string, number, number, string]>([
  ['20 % in 3.6 % to 62.4 %', 1, 5, '├───●───────┤·······'],
  ['60 % in 31.3 % to 83.2 %', 6, 10, '······├─────●───┤···'],
  ['0 % in 0 % to 13.3 %', 0, 25, '●─┤·················'],
  ['100 % in 94.4 % to 100 %', 65, 65, '··················├●'],
  ['100 % in 99.6 % to 100 %: all in one character', 1000, 1000, '···················●'],
  ['no rate', 0, 0, ''],
])('%s', ([, successes, n, bar]) => {
  expect(intervalBar(rateOf(successes, n))).toBe(bar)
})

const wrong = (index: number) => sample(index, { valueAccuracy: 0.5 })

function tableOf(columns: number | undefined, id = 'half'): string {
  return renderTable(buildResult(RUN, [caseMeta(id, [sample(0), wrong(1), wrong(2), wrong(3), wrong(4)])]), columns)
}

test('a bar stands beside each interval where the terminal has room or no width', () => {
  for (const columns of [103, Infinity]) {
    expect(tableOf(columns)).toMatch(/^ +extraction +1\/5 +20\.0% +\[3\.6%, 62\.4%\]  ├───●───────┤······· +\[/m)
    expect(tableOf(columns)).toMatch(/^ +half +1\/5 +20\.0% +\[3\.6%, 62\.4%\]  ├───●───────┤······· +60\.0%$/m)
  }
})

test('no bar makes a line wrap, and a narrow terminal has none', () => {
  // Drawn, its longest line has 103 characters: 24, then 3, 6, 15, 20 and 25, two spaces before each.
  for (const table of [tableOf(99), tableOf(102), tableOf(undefined), tableOf(110, 'a'.repeat(60))]) {
    expect(table).not.toMatch(/[├●┤]/)
    expect(table).toMatch(/1\/5 +20\.0% +\[3\.6%, 62\.4%\] +60\.0%$/m)
  }
})
