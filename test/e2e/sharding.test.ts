import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ResultFile } from '../../src/results/format.ts'
import { configWith, imageFixture, png, tempProject, type TempProject } from '../support/temp-project.ts'

/** Four fixtures in two files that name them out of order; one asks for more samples than the run. */
async function project(config = ''): Promise<TempProject> {
  const inline = imageFixture('aa-inline')
  return tempProject({
    'vitest.config.ts': configWith(config),
    'probes/one.image.probe.ts': `import { probeFixtures } from 'modelrig-probes'\nprobeFixtures('image')\n`,
    'probes/two.image.probe.ts': `import { probe } from 'modelrig-probes'\nprobe(${inline}, { samples: 9 })\n`,
    'fixtures/image/blank.png': await png(),
    ...Object.fromEntries(['b', 'c', 'd'].map((id) => [`fixtures/image/${id}.json`, imageFixture(id)])),
  })
}

const MEASURED_TIMES: ReadonlySet<string> = new Set([
  'checksums',
  'date',
  'startedAt',
  'latencyMs',
  'meanLatencyMs',
  'pacing',
])

/** A result without what no two runs share: when it was, how long it took, how it was paced, and checksums of that. */
const withoutTimes = (result: ResultFile): unknown =>
  JSON.parse(JSON.stringify(result, (key, value: unknown) => (MEASURED_TIMES.has(key) ? undefined : value)))

const indexes = (result: ResultFile, id: string): number[] => (result.raw[id] ?? []).map(({ index }) => index)

test('four shards of a run, merged, are the run', async () => {
  const { cli, results, read, root } = await project()
  const measure = async (out: string, ...more: string[]): Promise<ResultFile> => {
    const args = ['run', '--class', 'image', '--model', 'sim/careless', '--samples', '6', '--out', out, ...more]
    const { status, output } = await cli(args)
    expect([status, output]).toEqual([0, expect.any(String)])
    return Object.values(results(out))[0]!
  }
  const whole = await measure('whole')
  const shards: ResultFile[] = []
  for (const index of [1, 2, 3, 4]) shards.push(await measure('parts', '--shard', `${index}/4`))
  // All four wrote on this machine, on one day: none overwrote another.
  const names = Object.keys(results('parts'))
  expect(names).toHaveLength(4)
  const first = Object.values(results('parts')).find(({ shard }) => shard === '1/4')!
  expect(first).toMatchObject({ complete: true, samplesPerFixture: 9, envelopeUsd: 0.25, runEnvelopeUsd: 1 })
  // By id: aa-inline is fixture 0, b 1, c 2, d 3; sample s of fixture f is of shard ((f + s) mod 4) + 1.
  expect(['aa-inline', 'b', 'c', 'd'].map((id) => indexes(first, id))).toEqual([[0, 4, 8], [3], [2], [1, 5]])

  const files = names.map((name) => join('parts', name))
  const merging = await cli(['merge', ...files, '--out', 'merged.json'])
  expect(merging).toEqual({ status: 0, output: 'merged.json: 4 shards, 4 fixtures, 27 samples\n' })
  const merged = JSON.parse(read('merged.json')) as ResultFile
  expect(merged.complete).toBe(true)
  expect(withoutTimes(merged)).toEqual(withoutTimes(whole))

  const again = await cli(['merge', ...files, '--out', 'merged.json'])
  expect(again.status).toBe(1)
  expect(again.output).toMatch(/^modelrig-probes: RESULTS_UNWRITABLE  merged\.json: is there already/)
  const three = await cli(['merge', ...files.slice(1), '--out', 'three.json'])
  expect(three.status).toBe(0)
  expect(three.output).toMatch(/incomplete: missing shards: \d\n$/)
  const twice = await cli(['merge', files[0]!, files[0]!, '--out', 'twice.json'])
  expect(twice.status).toBe(1)
  expect(twice.output).toMatch(/^modelrig-probes: MERGE_REFUSED .*: shard: .* is shard \d\/4 as well\n$/)
  writeFileSync(join(root, 'newer.json'), '{"formatVersion": 2}')
  const newer = await cli(['merge', 'newer.json', '--out', 'n.json'])
  expect(newer.output).toMatch(/^modelrig-probes: RESULT_INVALID  newer\.json: formatVersion: 2 is newer/)
  expect(newer.status).toBe(1)
})

