import { expect, test } from 'vitest'
import type { Sample } from '../../src/model/sample.ts'
import { RegistrySchema } from '../../src/registry/registry-shape.ts'
import { checker } from '../../src/registry/read-json.ts'
import { sample, unscored } from '../support/samples.ts'
import { hashOf, MODEL, NOW, registryOf, resultOf, samplesOf } from '../support/registry.ts'

const day = (text: string): Date => new Date(`${text}T00:00:00Z`)
const right = (n: number): Sample[] => samplesOf(n, n, {}, {})
const wrong = (n: number): Sample[] => samplesOf(0, n, {}, { schemaConform: false, valueAccuracy: null })
const NEW = { startedAt: day('2026-01-20') }
const OLD = { startedAt: day('2026-01-05') }

test('the newest result of each fixture counts, and older files give the fixtures that it lacks', async () => {
  const registry = await registryOf({
    'old.json': resultOf('schema', { a: wrong(4), b: right(4), c: right(4) }, OLD),
    'new.json': resultOf('schema', { a: right(6), b: wrong(6) }, NEW),
    'oldest.json': resultOf('schema', { a: wrong(3), c: wrong(3) }, { startedAt: day('2026-01-01') }),
  })
  const { schema } = registry.models[MODEL]!.probed
  expect(schema!.files.map(({ file, fixtures }) => [file, fixtures])).toEqual([
    ['new.json', 2],
    ['old.json', 1],
  ])
  // 6 of a, none of 6 of b, 4 of c.
  expect(schema!.rates['conform']).toMatchObject({ successes: 10, n: 16, rate: 0.625 })
  expect(schema).toMatchObject({
    date: '2026-01-20T00:00:00.000Z',
    oldestDate: '2026-01-05T00:00:00.000Z',
    complete: true,
  })
  expect(Object.entries(schema!.fixtures).map(([id, row]) => [id, row.file, row.hash])).toEqual([
    ['a', 0, hashOf('a')],
    ['b', 0, hashOf('b')],
    ['c', 1, hashOf('c')],
  ])
  expect(registry.files).toMatchObject({ given: 3, used: 2, superseded: 1, refused: [] })
})

test('another version of a fixture does not come back from an older file', async () => {
  const other = { ...OLD, of: { fixtureHash: 'ffffffffffffffff' } }
  const registry = await registryOf({
    'old.json': resultOf('schema', { a: right(4) }, other),
    'new.json': resultOf('schema', { a: wrong(4) }, NEW),
  })
  expect(registry.models[MODEL]!.probed.schema!.rates['conform']).toMatchObject({ successes: 0, n: 4 })
})

test('a run that was cut short takes the place of no whole measurement, and is marked where it is all there is', async () => {
  const partial = { ...NEW, of: { samplesWanted: 10, samplesDue: 10 } }
  const registry = await registryOf({
    'old.json': resultOf('schema', { a: right(5) }, OLD),
    'new.json': resultOf('schema', { a: wrong(2), b: wrong(2) }, partial),
  })
  const { schema } = registry.models[MODEL]!.probed
  expect(schema!.fixtures['a']).toMatchObject({ scored: 5, file: 1 })
  expect(schema!.fixtures['b']).toMatchObject({ scored: 2, file: 0 })
  expect(schema!.complete).toBe(false)
})

test('what a newer run was cut short of, and an older one has, is not missing', async () => {
  const cut = { ...NEW, of: { samplesWanted: 5, samplesDue: 5 } }
  // Of b no sample was bought, of c two.
  const newer = resultOf('schema', { a: right(5), b: [], c: wrong(2) }, cut)
  expect(newer.complete).toBe(false)
  const probed = async (old: Record<string, Sample[]>, of = {}) =>
    (await registryOf({ 'new.json': newer, 'old.json': resultOf('schema', old, { ...OLD, of }) })).models[MODEL]!.probed
      .schema!
  const covered = await probed({ b: right(4), c: right(4) })
  expect(covered.complete).toBe(true)
  expect(covered.files.map(({ file, complete, fixtures }) => [file, complete, fixtures])).toEqual([
    ['new.json', false, 1],
    ['old.json', true, 2],
  ])
  expect(await probed({ b: right(4) })).toMatchObject({ complete: false, samples: 11 })
  expect((await probed({ c: right(4) })).complete).toBe(false)
})

