import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { buildResult } from '../../src/results/build.ts'
import { compareResults } from '../../src/results/compare.ts'
import { caseMeta, RUN, sample, unscored } from '../support/samples.ts'

const TEXT = readFileSync(new URL('../../docs/comparing.md', import.meta.url), 'utf8')

/** Names of all fields of a value, however deep. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, own]) => [name, ...namesIn(own)])
}

test('every field of the output for machines is explained', () => {
  const of = (id: string) =>
    buildResult(
      RUN,
      ['both', id].map((one) => caseMeta(one, [sample(0), unscored(1)])),
    )
  const { rates, ...rest } = compareResults({ file: 'a', result: of('x') }, { file: 'b', result: of('y') })
  const names = new Set(['rates', ...namesIn(rest), ...Object.values(rates).flatMap(namesIn)])
  expect([...names].filter((name) => !new RegExp(`[.\`]${name}\``).test(TEXT))).toEqual([])
  expect(names.size).toBeGreaterThan(40)
})