test.for<[string, string[], RegExp]>([
  ['no output', ['a.json'], /--out: is missing/],
  ['no file', ['--out', 'm.json'], /FILE: name the files to merge/],
  ['a file that is not there', ['a.json', '--out', 'm.json'], /RESULT_UNREADABLE {2}a\.json: there is no such file/],
])('merge with %s says so in one line, with status 1', async ([, args, message]) => {
  const { status, output } = await tempProject({}).cli(['merge', ...args])
  expect(output).toMatch(message)
  expect(output.trim().split('\n')).toHaveLength(1)
  expect(status).toBe(1)
})

test('a shard with no sample of a case takes none, and the case passes', async () => {
  const { cli, results } = await project()
  const { status } = await cli([
    'run',
    '--model',
    'sim/perfect',
    '--samples',
    '1',
    '--shard',
    '7/8',
    '--class',
    'image',
  ])
  expect(status).toBe(0)
  const [result] = Object.values(results())
  // Of 12 samples of the whole run this one alone: sample 6 of fixture 0.
  expect(result!.raw).toEqual({ 'aa-inline': [expect.objectContaining({ index: 6 })] })
  expect(Object.keys(result!.fixtureHashes)).toEqual(['aa-inline', 'b', 'c', 'd'])
  expect(result!.complete).toBe(true)
})

test('a shard with no sample at all writes no file, and the others make the whole run without it', async () => {
  const { cli, results } = await project()
  const common = ['run', '--model', 'sim/perfect', '--class', 'image', '--fixture', 'b', '--samples', '2']
  for (const index of [1, 2, 3]) expect((await cli([...common, '--shard', `${index}/3`])).status).toBe(0)
  // Samples 0 and 1 of the only fixture are of shards 1 and 2.
  const files = Object.keys(results()).map((name) => join('results', name))
  expect(files).toHaveLength(2)
  const merging = await cli(['merge', ...files, '--out', 'merged.json'])
  expect(merging).toEqual({ status: 0, output: 'merged.json: 2 shards, 1 fixture, 2 samples\n' })
  const half = await cli(['merge', files[0]!, '--out', 'half.json'])
  expect(half.output).toMatch(/incomplete: missing shards: [12]\n$/)
})

test('a shard has its part of the envelope, rounded down', async () => {
  const price = `{ inputUsdPerMTok: 0, outputUsdPerMTok: 0, perCallUsd: 0.01 }`
  const { cli, results } = await project(
    `models: ['scripted/x'], providers: [scriptedProvider({ price: ${price}, reply: () => '{"total": 7}' })]`,
  )
  const { status, output } = await cli(['run', '--class', 'image', '--envelope', '0.08', '--shard', '1/3'])
  expect(status).toBe(2)
  expect(output).toContain('shard 1/3')
  expect(Object.values(results())).toMatchObject([
    { envelopeUsd: 0.026666666, runEnvelopeUsd: 0.08, totalCostUsd: 0.02, stopReason: 'envelope_exceeded' },
  ])
})

test('Vitest’s own --shard and --merge-reports work by file', async () => {
  const { vitest, results } = await project()
  const env = { PROBE_MODEL: 'sim/careless', PROBE_SAMPLES: '4' }
  for (const index of [1, 2]) {
    const blob = ['--reporter=blob', `--outputFile=.vitest/blob/${index}.json`]
    const args = ['run', '--project', 'image', `--shard=${index}/2`, ...blob]
    expect(await vitest(args, { ...env, PROBE_OUT: `part-${index}` })).toMatchObject({ status: 0 })
  }
  const parts = [1, 2].map((index) => Object.values(results(`part-${index}`))[0]!)
  expect(parts.map(({ raw }) => Object.keys(raw)).toSorted()).toEqual([['aa-inline'], ['b', 'c', 'd']])
  const merging = await vitest(['run', '--merge-reports'], { ...env, PROBE_OUT: 'merged' })
  expect([merging.status, merging.output]).toEqual([0, expect.any(String)])
  const [merged] = Object.values(results('merged'))
  expect(merged).toMatchObject({ complete: true, shard: null, samplesPerFixture: 9, overall: { samples: 21 } })
  expect(merged!.raw).toEqual({ ...parts[0]!.raw, ...parts[1]!.raw })
})