test('what a newer run was to measure of another version does not come from an older file', async () => {
  const cut = { ...NEW, of: { samplesWanted: 5, samplesDue: 5 } }
  const registry = await registryOf({
    'new.json': resultOf('schema', { a: right(5), b: [] }, cut),
    'old.json': resultOf('schema', { b: wrong(4) }, { ...OLD, of: { fixtureHash: 'ffffffffffffffff' } }),
  })
  const { schema } = registry.models[MODEL]!.probed
  expect(Object.keys(schema!.fixtures)).toEqual(['a'])
  expect(schema!.complete).toBe(false)
})

test('a file that lacks samples, and does not say of which fixture, is incomplete', async () => {
  const cut = resultOf('schema', { a: right(2) }, { of: { samplesWanted: 5, samplesDue: 5 } })
  const { fixtureSamples: _unsaid, ...older } = cut
  const registry = await registryOf({ 'r.json': older })
  expect(registry.files.refused).toEqual([])
  expect(registry.models[MODEL]!.probed.schema).toMatchObject({ scored: 2, complete: false })
})

test('what faults spoiled is in no rate, and is counted', async () => {
  const registry = await registryOf({ 'r.json': resultOf('schema', { a: [sample(0), unscored(1)] }) })
  const { schema } = registry.models[MODEL]!.probed
  expect(schema).toMatchObject({ samples: 2, scored: 1, unscored: 1, complete: false })
  expect(schema!.rates['conform']).toMatchObject({ successes: 1, n: 1, bounds: [0.5, 1] })
  // One at 0.01, one of unknown cost at its bound of 0.05.
  expect(schema!.cost).toEqual({ samples: 2, totalUsd: 0.06, successes: 1, per1000Usd: 60, upperBound: true })
})

test('rates by difficulty, domain, family and rung; the hard tier is of right answers', async () => {
  const hard = resultOf(
    'schema',
    { a: samplesOf(1, 4, {}, { valueAccuracy: 0.5 }) },
    { of: { difficulty: 'hard', domain: 'legal' } },
  )
  const easy = resultOf('schema', { b: samplesOf(4, 4, { rung: 'json_mode' }, {}) }, { startedAt: day('2026-01-11') })
  const registry = await registryOf({ 'hard.json': hard, 'easy.json': easy })
  const { schema } = registry.models[MODEL]!.probed
  expect(schema!.hard).toMatchObject({ successes: 1, n: 4 })
  expect(schema!.by_difficulty['standard']!['right']).toMatchObject({ successes: 4, n: 4 })
  expect(Object.keys(schema!.by_domain)).toEqual(['finance', 'legal'])
  expect(schema!.by_domain['legal']!['values']).toMatchObject({ successes: 1, n: 4 })
  expect(schema!.by_family['probe-suite']!['conform']).toMatchObject({ n: 8 })
  expect(schema!.by_rung['native']!['conform']).toMatchObject({ successes: 4, n: 4 })
  expect(schema!.rungs).toEqual({ native: 4, json_mode: 4, none: 0 })
  expect(schema!.mechanism).toMatchObject({ exercised: 4, of: 8, rate: { successes: 4, n: 4 } })
})

test('what was asked for natively is told with what came of it: refused schemas are in it, faults are not', async () => {
  const refused = samplesOf(0, 3, {}, { rung: 'json_mode', rungFallback: 'schema_rejected' })
  const fault = { ...unscored(3), rung: 'json_mode', rungFallback: 'schema_rejected' } as Sample
  const own = { a: samplesOf(4, 5, {}, { schemaConform: false, valueAccuracy: null }), b: [...refused, fault] }
  const { schema, image } = (
    await registryOf({ 'r.json': resultOf('schema', own), 'i.json': resultOf('image', { c: right(1) }) })
  ).models[MODEL]!.probed
  // 4 of 5 of a, none of the 3 of b that were answered.
  expect(schema!.askedNatively).toMatchObject({ successes: 4, n: 8, cluster: { clusters: 2 } })
  expect(image).not.toHaveProperty('askedNatively')
})

