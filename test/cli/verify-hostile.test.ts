import { expect, test } from 'vitest'
import { fixtureHash } from '../../src/fixtures/hash.ts'
import type { Fixture } from '../../src/model/fixture.ts'
import type { Sample } from '../../src/model/sample.ts'
import { buildResult } from '../../src/results/build.ts'
import { withChecksums } from '../../src/results/checksums.ts'
import type { ResultFile } from '../../src/results/format.ts'
import { caseMeta, RUN, sample, unscored } from '../support/samples.ts'
import { tempProject } from '../support/temp-project.ts'

const fixture = (id: string): Fixture => ({
  id,
  class: 'schema',
  domain: 'finance',
  prompt: 'p',
  schema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
  expectedValues: { total: 7 },
})

function resultOf(samples: readonly Sample[], id = 'a'): ResultFile {
  const meta = caseMeta(id, [...samples], { probeClass: 'schema', fixtureHash: fixtureHash(fixture(id), null) })
  return withChecksums(buildResult({ ...RUN, probeClass: 'schema' } as never, [meta]))
}

const right = (index: number, overrides: Partial<Sample> = {}): Sample => sample(index, overrides)
const checked = (verdict: boolean | null): Partial<Sample> => ({ checks: { own: verdict } })
const NONE = { schemaConform: false, valueAccuracy: null, violations: [] }

test.for<[string, ResultFile, RegExp]>([
  [
    'a check that passed what it cannot have seen',
    resultOf([right(0, { ...NONE, ...checked(true) })]),
    /\/raw\/a\/0\/checks: .*fails every check/,
  ],
  [
    'a check of what was not scored',
    resultOf([right(0), { ...unscored(1), ...checked(true) }]),
    /\/raw\/a\/1\/checks: what is not scored has no verdict/,
  ],
  ['a check that one sample lacks', resultOf([right(0, checked(true)), right(1)]), /\/raw\/a\/1\/checks: lacks own/],
  [
    'a check with another name than any can have',
    resultOf([right(0, { checks: { 'x\u001b[1A': true } })]),
    /\/raw\/a\/0\/checks: must NOT have additional properties: x\\u001b\[1A/,
  ],
  [
    'a stop that nothing shows',
    { ...resultOf([right(0), right(1)]), complete: false, stopReason: 'envelope_exceeded' },
    /\/stopReason: every sample was taken/,
  ],
])('named: %s', async ([, result, message]) => {
  const { status, output } = await tempProject({ 'r.json': JSON.stringify(result) }).cli(['verify', 'r.json'])
  expect(output).toMatch(message)
  expect(status).toBe(1)
})

test('a fixture can have the name of what every object has', async () => {
  const result = resultOf([right(0), right(1)], 'constructor')
  const { fixtureSamples: _samples, checksums: _sums, ...older } = result
  const project = tempProject({
    'r/new.json': JSON.stringify(result),
    'r/older.json': JSON.stringify(older),
    'bad.json': JSON.stringify({ ...older, raw: {}, stats: [] }),
  })
  expect(await project.cli(['verify', 'r'])).toMatchObject({ status: 0 })
  const bad = await project.cli(['verify', 'bad.json'])
  expect(bad.output).toMatch(/stopReason: no sample of constructor was taken|overall\/samples|\/stopReason/)
  expect(bad.status).toBe(1)
})

test('what cannot be a file of ours is told in a line, and the others are checked', async () => {
  const good = JSON.stringify(resultOf([right(0)]))
  const project = tempProject({
    'r/date.json': good.replace(/"date":"[^"]*"/, '"date":"2026-99-99T00:00:00Z"'),
    'r/good.json': good,
    'r/index.json': good.replaceAll('"index":0', '"index":1000000000'),
    'r/infinite.json': good.replace(/"latencyMs":100/, '"latencyMs":1e999'),
    'r/twice.json': `{"totalCostUsd":999,${good.slice(1)}`,
  })
  const { status, output } = await project.cli(['verify', 'r'])
  expect(status).toBe(1)
  expect(output).toMatch(/^FAILED {2}5 files: 1 verified, 4 failed$/m)
  expect(output).toMatch(/VERIFIED {2}r\/good\.json/)
  expect(output).toContain('/totalCostUsd: stands twice: readers would see different files')
  for (const name of ['date', 'index', 'infinite']) expect(output).toMatch(new RegExp(`FAILED {2}r/${name}\\.json`))
  expect(output).not.toMatch(/^ {4}at /m)
})

test('of millions of things that are no samples the first are told, and the next file is checked', async () => {
  const good = JSON.stringify(resultOf([right(0)]))
  const head = good.replace(/,"raw":.*$/, '')
  const none = (raw: string): string => `${head},"raw":${raw}}`
  const project = tempProject({
    'r/a.json': none(`{"a":[${'{},'.repeat(2_000_000)}{}]}`),
    'r/b.json': none(`{${Array.from({ length: 200_000 }, (_, at) => `"${at}":[{}]`).join(',')}}`),
    'r/c.json': none(`{"a":[{${Array.from({ length: 400_000 }, (_, at) => `"x${at}":1`).join(',')}}]}`),
    'r/good.json': good,
  })
  const { status, output } = await project.cli(['verify', 'r', '--json'])
  expect(status).toBe(1)
  const { files } = JSON.parse(output) as { files: { file: string; ok: boolean; findings: unknown[] }[] }
  expect(files.map(({ ok }) => ok)).toEqual([false, false, false, true])
  for (const { findings } of files.slice(0, 2)) {
    expect(findings.length).toBeGreaterThan(900)
    expect(findings.length).toBeLessThan(1100)
  }
  expect(files[2]!.findings).toHaveLength(1)
})

test('what would leave no trace is remarked upon where there are no checksums', async () => {
  const { checksums: _sums, ...bare } = resultOf([right(0)])
  const project = tempProject({ 'bare.json': JSON.stringify(bare), 'whole.json': JSON.stringify(resultOf([right(0)])) })
  const [told, silent] = [await project.cli(['verify', 'bare.json']), await project.cli(['verify', 'whole.json'])]
  expect([told.status, told.output]).toEqual([0, expect.stringContaining('remark: /checksums: are missing')])
  expect([silent.status, silent.output]).toEqual([0, expect.not.stringContaining('remark')])
})

test('a key that stands twice is told, however deep the file is before it', async () => {
  const deep = `${'['.repeat(600)}1${']'.repeat(600)}`
  const mismatches = [{ path: 'total', expected: 'DEEP' }]
  const result = JSON.stringify(resultOf([right(0, { mismatches, valueAccuracy: 0 })]))
  const text = result.replace('"DEEP"', deep).replace(/\}$/, ',"formatVersion":1}')
  const { status, output } = await tempProject({ 'r.json': text }).cli(['verify', 'r.json'])
  expect([status, output]).toEqual([1, expect.stringContaining('/formatVersion: stands twice')])
})

