import { expect, test } from 'vitest'
import type { Sample } from '../../src/model/sample.ts'
import { buildResult } from '../../src/results/build.ts'
import { withChecksums } from '../../src/results/checksums.ts'
import type { ResultFile } from '../../src/results/format.ts'
import { verifyResult } from '../../src/results/verify-value.ts'
import { caseMeta, RUN, sample, unscored } from '../support/samples.ts'

const wrong = (index: number): Sample =>
  sample(index, { valueAccuracy: 0.75, mismatches: [{ path: 'a', expected: 1 }], costUsd: 0.003, latencyMs: 250 })
const broken = (index: number): Sample =>
  sample(index, { parseOk: false, schemaConform: false, valueAccuracy: null, latencyMs: 70 })

function honest(): ResultFile {
  return buildResult(RUN, [
    caseMeta('a', [sample(0), wrong(1), broken(2)]),
    caseMeta('b/c', [sample(0), sample(1), wrong(2)], { difficulty: 'hard', subtype: 's' }),
  ])
}

/** As it comes out of a file. */
const reread = (result: ResultFile): ResultFile => JSON.parse(JSON.stringify(result)) as ResultFile
const pathsOf = (value: unknown): string[] => verifyResult(value).findings.map(({ path }) => path)

test('honest files hold together: whole, with faults, sharded, stopped early', () => {
  expect(pathsOf(reread(honest()))).toEqual([])
  const faulty = buildResult(RUN, [caseMeta('a', [sample(0), unscored(1)])])
  expect([faulty.complete, pathsOf(reread(faulty))]).toEqual([false, []])
  // Of two fixtures the second takes the other half: place and index together make the shard.
  const shard = { shard: '1/2', samplesWanted: 4, samplesDue: 2 }
  const sharded = buildResult(RUN, [
    caseMeta('a', [sample(0), sample(2)], shard),
    caseMeta('b', [sample(1), sample(3)], shard),
  ])
  expect([sharded.complete, pathsOf(reread(sharded))]).toEqual([true, []])
  const refusal = { code: 'ENVELOPE_EXCEEDED' as const, message: 'm' }
  const stopped = buildResult(RUN, [caseMeta('a', [sample(0), sample(2)], { samplesWanted: 3, refusal })])
  expect([stopped.stopReason, pathsOf(reread(stopped))]).toEqual(['envelope_exceeded', []])
})

test('every number of the statistics is named when it is another', () => {
  const result = reread(honest())
  const numbers: [string, (value: unknown) => void, number][] = []
  const walk = (node: object, path: string): void => {
    for (const [key, value] of Object.entries(node)) {
      const here = `${path}/${key.replaceAll('/', '~1')}`
      if (typeof value === 'number') numbers.push([here, (to) => Object.assign(node, { [key]: to }), value])
      else if (typeof value === 'object' && value !== null) walk(value as object, here)
    }
  }
  for (const field of ['stats', 'overall', 'by_family', 'by_difficulty', 'by_domain', 'by_subtype'] as const)
    walk(result[field] ?? {}, `/${field}`)
  expect(numbers.length).toBeGreaterThan(200)
  for (const [path, set, value] of numbers) {
    set(value === 0 ? 1e-6 : value * (1 + 1e-6))
    expect(pathsOf(result)).toContain(path)
    set(value)
  }
  expect(pathsOf(result)).toEqual([])
})

test('rounding is no difference, and what differs is told with its true value', () => {
  const result = reread(honest())
  result.stats[0]!.meanLatencyMs = 140 * (1 + 1e-12)
  expect(pathsOf(result)).toEqual([])
  // Of 100, 250 and 70 ms.
  result.stats[0]!.meanLatencyMs = 141
  expect(verifyResult(result).findings).toMatchObject([{ path: '/stats/0/meanLatencyMs', recorded: 141, actual: 140 }])
})

const changed = (index: number, change: Partial<Sample>) => (result: ResultFile) => {
  Object.assign(result.raw['a']![index]!, change)
}