test('age is that of the oldest run in it, by the clock that is given', async () => {
  const files = {
    'old.json': resultOf('schema', { a: right(2) }, OLD),
    'new.json': resultOf('schema', { b: right(2) }, NEW),
  }
  const probed = async (now: Date) => (await registryOf(files, undefined, { now })).models[MODEL]!.probed.schema
  expect(await probed(NOW)).toMatchObject({ ageDays: 27, stale: false })
  expect(await probed(day('2026-04-05'))).toMatchObject({ ageDays: 90, stale: false })
  expect(await probed(day('2026-04-06'))).toMatchObject({ ageDays: 91, stale: true })
})

test('files that do not verify, shards and simulated results are refused by name; the others are used', async () => {
  const good = resultOf('schema', { a: right(4) })
  const sim = resultOf(
    'schema',
    { a: right(4) },
    { modelKey: 'sim/steady', of: { facts: { priceSource: 'simulated', simulated: true } } },
  )
  const files = {
    'good.json': good,
    'forged.json': { ...good, totalCostUsd: 5 },
    'no-result.json': { hello: 'world' },
    'shard.json': resultOf('schema', { a: [sample(0)] }, { of: { shard: '1/2', samplesWanted: 2, samplesDue: 1 } }),
    'sim.json': sim,
    'renamed.json': { ...sim, modelKey: 'openai/not-real' },
    'empty.json': { ...good, fixtureHashes: {} },
    'odd-key.json': resultOf('schema', { a: right(4) }, { modelKey: `openai/${'x'.repeat(300)}` }),
  }
  const registry = await registryOf(files)
  expect(registry.files.refused.map(({ file, reason }) => [file, reason])).toEqual([
    ['empty.json', 'not_verified'],
    ['forged.json', 'not_verified'],
    ['no-result.json', 'not_verified'],
    ['odd-key.json', 'not_verified'],
    ['renamed.json', 'simulated'],
    ['shard.json', 'shard'],
    ['sim.json', 'simulated'],
  ])
  expect(registry.files.refused[1]!.message).toContain('/totalCostUsd')
  expect(Object.keys(registry.models)).toEqual([MODEL])
  expect(registry.simulated).toBe(false)
  const showcase = await registryOf({ 'sim.json': sim }, undefined, { simulated: true })
  expect(showcase).toMatchObject({
    simulated: true,
    models: { 'sim/steady': { probed: { schema: { simulated: true } } } },
  })
})

test('a registry is as its schema says', async () => {
  const registry = await registryOf({
    'r.json': resultOf('image', { a: [sample(0), unscored(1)], constructor: right(2) }),
  })
  expect(checker(RegistrySchema, 'REGISTRY_INVALID')(JSON.parse(JSON.stringify(registry)), 'r')).toEqual(registry)
  expect(registry.models[MODEL]!.probed.image!.fixtures['constructor']).toMatchObject({ scored: 2 })
})

test('of each rung the samples that it served are counted, in one fixture too', async () => {
  const coached = samplesOf(3, 12, { rung: 'json_mode' }, { schemaConform: false, valueAccuracy: null })
  const samples = [...right(8), ...coached.map((one) => ({ ...one, index: one.index + 8 }))]
  const { by_rung: byRung, rungs } = (await registryOf({ 'r.json': resultOf('schema', { a: samples }) })).models[MODEL]!
    .probed.schema!
  expect(rungs).toEqual({ native: 8, json_mode: 12, none: 0 })
  expect(byRung['native']!['conform']).toMatchObject({ successes: 8, n: 8 })
  expect(byRung['json_mode']!['conform']).toMatchObject({ successes: 3, n: 12 })
})