test('what a file says cannot write over other lines', async () => {
  const result = resultOf([right(0)])
  const nasty = { ...result, modelKey: 'm/x\u001b[2K\u001b[1GVERIFIED  published.json' }
  const { output } = await tempProject({ 'r.json': JSON.stringify(nasty) }).cli(['verify', 'r.json'])
  // oxlint-disable-next-line no-control-regex
  expect(output).not.toMatch(/\u001b/)
  expect(output).toMatch(/^FAILED {2}r\.json .*m\/x\\u001b\[2K/)
})

test('graded again means that something was', async () => {
  const cut = right(0, { output: 'x'.repeat(262_144), outputBytes: 262_145, outputSha256: 'ab' })
  const project = tempProject({
    'r.json': JSON.stringify(resultOf([cut])),
    'fixtures/schema/a.json': JSON.stringify(fixture('a')),
  })
  expect(await project.cli(['verify', 'r.json'])).toMatchObject({ status: 0 })
  const again = await project.cli(['verify', 'r.json', '--regrade'])
  expect([again.status, again.output.includes('0 samples graded again')]).toEqual([1, true])
})

test('a file of which several fixtures cannot be checked keeps no other from being checked', async () => {
  const meta = (id: string) => {
    const samples = [right(0, { mismatches: [{ path: '/x', expected: 'none' }] })]
    return caseMeta(id, samples, { probeClass: 'schema', fixtureHash: fixtureHash(fixture(id), null) })
  }
  // The first is at hand, and graded in a thread; the second is looked at meanwhile.
  const two = buildResult({ ...RUN, probeClass: 'schema' } as never, [meta('a'), meta('b')])
  const project = tempProject({
    'fixtures/schema/a.json': JSON.stringify(fixture('a')),
    'bad.json': JSON.stringify(two).replaceAll('"none"', '1e999'),
    'good.json': JSON.stringify(resultOf([right(0)])),
  })
  const { status, output } = await project.cli(['verify', 'bad.json', 'good.json', '--regrade'])
  expect(output).toMatch(/bad\.json: cannot be checked: Infinity/)
  expect(output).toMatch(/VERIFIED  good\.json[^]*2 files: 1 verified, 1 failed/)
  expect(status).toBe(1)
})
