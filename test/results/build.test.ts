import { expect, test } from 'vitest'
import type { CaseMeta } from '../../src/model/case-meta.ts'
import { buildResult } from '../../src/results/build.ts'
import { resultProblems } from '../../src/results/format.ts'
import { caseMeta, RUN, sample, unscored } from '../support/samples.ts'

const build = (cases: CaseMeta[], run: Partial<typeof RUN> = {}) => buildResult({ ...RUN, ...run }, cases)

const wrong = (index: number) => sample(index, { valueAccuracy: 0.5 })
const unparsed = (index: number) => sample(index, { parseOk: false, schemaConform: false, valueAccuracy: null })
const envelope = { code: 'ENVELOPE_EXCEEDED', message: 'reached', spentUsd: 1, envelopeUsd: 1 } as const

test('every number of a small run, worked out by hand', () => {
  const result = build([
    caseMeta('b', [sample(0), wrong(1), unparsed(2), unscored(3)], {
      fixtureHash: 'bbbbbbbbbbbbbbbb',
      difficulty: 'hard',
      domain: 'legal',
      subtype: 's',
    }),
    caseMeta('a', [sample(0), sample(1), sample(2), sample(3)], { family: 'demo-rig' }),
  ])
  expect(result).toMatchObject({
    formatVersion: 1,
    modelKey: 'm/x',
    class: 'image',
    date: '2026-01-02T03:04:05.678Z',
    simulated: false,
    complete: false,
    stopReason: 'unscored_samples',
    samplesPerFixture: 4,
    envelopeUsd: 2,
    totalCostUsd: 0.12,
    priceSource: 'list',
    shard: null,
    fixtureHashes: { a: '0123456789abcdef', b: 'bbbbbbbbbbbbbbbb' },
    fixtureFamilies: { a: 'demo-rig', b: 'probe-suite' },
    fixtureDifficulties: { a: 'standard', b: 'hard' },
    fixtureDomains: { a: 'finance', b: 'legal' },
    fixtureSubtypes: { b: 's' },
  })
  const counts = (block: (typeof result)['overall'] | (typeof result)['stats'][number] | undefined) =>
    [block?.parse, block?.conform, block?.values, block?.extraction].map((rate) => `${rate?.successes}/${rate?.n}`)
  expect(result.stats.map(({ fixtureId }) => fixtureId)).toEqual(['a', 'b'])
  expect(counts(result.stats[0])).toEqual(['4/4', '4/4', '4/4', '4/4'])
  expect(counts(result.stats[1])).toEqual(['2/3', '2/3', '1/2', '1/3'])
  expect(counts(result.overall)).toEqual(['6/7', '6/7', '5/6', '5/7'])
  expect(counts(result.by_family['demo-rig'])).toEqual(['4/4', '4/4', '4/4', '4/4'])
  expect(counts(result.by_difficulty['hard'])).toEqual(['2/3', '2/3', '1/2', '1/3'])
  expect(Object.keys(result.by_domain)).toEqual(['finance', 'legal'])
  expect(Object.keys(result.by_subtype ?? {})).toEqual(['s'])
  expect(counts(result.by_subtype?.['s'])).toEqual(['2/3', '2/3', '1/2', '1/3'])
  expect(result.stats[1]).toMatchObject({ samples: 4, scored: 3, unscored: 1, valueAccuracyMean: 0.75 })
  expect(result.stats[1]!.meanCostUsd).toBeCloseTo((3 * 0.01 + 0.05) / 4, 12)
  expect(result.raw['b']).toHaveLength(4)
})

test('what is built matches the shipped format, also when nothing was measured', () => {
  expect(resultProblems(build([caseMeta('a', [sample(0)])]), 'x')).toEqual([])
  expect(resultProblems(build([caseMeta('a', [], { samplesWanted: 3, refusal: envelope })]), 'x')).toEqual([])
  expect(resultProblems(build([caseMeta('a', [unscored(0)])]), 'x')).toEqual([])
})

