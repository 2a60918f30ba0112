import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { renderTable } from '../../reporters/table.ts'
import { buildResult } from '../../src/results/build.ts'
import { caseMeta, IGNORED, RUN, sample, unscored } from '../support/samples.ts'

function tableOf(...cases: Parameters<typeof buildResult>[1]): string {
  return stripVTControlCharacters(renderTable(buildResult(RUN, cases)))
}

const wrong = (index: number) => sample(index, { valueAccuracy: 0.5 })

test('every rate stands with its count and its Wilson interval', () => {
  const table = tableOf(
    caseMeta('right', [sample(0), sample(1), sample(2), sample(3), sample(4)]),
    caseMeta('half', [sample(0), wrong(1), wrong(2), wrong(3), wrong(4)], { difficulty: 'hard', domain: 'legal' }),
  )
  // 10/10 -> 72.2 %; 6/10 -> 31.3 % to 83.2 %; 1/5 -> 3.6 % to 62.4 % (Wilson, 95 %).
  expect(table).toMatch(/parse +10\/10 +100\.0% +\[72\.2%, 100\.0%\]/)
  expect(table).toMatch(/extraction +6\/10 +60\.0% +\[31\.3%, 83\.2%\]/)
  expect(table).toMatch(/difficulty hard +1\/5 +20\.0% +\[3\.6%, 62\.4%\]/)
  expect(table).toMatch(/domain legal +1\/5/)
  expect(table).toMatch(/half +1\/5 +20\.0% +\[3\.6%, 62\.4%\] +60\.0%$/m)
  expect(table).toContain('m/x · image · 2 fixtures x 5 samples: 10 scored, $0.10 of $2.00, latency p50 100 ms')
})

test('where fixtures have different n, the first line tells all samples', () => {
  const many = caseMeta(
    'many',
    [0, 1, 2, 3, 4].map((index) => sample(index)),
  )
  const table = tableOf(many, caseMeta('few', [sample(0), sample(1)]), caseMeta('one', [unscored(0)]))
  expect(table).toContain('m/x · image · 3 fixtures, 1 to 5 samples each, 8 in all: 7 of 8 scored, 1 unscored')
})

test('nothing scored: no rate is invented', () => {
  const table = tableOf(caseMeta('a', [unscored(0), unscored(1)]))
  expect(table).toMatch(/extraction +0\/0 +no n/)
  expect(table).toContain('0 of 2 scored, 2 unscored, $0.10 of $2.00')
  expect(table).toContain('incomplete: unscored_samples')
  expect(table).not.toMatch(/NaN|null|undefined/)
})

test('a server that was not seen to enforce a schema is told of', () => {
  const coached = sample(0, { rung: 'json_mode' })
  const noteOf = (enforced: boolean | null, one: typeof coached) =>
    tableOf(caseMeta('a', [one], { canary: { ...IGNORED, enforced } }))
  expect(noteOf(false, coached)).toContain('takes schemas and does not enforce them: samples were coached')
  expect(noteOf(null, coached)).toContain(
    'whether the server enforces schemas could not be shown: samples were coached',
  )
  expect(noteOf(true, sample(0))).toContain('native: the enforcement canary shows')
  expect(noteOf(null, unscored(0))).not.toContain('coached')
})

test('a simulated model is said to be none', () => {
  const table = tableOf(caseMeta('a', [sample(0)], { facts: { priceSource: 'scripted', simulated: true } }))
  expect(table).toContain('simulated: no real model was measured')
})

test('a fixture that did not come out right says the first thing that was wrong', () => {
  const mismatch = { path: 'total', expected: 7, actual: '7' }
  const table = tableOf(
    caseMeta('value', [sample(0), sample(1, { valueAccuracy: 0, mismatches: [mismatch] })]),
    caseMeta('gone', [sample(0, { valueAccuracy: 0, mismatches: [{ path: 'a.b', expected: 'x' }] })]),
    caseMeta('shape', [
      sample(0, { schemaConform: false, violations: [{ path: '/total', message: 'must be number', keyword: 'type' }] }),
    ]),
    caseMeta('fault', [unscored(0)]),
    caseMeta('right', [sample(0)]),
  )
  expect(table).toContain('value: total is "7", expected 7')
  expect(table).toContain('gone: a.b is nothing, expected "x"')
  expect(table).toContain('shape: /total must be number')
  expect(table).toContain('fault: network')
  expect(table).not.toContain('right:')
})

test('groups are shown where they divide the fixtures', () => {
  expect(tableOf(caseMeta('a', [sample(0)]))).not.toContain('by group')
})

test('how much was read from cache stands beside whether anything was', () => {
  const repeat = (index: number, cachedTokens: number, cachedShare: number) =>
    sample(index, { cachedTokens, cachedShare, schemaConform: null, valueAccuracy: null })
  const meta = caseMeta('a', [repeat(0, 4, 0.002), repeat(1, 0, 0)], { probeClass: 'caching', hasSchema: false })
  const table = renderTable(buildResult({ ...RUN, probeClass: 'caching' }, [meta]))
  expect(table).toMatch(/cacheHit +1\/2 +50\.0%/)
  expect(table).toMatch(/cached share of input, mean +n 2 +0\.1%/)
  expect(table).toMatch(/mean share cached\n +a +1\/2 .* 0\.1%/)
})

test('one subtype is shown where other fixtures have none, and not where it is that of all', () => {
  const tagged = (id: string, subtype: string | null) => caseMeta(id, [sample(0), wrong(1)], { subtype })
  // 1/2: Wilson 9.5 % to 90.5 %.
  expect(tableOf(tagged('a', 'tabular'), tagged('b', null))).toMatch(/subtype tabular +1\/2 +50\.0% +\[9\.5%, 90\.5%\]/)
  expect(tableOf(tagged('a', 'tabular'), tagged('b', 'tabular'))).not.toContain('subtype tabular')
})
