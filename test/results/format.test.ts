import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { MOST_SAMPLES } from '../../src/model/sample-limits.ts'
import { buildResult } from '../../src/results/build.ts'
import { withChecksums } from '../../src/results/checksums.ts'
import { resultProblems, shapeProblemsOfSamples } from '../../src/results/format.ts'
import { ResultSchema } from '../../src/results/result-shape.ts'
import { caseMeta, RUN, sample, unscored } from '../support/samples.ts'

const VALUES = [null, true, -1, 0.5, 7, 1e300, Number.NaN, Infinity, '', 'stop', [], [null], {}, { a: 1 }]

test('a result file is one where the schema as published says so, samples and all else apart', () => {
  const details = { violations: [{ path: '', message: 'm', keyword: 'k' }], mismatches: [{ path: 'a', expected: 1 }] }
  const cases = [caseMeta('a', [sample(0, { ...details, wrapping: 'fence', costUsd: 0 }), unscored(1)])]
  const result = withChecksums(buildResult(RUN, cases))
  const judge = new Ajv2020({ strict: false }).compile(ResultSchema)
  const told = { yes: 0, no: 0 }
  const compare = (path: string): void => {
    const due = judge(result)
    told[due ? 'yes' : 'no'] += 1
    expect([path, resultProblems(result, '').length === 0]).toEqual([path, due])
  }
  const walk = (node: Record<string, unknown>, path: string): void => {
    for (const [key, before] of Object.entries(node)) {
      for (const value of VALUES) {
        node[key] = value
        compare(`${path}/${key} ${String(value)}`)
      }
      if (!Array.isArray(node)) {
        delete node[key]
        compare(`${path}/${key} gone`)
      }
      node[key] = before
      if (typeof before === 'object' && before !== null) walk(before as Record<string, unknown>, `${path}/${key}`)
    }
    if (Array.isArray(node)) return
    node['stranger'] = 1
    compare(`${path}/stranger`)
    delete node['stranger']
  }
  walk(result, '')
  expect(told.yes).toBeGreaterThan(100)
  expect(told.no).toBeGreaterThan(1000)
})

test('more samples of a fixture than a run can take are told, each of them being one', () => {
  const problemsOf = (count: number) =>
    shapeProblemsOfSamples(
      Array.from({ length: count }, (_, index) => sample(index % 100)),
      '/raw/a',
    )
  expect(problemsOf(MOST_SAMPLES)).toEqual([])
  expect(problemsOf(MOST_SAMPLES + 1)).toEqual([{ path: '/raw/a', message: 'must NOT have more than 10000 items' }])
})
