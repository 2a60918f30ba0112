import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PROBE_CLASSES } from '../../src/model/fixture.ts'
import type { Sample } from '../../src/model/sample.ts'
import { PooledBlockSchema, StatsBlockSchema } from '../../src/stats/block-shape.ts'
import { blockOf, pooledBlockOf, type BlockOptions } from '../../src/stats/block.ts'
import { clusteredInterval } from '../../src/stats/cluster.ts'
import { rateOf } from '../../src/stats/rate.ts'
import { tallyOf } from '../../src/stats/tally.ts'

const schemaClass = { probeClass: 'schema', hasSchema: true } as const
const imageClass = { probeClass: 'image', hasSchema: true } as const

/** Of the samples of one fixture. */
function statsBlock(samples: readonly Sample[], options: BlockOptions) {
  return blockOf(tallyOf(samples), options)
}

/** Of the samples of several fixtures. */
function pooledBlock(fixtures: readonly (readonly Sample[])[], options: BlockOptions) {
  return pooledBlockOf(fixtures.map(tallyOf), options)
}

describe('statsBlock', () => {
  test('worked by hand: one of everything', () => {
    const samples = [
      sampleWith({ valueAccuracy: 1, costUsd: 0.01, latencyMs: 100 }),
      sampleWith({ valueAccuracy: 1, costUsd: 0.02, latencyMs: 300 }),
      sampleWith({ valueAccuracy: 0.25, costUsd: null, costUpperBoundUsd: 0.03, latencyMs: 200 }),
      sampleWith({ schemaConform: false, costUsd: 0.04, latencyMs: 400 }),
      sampleWith({ parseOk: false, schemaConform: false, failureClass: 'truncated', costUsd: 0.05, latencyMs: 900 }),
      sampleWith({ ...FAULT, costUsd: null, costUpperBoundUsd: 0.06, latencyMs: 60_000 }),
      sampleWith({ ...FAULT, costUsd: null, latencyMs: null }),
    ]
    const block = statsBlock(samples, schemaClass)
    expect(block).toEqual({
      samples: 7,
      scored: 5,
      unscored: 2,
      parseRate: 4 / 5,
      conformRate: 3 / 5,
      conformCi95: rateOf(3, 5).ci95,
      valueAccuracyMean: (1 + 1 + 0.25) / 3,
      meanCostUsd: expect.closeTo(0.21 / 7, 12),
      meanLatencyMs: 380,
      // Nine tenths of the way from the first to the fifth: 400 + 0.6 × 500.
      latencyMs: { p50: 300, p90: 700, max: 900 },
      // Two were spoiled: had both failed, or both passed.
      parse: { ...rateOf(4, 5), bounds: [4 / 7, 6 / 7] },
      conform: { ...rateOf(3, 5), bounds: [3 / 7, 5 / 7] },
      values: { ...rateOf(2, 3), bounds: [2 / 5, 4 / 5] },
    })
  })

  test('image: extraction is over all scored samples, values over conformant ones', () => {
    const samples = [
      sampleWith({ valueAccuracy: 1 }),
      sampleWith({ valueAccuracy: 0.9 }),
      sampleWith({ schemaConform: false }),
      sampleWith({ parseOk: false, schemaConform: false, failureClass: 'empty' }),
      sampleWith(FAULT),
    ]
    const block = statsBlock(samples, imageClass)
    expect(block.extraction).toMatchObject(rateOf(1, 4))
    expect(block.values).toMatchObject(rateOf(1, 2))
    expect(block.conform).toMatchObject(rateOf(2, 4))
  })

  test('a block without samples has nulls, not zeros', () => {
    expect(statsBlock([], schemaClass)).toEqual({
      samples: 0,
      scored: 0,
      unscored: 0,
      parseRate: null,
      conformRate: null,
      conformCi95: null,
      valueAccuracyMean: null,
      meanCostUsd: null,
      meanLatencyMs: null,
      latencyMs: null,
      parse: rateOf(0, 0),
      conform: rateOf(0, 0),
      values: rateOf(0, 0),
    })
  })

  test('only faults: cost counts, rates do not exist', () => {
    const block = statsBlock([sampleWith({ ...FAULT, costUsd: 0.5, latencyMs: 7 })], schemaClass)
    expect(block).toMatchObject({ samples: 1, scored: 0, unscored: 1, parseRate: null, meanCostUsd: 0.5 })
    expect(block).toMatchObject({ latencyMs: null, meanLatencyMs: null, conform: { n: 0, rate: null, ci95: null } })
  })

  test('a faulty sample is in no rate even if it claims success', () => {
    const block = statsBlock([sampleWith({ scored: false, valueAccuracy: 1, latencyMs: 5 })], imageClass)
    for (const rate of [block.parse, block.conform, block.values, block.extraction]) expect(rate?.n).toBe(0)
    expect(block.valueAccuracyMean).toBeNull()
  })

  test('accuracy of samples that do not conform is not averaged', () => {
    const samples = [sampleWith({ valueAccuracy: 0.5 }), sampleWith({ schemaConform: false, valueAccuracy: 1 })]
    expect(statsBlock(samples, schemaClass)).toMatchObject({ valueAccuracyMean: 0.5, values: { successes: 0, n: 1 } })
  })

  test('values: none expected, no rate', () => {
    const block = statsBlock([sampleWith({ valueAccuracy: null })], schemaClass)
    expect(block).toMatchObject({ values: rateOf(0, 0), valueAccuracyMean: null, conformRate: 1 })
  })

  test('without a schema there is no rate of conform', () => {
    const block = statsBlock([sampleWith({ schemaConform: null })], { probeClass: 'grounding', hasSchema: false })
    expect(block).toMatchObject({ parseRate: 1, conformRate: null, conformCi95: null })
    expect(Object.keys(block).filter((key) => ['conform', 'values', 'extraction'].includes(key))).toEqual([])
  })

  test('a schema class without a schema has no rate of conform either', () => {
    const block = statsBlock([sampleWith({ schemaConform: null })], { probeClass: 'schema', hasSchema: false })
    expect(Object.keys(block)).toContain('parse')
    expect(Object.keys(block)).not.toContain('conform')
  })

  test('conform is over samples that were judged, and needs a parsed answer', () => {
    const samples = [
      sampleWith({}),
      sampleWith({ schemaConform: null }),
      sampleWith({ parseOk: false, schemaConform: true }),
    ]
    expect(statsBlock(samples, schemaClass).conform).toEqual(rateOf(1, 2))
  })

  test('a free local model costs nothing, which is not unknown', () => {
    expect(statsBlock([sampleWith({ costUsd: 0 })], schemaClass).meanCostUsd).toBe(0)
    const known = sampleWith({ costUsd: 0, costUpperBoundUsd: 9 })
    expect(statsBlock([known], schemaClass).meanCostUsd).toBe(0)
  })

  test('latency quantiles of ten samples', () => {
    const samples = Array.from({ length: 10 }, (_, index) => sampleWith({ latencyMs: (10 - index) * 10 }))
    // Between two values it is interpolated: 0.9 × 9 = 8.1 steps from 10.
    expect(statsBlock(samples, schemaClass).latencyMs).toEqual({ p50: 55, p90: 91, max: 100 })
  })
})