test.for<[string, (result: ResultFile) => unknown, string]>([
  ['a sample is dropped', (r) => r.raw['a']!.splice(1, 1), '/raw/a'],
  ['the last sample of every fixture is dropped', (r) => Object.values(r.raw).map((s) => s.pop()), '/fixtureSamples/a'],
  [
    'the same in an older file',
    (r) => [Object.values(r.raw).map((s) => s.pop()), delete r.fixtureSamples],
    '/samplesPerFixture',
  ],
  ['the last sample of one fixture is dropped', (r) => r.raw['b/c']!.pop(), '/fixtureSamples/b~1c'],
  ['a sample is doubled', (r) => r.raw['a']!.push(structuredClone(r.raw['a']![0]!)), '/raw/a/3/index'],
  ['an index beyond the run', (r) => (r.raw['a']![2]!.index = 3), '/raw/a/2/index'],
  ['a row is dropped', (r) => r.stats.pop(), '/stats'],
  ['a row is doubled', (r) => r.stats.push(r.stats[0]!), '/stats/2'],
  ['a row has no samples', (r) => delete r.raw['a'], '/stats/0'],
  ['a rate is taken out', (r) => delete r.stats[0]!.conform, '/stats/0/conform'],
  [
    'all rates of conformity are taken out',
    (r) => [...r.stats, r.overall].map((b) => delete b.conform),
    '/overall/conform',
  ],
  ['a group is added', (r) => (r.by_domain['x'] = r.overall), '/by_domain/x'],
  ['samples of an unknown fixture', (r) => (r.raw['z'] = [sample(0)]), '/raw/z'],
  ['a fixture without samples', (r) => (r.raw['a'] = []), '/raw/a'],
  ['a tag is taken out', (r) => delete r.fixtureDomains['a'], '/fixtureDomains/a'],
  ['a tag is changed', (r) => (r.fixtureFamilies['a'] = 'x'), '/by_family/x'],
  ['the total', (r) => (r.totalCostUsd += 0.01), '/totalCostUsd'],
  ['the total leaves out the canary', (r) => (r.canary = CANARY), '/totalCostUsd'],
  ['complete, and it is not', (r) => changed(0, { scored: false, failureClass: 'network' })(r), '/stopReason'],
  ['not complete, and it is', (r) => Object.assign(r, { complete: false, stopReason: 'interrupted' }), '/stopReason'],
  ['complete with a reason', (r) => (r.stopReason = 'interrupted'), '/complete'],
  ['a fault is scored', changed(0, { failureClass: 'timeout', parseOk: false }), '/raw/a/0/scored'],
  ['a refusal is not scored', changed(0, { scored: false, failureClass: 'refusal' }), '/raw/a/0/scored'],
  ['values without conformity', changed(2, { valueAccuracy: 1 }), '/raw/a/2/valueAccuracy'],
  ['conforms without parsing', changed(0, { parseOk: false }), '/raw/a/0/schemaConform'],
  ['a share of no number of values', changed(1, { valueAccuracy: 0.7 }), '/raw/a/1/valueAccuracy'],
  ['all values match but for one', changed(1, { valueAccuracy: 1 }), '/raw/a/1/valueAccuracy'],
  ['unknown cost without bound', changed(0, { costUsd: null }), '/raw/a/0/costUsd'],
  ['known cost with a bound', changed(0, { costUpperBoundUsd: 1 }), '/raw/a/0/costUpperBoundUsd'],
  ['cut at the limit and no failure', changed(0, { finishReason: 'length' }), '/raw/a/0/failureClass'],
  ['no text and no failure', changed(0, { output: ' \n' }), '/raw/a/0/failureClass'],
  ['scored without a reply', changed(0, { output: null, finishReason: null }), '/raw/a/0/output'],
  ['a size without a hash', changed(0, { outputBytes: 300_000 }), '/raw/a/0/outputSha256'],
  ['the hash of another output', changed(0, { outputBytes: 11, outputSha256: 'ab' }), '/raw/a/0/outputSha256'],
  ['a whole output is called cut', changed(0, { outputBytes: 12, outputSha256: 'ab' }), '/raw/a/0/outputBytes'],
  ['citations where none are looked at', changed(0, { citationCount: 1 }), '/raw/a/0/citationCount'],
  ['native, and why not', changed(0, { rungFallback: 'schema_rejected' }), '/raw/a/0/rung'],
  ['a field is no field', (r) => Object.assign(r, { extra: 1 }), ''],
  ['a count is negative', (r) => (r.stats[0]!.samples = -1), '/stats/0/samples'],
])('named: %s', ([, tamper, path]) => {
  const result = reread(honest())
  tamper(result)
  expect(pathsOf(result)).toContain(path)
})

