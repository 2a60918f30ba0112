import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CanarySchema } from '../../src/model/canary-shape.ts'
import { FAILURE_CLASSES } from '../../src/model/sample.ts'
import { SampleSchema } from '../../src/model/sample-shape.ts'
import { FixtureStatsSchema, ResultSchema } from '../../src/results/result-shape.ts'
import { RATES } from '../../src/stats/rate-table.ts'

const TEXT = readFileSync(new URL('../../docs/results.md', import.meta.url), 'utf8')

test.for<[string, readonly string[]]>([
  ['a result file', Object.keys(ResultSchema.properties)],
  ['a row of its statistics', Object.keys(FixtureStatsSchema.properties)],
  ['a sample', Object.keys(SampleSchema.properties)],
  ['the rates', Object.keys(RATES)],
  ['the failure classes', FAILURE_CLASSES],
])('every name of %s is explained', ([, names]) => {
  expect(names.filter((name) => !TEXT.includes(`\`${name}\``))).toEqual([])
})

test('the canary has no field that a sample does not explain', () => {
  const own = Object.keys(CanarySchema.properties).filter((name) => !(name in SampleSchema.properties))
  expect(own).toEqual(['enforced'])
})
