import { expect, test } from 'vitest'
import { buildResult } from '../../src/results/build.ts'
import type { Comparison } from '../../src/results/compare.ts'
import type { ResultFile } from '../../src/results/format.ts'
import { caseMeta, RUN, sample, unscored } from '../support/samples.ts'
import { PLAIN_CONFIG, tempProject, type TempProject } from '../support/temp-project.ts'

/** A result with `right` of `n` extractions on each of the fixtures, and samples that are not scored. */
function resultOf(modelKey: string, right: Record<string, number>, n: number, spoiled = 0): ResultFile {
  const cases = Object.entries(right).map(([id, successes]) => {
    const own = Array.from({ length: n }, (_, index) =>
      sample(index, index < successes ? {} : { valueAccuracy: 0.5, latencyMs: 200 }),
    )
    const faults = Array.from({ length: spoiled }, (_, index) => unscored(n + index))
    return caseMeta(id, [...own, ...faults], { modelKey })
  })
  return buildResult({ ...RUN, modelKey }, cases)
}

function projectWith(files: Readonly<Record<string, ResultFile>>): TempProject {
  return tempProject(Object.fromEntries(Object.entries(files).map(([name, one]) => [name, JSON.stringify(one)])))
}

/** As ModelRig publishes them. */
const OLD = {
  modelKey: 'm/old',
  class: 'image',
  date: '2026-01-10T00:00:00Z',
  harnessVersion: '1',
  fixtureHashes: {},
  stats: [],
  totalCostUsd: 0,
  raw: {},
}

const WEAK = resultOf('m/weak', { a: 5, b: 1, c: 3, d: 0 }, 5)
const GOOD = resultOf('m/good', { a: 5, b: 5, c: 4, d: 5 }, 5)

test('the verdict leads, in one sentence, with counts, intervals and p', async () => {
  const { status, output } = await projectWith({ 'a.json': WEAK, 'b.json': GOOD }).cli(['compare', 'a.json', 'b.json'])
  expect(status).toBe(0)
  // Worked out in test/results/compare.test.ts.
  expect(output.split('\n')[0]).toMatch(
    /^B is better than A in extraction: 19\/20 95\.0% \[.+\] \(B, m\/good\) against 9\/20 45\.0% \[.+\] \(A, m\/weak\), B - A \+50\.0 points \[-25\.\d, \+100\.0\] in the mean of 4 fixtures, p 0\.0013; shown for these fixtures, and not that it holds on others of their kind\.$/,
  )
  expect(output).toMatch(
    /^d +0\/5 0\.0% \[0\.0%, 43\.4%\] +5\/5 100\.0% \[56\.6%, 100\.0%\] +\+100\.0 .+ 0\.0079 +0\.032$/m,
  )
  // $0.20 for 9 and 19 successes.
  expect(output).toMatch(
    /cost per 1,000 extractions +\$22\.22 \(\$0\.20 for 9 of 20\) +\$10\.53 \(\$0\.20 for 19 of 20\)/,
  )
  expect(output).toMatch(/latency p50 +200 ms \(n 20\) +100 ms \(n 20\)/)
  expect(output).not.toMatch(/NaN|null|undefined|Infinity/)
})

test('no difference: what n could have seen, and how many samples would see 10 points', async () => {
  const same = resultOf('m/same', { a: 5, b: 1, c: 2, d: 0 }, 5)
  const { output } = await projectWith({ 'a.json': WEAK, 'b.json': same }).cli(['compare', 'a.json', 'b.json'])
  expect(output).toMatch(
    /^No difference in extraction is shown: 9\/20 .+ and 8\/20 .+, p 1\.000; n is too small to see less than 45 points 4 times out of 5 \(10 points would take 103 samples a fixture on each side\)\.\n/,
  )
})

test('another rate that the class is judged by is named where it differs', async () => {
  const [a, b] = [10, 2].map((right) => {
    const samples = Array.from({ length: 10 }, (_, index) => sample(index, index < right ? {} : { valueAccuracy: 0.5 }))
    const cases = [caseMeta('x', samples, { modelKey: `m/${right}`, probeClass: 'schema' })]
    return buildResult({ ...RUN, modelKey: `m/${right}`, probeClass: 'schema' }, cases)
  })
  const { output } = await projectWith({ 'a.json': a!, 'b.json': b! }).cli(['compare', 'a.json', 'b.json'])
  // Fisher's exact p of 10 of 10 against 2 of 10 is 0.0007; that of Mantel and Haenszel with its correction 0.0013.
  expect(output).toMatch(
    /^No difference in conform is shown: .*; values, which is not weighed here, differs: B - A -80\.0 points, p 0\.00/,
  )
  const same = await projectWith({ 'a.json': a! }).cli(['compare', 'a.json', 'a.json'])
  expect(same.output).toMatch(/^No difference in conform is shown/)
  expect(same.output).not.toContain('not weighed')
})