test('fixtures are grouped by subtype where they have one', () => {
  const tagged = (id: string, subtype: string | null) => caseMeta(id, [sample(0), wrong(1)], { subtype })
  const result = build([tagged('a', 'x.y'), tagged('b', null), tagged('c', 'x.y'), tagged('d', '__proto__')])
  expect(Object.keys(result.by_subtype ?? {})).toEqual(['__proto__', 'x.y'])
  expect(Object.entries(result.by_subtype ?? {})).toMatchObject([
    ['__proto__', { fixtures: 1, extraction: { successes: 1, n: 2 } }],
    ['x.y', { fixtures: 2, extraction: { successes: 2, n: 4 } }],
  ])
  expect(resultProblems(JSON.parse(JSON.stringify(result)), 'r')).toEqual([])
  expect(build([tagged('a', null)])).not.toHaveProperty('by_subtype')
})

test('a complete run', () => {
  expect(build([caseMeta('a', [sample(0)])])).toMatchObject({ complete: true, stopReason: null })
})

test('a run that lacks samples says why; the envelope goes before the rest', () => {
  const short = (refusal: CaseMeta['refusal']) => caseMeta('a', [sample(0)], { samplesWanted: 3, refusal })
  const interrupted = { code: 'INTERRUPTED', message: 'x' } as const
  expect(build([short(envelope)])).toMatchObject({ complete: false, stopReason: 'envelope_exceeded' })
  expect(build([short(envelope)], { interrupted: true })).toMatchObject({ stopReason: 'envelope_exceeded' })
  expect(build([short(interrupted)])).toMatchObject({ complete: false, stopReason: 'interrupted' })
  expect(build([short(null)], { interrupted: true })).toMatchObject({ stopReason: 'interrupted' })
  expect(build([short(null)])).toMatchObject({ complete: false, stopReason: 'unscored_samples' })
})

test('a fixture that could not be measured at all has a hash but no row', () => {
  const result = build([caseMeta('a', [sample(0)]), caseMeta('z', [], { samplesWanted: 1, refusal: envelope })])
  expect(Object.keys(result.fixtureHashes)).toEqual(['a', 'z'])
  expect([result.stats.map(({ fixtureId }) => fixtureId), Object.keys(result.raw)]).toEqual([['a'], ['a']])
})

test('the canary is in the file and in the total, and in no sample', () => {
  const canary = {
    enforced: true,
    failureClass: null,
    output: '{"signal":"cerulean"}',
    servedModel: 'm-1',
    attempts: 1,
    costUsd: null,
    costUpperBoundUsd: 0.3,
    requestHash: 'h',
    startedAt: '2026-01-01T00:00:00.000Z',
  }
  const result = buildResult(RUN, [caseMeta('a', [sample(0), sample(1)], { canary }), caseMeta('b', [sample(0)])])
  expect(result).toMatchObject({ canary, totalCostUsd: 0.33, overall: { meanCostUsd: 0.01 } })
  expect(resultProblems(result, 'r')).toEqual([])
  expect(buildResult(RUN, [caseMeta('a', [sample(0)])])).not.toHaveProperty('canary')
})

test('the pace of the account is in the file, where it is known', () => {
  const pacing = {
    bound: 64,
    clean: 900,
    rateLimited: 3,
    strained: 1,
    changes: [
      { at: '2026-01-01T00:00:00.000Z', reason: 'start' as const, limit: 20 },
      { at: '2026-01-01T00:00:09.000Z', reason: 'rate_limited' as const, limit: 10, from: 20, pausedMs: 1500 },
    ],
    unlisted: 0,
  }
  const result = buildResult({ ...RUN, pacing }, [caseMeta('a', [sample(0)])])
  expect(result.pacing).toEqual(pacing)
  expect(resultProblems(result, 'r')).toEqual([])
  expect(resultProblems({ ...result, pacing: { ...pacing, bound: 0 } }, 'r')).toHaveLength(1)
  expect(buildResult({ ...RUN, pacing: null }, [caseMeta('a', [sample(0)])])).not.toHaveProperty('pacing')
})