test.for<[string, Record<string, unknown>, string]>([
  ['rows are none', { stats: {} }, '/stats'],
  ['a row is none', { stats: [null] }, '/stats/0'],
  ['a row has no fixture', { stats: [{ samples: 1 }] }, '/stats/0'],
  ['a row is of a number', { stats: [{ fixtureId: 7 }] }, '/stats/0/fixtureId'],
  ['the pool is none', { overall: null }, '/overall'],
  ['the pool is empty', { overall: {} }, '/overall'],
  ['groups are a list', { by_family: [] }, '/by_family'],
  ['a group is none', { by_domain: { finance: 'x' } }, '/by_domain/finance'],
  [
    'a rate has words',
    { by_difficulty: { standard: { parse: { rate: 'high' } } } },
    '/by_difficulty/standard/parse/rate',
  ],
  ['a subtype is none', { by_subtype: { x: 1 } }, '/by_subtype/x'],
])('what would follow from the samples and is of another kind makes a file none: %s', ([, fields, path]) => {
  const { result, findings } = verifyResult({ ...reread(withChecksums(honest())), ...fields })
  expect([result, findings.map((finding) => finding.path)]).toEqual([null, expect.arrayContaining([path])])
})

test('of very many wrong things beside the samples the first is told', () => {
  const many = Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [`k${at}`, at]))
  const rows = Array.from({ length: 300_000 }, () => ({ fixtureId: 'x' }))
  for (const fields of [{ overall: many }, { by_family: many }, { stats: rows }])
    expect(verifyResult({ ...reread(honest()), ...fields }).findings).toHaveLength(1)
})

test.for<[string, (result: ResultFile) => unknown, string]>([
  ['a count that is none', (r) => (r.stats[0]!.samples += 1e-9), '/stats/0/samples'],
  ['a rate above all', (r) => (r.overall.parse!.rate = 1 + 1e-10), '/overall/parse/rate'],
  ['an interval that begins below nothing', (r) => (r.overall.conform!.ci95![0] = -1e-300), '/overall/conform/ci95/0'],
])('what differs by no more than rounding is still of its kind: %s', ([, tamper, path]) => {
  const result = reread(honest())
  tamper(result)
  expect(pathsOf(result)).toContain(path)
})

test('of misshapen samples and of what is misshapen beside them all is told', () => {
  const result = { ...reread(honest()), overall: null }
  Object.assign(result.raw['a']!, { 0: null })
  expect(
    verifyResult(result)
      .findings.map(({ path }) => path)
      .toSorted(),
  ).toEqual(['/overall', '/raw/a/0'])
})

const CANARY: NonNullable<ResultFile['canary']> = {
  enforced: true,
  failureClass: null,
  output: '{}',
  servedModel: null,
  attempts: 1,
  costUsd: 0.5,
  requestHash: 'h',
  startedAt: '2026-01-01T00:00:00.000Z',
}

test.for<[string, (result: ResultFile) => unknown, string[]]>([
  ['nothing', () => undefined, []],
  ['a token', changed(1, { tokensIn: 101 }), ['/raw/a/1']],
  ['a boolean', changed(2, { replayed: true }), ['/raw/a/2']],
  ['the served model', changed(0, { servedModel: 'm-2' }), ['/raw/a/0']],
  [
    'a whole fixture’s samples',
    (r) => Object.assign(r.raw, { a: structuredClone(r.raw['b/c']) }),
    ['/raw/a/1', '/raw/a/2'],
  ],
  ['the day', (r) => (r.date = '2026-01-03T03:04:05.678Z'), ['/date']],
  ['the model', (r) => (r.modelKey = 'm/y'), ['/modelKey']],
  ['a hash', (r) => (r.fixtureHashes['a'] = '1123456789abcdef'), ['/fixtureHashes']],
  ['the envelope', (r) => (r.envelopeUsd = 3), ['/envelopeUsd']],
  ['a last digit', (r) => (r.stats[0]!.conformCi95![0] += 1e-16), ['/stats']],
  ['a checksum', (r) => (r.checksums!.fields['date'] = '00000000'), ['/date']],
  [
    'a sample and its checksum are dropped',
    (r) => [r.raw['a']!.pop(), r.checksums!.samples['a']!.pop()],
    ['/overall/samples'],
  ],
])('named although nothing follows from it: %s', ([, tamper, paths]) => {
  const result = reread(withChecksums(honest()))
  tamper(result)
  expect(pathsOf(result)).toEqual(paths.length === 0 ? [] : expect.arrayContaining(paths))
})