test('what to bear in mind is told: faults, other fixtures, incomplete and simulated runs, another version', async () => {
  const spoiled = { ...resultOf('m/spoiled', { a: 2, z: 1 }, 2, 2), simulated: true, harnessVersion: '0.0.9' }
  const { output } = await projectWith({ 'a.json': WEAK, 'b.json': spoiled }).cli(['compare', 'a.json', 'b.json'])
  expect(output).toContain(
    'B: 2 of 4 samples are not scored; whatever they had been, extraction lies within [50.0%, 100.0%]',
  )
  expect(output).toContain('left out: b (only in A), c (only in A), d (only in A), z (only in B)')
  expect(output).toContain('B is incomplete: unscored_samples')
  expect(output).toContain('B is simulated: no real model was measured')
  expect(output).toMatch(/graded by different versions: A by \d+\.\d+\.\d+, B by 0\.0\.9/)
  expect(output).toContain('at most $60.00 (at most $0.12 for 2 of 4)')
  const none = resultOf('m/none', { a: 0 }, 0, 2)
  const empty = await projectWith({ 'a.json': WEAK, 'b.json': none }).cli(['compare', 'a.json', 'b.json'])
  expect(empty.output).toMatch(/^Nothing to compare: no shared fixture has samples of both in extraction/)
  expect(empty.output).not.toMatch(/NaN|null|undefined|Infinity/)
})

test('--json is for machines', async () => {
  const project = projectWith({ 'a.json': WEAK, 'b.json': GOOD })
  const { status, output } = await project.cli(['compare', 'a.json', 'b.json', '--json'])
  expect(status).toBe(0)
  const comparison = JSON.parse(output) as Comparison
  expect(comparison).toMatchObject({
    class: 'image',
    headline: 'extraction',
    verdict: { kind: 'b_better', differingFixtures: ['d'] },
    a: { file: 'a.json', modelKey: 'm/weak' },
    rates: { extraction: { test: { informative: 3 } } },
  })
})

test.for<[string, readonly string[], RegExp]>([
  [
    'one file',
    ['a.json'],
    /OPTION_INVALID .*FILE: takes two result files, and was given 1; fix: modelrig-probes compare/,
  ],
  ['three files', ['a.json', 'a.json', 'a.json'], /takes two result files, and was given 3/],
  ['a file that is not there', ['a.json', 'no.json'], /RESULT_UNREADABLE .*no\.json/],
  ['another class', ['a.json', 'schema.json'], /COMPARE_REFUSED .*schema\.json: class: is of class schema/],
  [
    'a file that does not hold together',
    ['a.json', 'changed.json'],
    /RESULT_INVALID .*changed\.json: \/stats\/0\/conform\/n: .*see modelrig-probes verify changed\.json/,
  ],
  [
    'a file of ModelRig’s',
    ['a.json', 'old.json'],
    /COMPARE_REFUSED .*old\.json: was published by ModelRig.*--against old\.json/,
  ],
  ['no shared fixture', ['a.json', 'strange.json'], /COMPARE_REFUSED .*shares no measured fixture with a\.json/],
  ['a file nested beyond all measure', ['a.json', 'deep.json'], /RESULT_INVALID .*deep\.json: nested more than/],
  ['an unknown flag', ['a.json', 'a.json', '--yaml'], /--yaml: is no flag of compare; allowed: --json/],
])('%s is refused with status 1', async ([, args, message]) => {
  const cases = [caseMeta('a', [sample(0)], { probeClass: 'schema' })]
  const schema = buildResult({ ...RUN, probeClass: 'schema' }, cases)
  const strange = resultOf('m/x', { other: 1 }, 1)
  const project = projectWith({ 'a.json': WEAK, 'schema.json': schema, 'strange.json': strange })
  const changed = JSON.stringify(schema).replace('"conform":{"successes":1,"n":1', '"conform":{"successes":1,"n":2')
  project.write('changed.json', changed)
  project.write('old.json', JSON.stringify(OLD))
  project.write('deep.json', `{"formatVersion":1,"raw":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)
  const { status, output } = await project.cli(['compare', ...args])
  expect(output).toMatch(message)
  expect(status).toBe(1)
})

test('simulated models of known true rates: a worse one is told from a good one, a good one not from itself', async () => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer' } },
    required: ['n'],
    additionalProperties: false,
  }
  const fixture = (id: string) =>
    JSON.stringify({ id, class: 'schema', domain: 'general', prompt: `Count ${id}.`, schema, expectedValues: { n: 3 } })
  const project = tempProject({
    'vitest.config.ts': PLAIN_CONFIG,
    'probes/schema.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('schema')\n`,
    ...Object.fromEntries(['one', 'two', 'three'].map((id) => [`fixtures/schema/${id}.json`, fixture(id)])),
  })
  const models = 'sim/steady,sim/steady:2,sim/careless'
  const { status } = await project.cli(['run', '--model', models, '--class', 'schema', '--samples', '60', '--out', 'r'])
  expect(status).toBe(0)
  const fileOf = (model: string): string => {
    const found = Object.entries(project.results('r')).find(([, one]) => one.modelKey === model)
    return `r/${found![0]}`
  }
  const compare = async (a: string, b: string): Promise<Comparison> => {
    const { output } = await project.cli(['compare', fileOf(a), fileOf(b), '--json'])
    return JSON.parse(output) as Comparison
  }
  const worse = await compare('sim/steady', 'sim/careless')
  // True rates of conform: 0.95 and 0.7.
  expect(worse.verdict).toMatchObject({ kind: 'a_better', mayNotCarryOver: false })
  const [lower, upper] = worse.rates.conform!.difference!.ci95
  expect(lower <= -0.25 && -0.25 <= upper).toBe(true)
  expect((await compare('sim/steady', 'sim/steady:2')).verdict.kind).toBe('no_difference_shown')
})
