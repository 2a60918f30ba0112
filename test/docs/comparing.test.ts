import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { buildResult } from '../../src/results/build.ts'
import { compareResults } from '../../src/results/compare.ts'
import { docSteps } from '../support/doc-steps.ts'
import { caseMeta, RUN, sample, unscored } from '../support/samples.ts'
import { tempProject } from '../support/temp-project.ts'
import { runTyped } from '../support/typed-command.ts'

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

test('its command compares two files', async () => {
  const [step, ...more] = docSteps('docs/comparing.md')
  if (step?.kind !== 'command' || more.length > 0) throw new Error('the page has another number of commands')
  const files = step.line.split(' ').slice(3)
  const resultOf = (modelKey: string, valueAccuracy: number) =>
    buildResult({ ...RUN, modelKey }, [caseMeta('both', [sample(0, { valueAccuracy })], { modelKey })])
  const [a, b] = [resultOf('vendor-a/m', 0.5), resultOf('vendor-b/m', 1)].map((result) => JSON.stringify(result))
  const project = tempProject({ [files[0]!]: a!, [files[1]!]: b! })
  const { status, output } = await runTyped(project, step.line)
  expect([status, output]).toEqual([
    0,
    expect.stringMatching(/vendor-a\/m[\s\S]*vendor-b\/m|vendor-b\/m[\s\S]*vendor-a\/m/),
  ])
})