/** Another value of the same kind. */
function other(value: unknown): unknown {
  if (typeof value === 'number') return value === 0 ? 1 : value / 2
  if (typeof value === 'boolean') return !value
  return value === null ? 0 : `${String(value)}0`
}

test('not one value of a written file can be another unnoticed', () => {
  const result = reread(withChecksums(honest()))
  let changes = 0
  const walk = (node: object): void => {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'object' && value !== null) {
        walk(value as object)
        continue
      }
      Object.assign(node, { [key]: other(value) })
      expect([key, value, pathsOf(result).length > 0]).toEqual([key, value, true])
      Object.assign(node, { [key]: value })
      changes += 1
    }
  }
  walk(result)
  expect(changes).toBeGreaterThan(500)
  expect(pathsOf(result)).toEqual([])
})

test('a shard has its own samples, and all of them', () => {
  const shard = { shard: '1/2', samplesWanted: 4, samplesDue: 2 }
  const result = reread(buildResult(RUN, [caseMeta('a', [sample(0), sample(2)], shard)]))
  result.raw['a']![1]!.index = 3
  expect(pathsOf(result)).toEqual(['/raw/a/1/index', '/raw/a'])
})

const looked = (overrides: Partial<Sample>): Sample =>
  sample(0, {
    schemaConform: null,
    valueAccuracy: null,
    grounded: true,
    citationCount: 1,
    citations: [{ url: 'https://a.example/', kind: 'native' }],
    searchRequested: true,
    searched: true,
    ...overrides,
  })
const cached = (overrides: Partial<Sample>): Sample =>
  sample(0, { schemaConform: null, valueAccuracy: null, cachedTokens: 50, cachedShare: 0.5, ...overrides })

test.for<[string, 'grounding' | 'caching', Sample, string[]]>([
  ['honest', 'grounding', looked({}), []],
  ['not searched', 'grounding', looked({ searched: false }), ['citations', 'grounded']],
  ['another count', 'grounding', looked({ citationCount: 2 }), ['citationCount']],
  ['only written', 'grounding', looked({ citations: [{ url: 'https://a.example/', kind: 'text' }] }), ['grounded']],
  ['not called grounded', 'grounding', looked({ grounded: false }), ['grounded']],
  ['conforms to nothing', 'grounding', looked({ schemaConform: true }), ['schemaConform']],
  ['honest', 'caching', cached({}), []],
  ['another share', 'caching', cached({ cachedShare: 0.6 }), ['cachedShare']],
  ['no figure', 'caching', cached({ cachedTokens: null, cachedShare: null }), ['cachedTokens']],
])('a sample of its class contradicts itself: %s (%s)', ([, probeClass, one, fields]) => {
  const result = buildResult({ ...RUN, probeClass } as never, [caseMeta('a', [one], { probeClass, hasSchema: false })])
  expect(pathsOf(reread(result))).toEqual(fields.map((field) => `/raw/a/0/${field}`))
})

test('samples that are missing altogether are named, be nothing measured', () => {
  const { raw: _raw, ...without } = { ...buildResult(RUN, []), complete: false, stopReason: 'interrupted' as const }
  expect(pathsOf({ ...without, raw: {} })).toEqual([])
  expect(verifyResult(without)).toMatchObject({
    result: null,
    findings: [{ path: '', message: "must have required property 'raw'" }],
  })
})

test('nothing stands unseen at a name with a line break', () => {
  const odd = buildResult(RUN, [caseMeta('a\nb', [sample(0)], { fixtureHash: { any: 1 } as never })])
  expect(verifyResult(reread(odd))).toMatchObject({ result: null })
  const messages = verifyResult(reread(odd)).findings.map(({ path, message }) => `${path} ${message}`)
  expect(messages).toContain('/fixtureHashes must NOT have additional properties: a\nb')
})

test('a shard that is no part of a run is named, and nothing is held against its indexes', () => {
  const sharded = buildResult(RUN, [caseMeta('a', [sample(0)], { shard: '1/2', samplesWanted: 2, samplesDue: 1 })])
  expect(pathsOf(reread(sharded))).toEqual([])
  expect(pathsOf({ ...reread(sharded), shard: '5/4' })).toEqual(['/shard'])
})