describe('bounds', () => {
  const ineligible = { scored: false, failureClass: 'cache_not_reported' as const, parseOk: true, costUsd: 0 }

  test('what could have shown nothing is no loss', () => {
    const samples = [sampleWith({ cachedTokens: 5 }), sampleWith(ineligible), sampleWith(FAULT)]
    const caching = { probeClass: 'caching', hasSchema: false } as const
    expect(statsBlock(samples, caching).parse!.bounds).toEqual([1 / 2, 1])
    expect(statsBlock(samples.slice(0, 2), caching).parse).not.toHaveProperty('bounds')
    const pooled = pooledBlock(
      samples.map((sample) => [sample]),
      caching,
    )
    expect(pooled.parse!.bounds).toEqual([1 / 2, 1])
  })

  test('values have none where no values are expected', () => {
    const samples = [sampleWith({ valueAccuracy: null }), sampleWith(FAULT)]
    const block = statsBlock(samples, schemaClass)
    expect(block.values).toEqual(rateOf(0, 0))
    expect(block.conform!.bounds).toEqual([1 / 2, 1])
  })
})

describe('custom checks', () => {
  const checked = [
    sampleWith({ checks: { adds: true, polite: true } }),
    sampleWith({ checks: { adds: false, polite: null } }),
    sampleWith({ schemaConform: false, checks: { adds: false, polite: false } }),
    sampleWith({ ...FAULT, checks: { adds: null, polite: null } }),
  ]

  test('a rate over the scored samples with a verdict; what gave none is in neither count', () => {
    expect(statsBlock(checked, schemaClass).checks).toEqual({
      adds: { ...rateOf(1, 3), bounds: [1 / 4, 2 / 4] },
      polite: { ...rateOf(1, 2), bounds: [1 / 3, 2 / 3] },
    })
  })

  test('pooled over the fixtures that have the check, which are its clusters', () => {
    const groups = [checked.slice(0, 2), [checked[2]!], [sampleWith({}), sampleWith(FAULT)]]
    const { adds } = pooledBlock(groups, schemaClass).checks ?? {}
    const spoiled = [...groups, [sampleWith({ ...FAULT, checks: { adds: null } })]]
    // One more could have passed, of a fixture that lost all it had.
    expect(pooledBlock(spoiled, schemaClass).checks!['adds']!.bounds).toEqual([1 / 4, 2 / 4])
    const clusters = [
      { successes: 1, n: 2 },
      { successes: 0, n: 1 },
    ]
    // The spoiled sample is of a fixture without the check.
    expect(adds).toEqual({ ...rateOf(1, 3), cluster: clusteredInterval(clusters) })
  })

  test('where there are none there is no field', () => {
    expect(statsBlock([sampleWith({})], schemaClass)).not.toHaveProperty('checks')
    expect(pooledBlock([], schemaClass)).not.toHaveProperty('checks')
  })
})

describe('pooledBlock', () => {
  const groups = [
    [sampleWith({ valueAccuracy: 1 }), sampleWith({ valueAccuracy: 1 })],
    [sampleWith({ schemaConform: false }), sampleWith({ valueAccuracy: 0 })],
    [sampleWith(FAULT)],
  ]

  test('worked by hand: rates over all samples, fixtures as clusters', () => {
    const block = pooledBlock(groups, schemaClass)
    expect(block).toMatchObject({ fixtures: 3, samples: 5, scored: 4, unscored: 1, parseRate: 1, conformRate: 3 / 4 })
    expect(block.conform).toEqual({
      ...rateOf(3, 4),
      bounds: [3 / 5, 4 / 5],
      cluster: clusteredInterval([
        { successes: 2, n: 2 },
        { successes: 1, n: 2 },
      ]),
    })
    // Σs = 2, Σn = 3, p = 2/3; deviations 2/3 and -2/3; v = 2 × 8/9 / 9; independent 2/27; design effect 8/3
    expect(block.values).toMatchObject({ successes: 2, n: 3, cluster: { clusters: 2 } })
    expect(block.values?.cluster?.designEffect).toBeCloseTo(8 / 3, 10)
    expect(block.valueAccuracyMean).toBeCloseTo(2 / 3, 12)
  })

  test('without samples there is no cluster', () => {
    expect(pooledBlock([], imageClass)).toMatchObject({
      fixtures: 0,
      samples: 0,
      extraction: { n: 0, rate: null, cluster: null },
    })
  })
})

describe('schemas of blocks', () => {
  const ajv = new Ajv2020({ strict: true, allErrors: true })
  const isBlock = ajv.compile(StatsBlockSchema)
  const isPooled = ajv.compile(PooledBlockSchema)

  test('describe whatever comes out, and every number is finite', () => {
    const groups = fc.array(fc.array(anySample))
    const options = fc.record({ probeClass: fc.constantFrom(...PROBE_CLASSES), hasSchema: fc.boolean() })
    fc.assert(
      fc.property(groups, options, (some, how) => {
        const [pooled, block] = [pooledBlock(some, how), statsBlock(some.flat(), how)]
        expect(isPooled(pooled) ? [] : isPooled.errors).toEqual([])
        expect(isBlock(block) ? [] : isBlock.errors).toEqual([])
        expect(JSON.parse(JSON.stringify(pooled))).toEqual(pooled)
      }),
    )
  })

  test.each([
    ['a rate above 1', { parse: { successes: 1, n: 1, rate: 1.1, ci95: [0, 1] } }],
    ['a rate without interval', { parse: { successes: 1, n: 1, rate: 1 } }],
    ['an interval of one bound', { conformCi95: [0] }],
    ['an unknown rate', { parsed: rateOf(1, 1) }],
    ['a fraction of a sample', { samples: 0.5 }],
    ['a missing field', { scored: undefined }],
  ])('refuse %s', (_name, change) => {
    const block = statsBlock([sampleWith({})], schemaClass)
    expect(isBlock(block)).toBe(true)
    expect(isBlock(JSON.parse(JSON.stringify({ ...block, ...change })))).toBe(false)
  })
})

const FAULT = { scored: false, failureClass: 'network', parseOk: false, schemaConform: null } as const

function sampleWith(part: Partial<Sample>): Sample {
  return {
    index: 0,
    scored: true,
    failureClass: null,
    parseOk: true,
    schemaConform: true,
    valueAccuracy: null,
    grounded: null,
    citationCount: null,
    cachedTokens: null,
    rung: 'native',
    tokensIn: 10,
    tokensOut: 5,
    costUsd: 0.001,
    latencyMs: 100,
    output: '{}',
    finishReason: 'stop',
    servedModel: null,
    attempts: 1,
    requestHash: 'h',
    startedAt: '2026-11-29T00:00:00.000Z',
    replayed: false,
    ...part,
  }
}

const anySample = fc
  .record({
    scored: fc.boolean(),
    parseOk: fc.boolean(),
    schemaConform: fc.constantFrom(true, false, null),
    valueAccuracy: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    costUsd: fc.option(fc.double({ min: 0, max: 10, noNaN: true })),
    latencyMs: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
  })
  .map(sampleWith)

test('the mean share that repeated calls read from cache, of the caching class alone', () => {
  const repeat = (index: number, cachedTokens: number, cachedShare: number) =>
    sampleWith({ index, cachedTokens, cachedShare, schemaConform: null, valueAccuracy: null })
  const ineligible = sampleWith({ index: 3, scored: false, failureClass: 'cache_not_reported', cachedShare: 0.9 })
  const samples = [repeat(0, 900, 0.9), repeat(1, 0, 0), repeat(2, 300, 0.3), ineligible]
  const options = { probeClass: 'caching', hasSchema: false } as const
  // (0.9 + 0 + 0.3) / 3
  expect(statsBlock(samples, options).cachedShareMean).toBeCloseTo(0.4, 12)
  expect(pooledBlock([samples], options).cachedShareMean).toBeCloseTo(0.4, 12)
  expect(statsBlock([ineligible], options).cachedShareMean).toBeNull()
  expect(statsBlock(samples, { probeClass: 'schema', hasSchema: true })).not.toHaveProperty('cachedShareMean')
})

test('a repeat is a hit when it read more from cache than the first call did', () => {
  const pairs: readonly (readonly [primeCachedTokens: number | null | undefined, cachedTokens: number])[] = [
    [0, 64],
    [64, 64],
    [64, 65],
    [null, 1],
    [undefined, 1],
    [undefined, 0],
  ]
  const samples = pairs.map(([primeCachedTokens, cachedTokens], index) =>
    sampleWith({ index, cachedTokens, ...(primeCachedTokens !== undefined && { primeCachedTokens }) }),
  )
  const block = statsBlock(samples, { probeClass: 'caching', hasSchema: false })
  expect(block.cacheHit).toMatchObject({ successes: 4, n: 6 })
})
