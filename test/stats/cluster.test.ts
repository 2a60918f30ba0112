import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clusteredInterval, type Cluster } from '../../src/stats/cluster.ts'
import { wilson, wilsonFromRate } from '../../src/stats/wilson.ts'

describe('clusteredInterval', () => {
  test('worked by hand: unequal clusters', () => {
    // Σs = 8, Σn = 12, p = 2/3; deviations s - p n: 4 - 8/3 = 4/3, 1 - 2 = -1, 3 - 10/3 = -1/3
    // Σ squares = 16/9 + 1 + 1/9 = 26/9; v = 3/2 × 26/9 / 144 = 13/432; p (1 - p) / Σn = 2/9 / 12 = 1/54
    // design effect = 13/432 × 54 = 13/8; effective n = 12 × 8/13 = 96/13
    const result = clusteredInterval([
      { successes: 4, n: 4 },
      { successes: 1, n: 3 },
      { successes: 3, n: 5 },
    ])
    expect(result?.clusters).toBe(3)
    expect(result?.designEffect).toBeCloseTo(13 / 8, 12)
    expect(result?.effectiveN).toBeCloseTo(96 / 13, 12)
    const [lower = NaN, upper = NaN] = wilsonFromRate(2 / 3, 96 / 13) ?? []
    expect(result?.ci95[0]).toBeCloseTo(lower, 12)
    expect(result?.ci95[1]).toBeCloseTo(upper, 12)
  })

  test('two of four fixtures always pass: about as much as four facts, not twenty', () => {
    const clusters = [5, 5, 0, 0].map((successes) => ({ successes, n: 5 }))
    // squares 4 × 2.5² = 25; v = 4/3 × 25/400 = 1/12; independent 1/80; design effect 20/3
    expect(clusteredInterval(clusters)).toMatchObject({ clusters: 4, designEffect: expect.closeTo(20 / 3, 10) })
    expect(clusteredInterval(clusters)?.effectiveN).toBeCloseTo(3, 10)
    const [naiveLower = NaN, naiveUpper = NaN] = wilson(10, 20) ?? []
    expect(clusteredInterval(clusters)?.ci95[0]).toBeLessThan(naiveLower)
    expect(clusteredInterval(clusters)?.ci95[1]).toBeGreaterThan(naiveUpper)
  })

  test('all-or-nothing clusters count about as often as there are clusters', () => {
    for (const k of [10, 20, 100]) {
      const clusters = Array.from({ length: k }, (_, index) => ({ successes: index % 2 === 0 ? 5 : 0, n: 5 }))
      expect(clusteredInterval(clusters)?.effectiveN).toBeCloseTo(k - 1, 8)
    }
  })

  test('one sample a cluster is nearly independence', () => {
    const clusters = Array.from({ length: 50 }, (_, index) => ({ successes: index % 5 === 0 ? 0 : 1, n: 1 }))
    expect(clusteredInterval(clusters)?.designEffect).toBeCloseTo(50 / 49, 10)
  })

  test('independent samples have a design effect of about 1', () => {
    let state = 20261129
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647
    const clusters = Array.from({ length: 2000 }, () => {
      const successes = Array.from({ length: 5 }, random).filter((draw) => draw < 0.7).length
      return { successes, n: 5 }
    })
    const result = clusteredInterval(clusters)
    expect(result?.designEffect).toBeLessThan(1.1)
    expect(result?.effectiveN).toBeGreaterThan(9000)
  })

  test('clusters that agree better than chance gain nothing', () => {
    const clusters = Array.from({ length: 8 }, () => ({ successes: 2, n: 4 }))
    expect(clusteredInterval(clusters)).toEqual({ clusters: 8, designEffect: 1, effectiveN: 32, ci95: wilson(16, 32) })
  })

  test.each([
    ['all pass', [3, 3, 3], [0, 1]],
    ['all fail', [0, 0, 0], [0, 0]],
  ])('%s: each cluster is one fact', (_name, successes) => {
    const result = clusteredInterval(successes.map((own) => ({ successes: own, n: 3 })))
    const rate = successes[0] === 0 ? 0 : 1
    expect(result).toEqual({ clusters: 3, designEffect: 3, effectiveN: 3, ci95: wilson(rate * 3, 3) })
  })

  test('one cluster is one fact', () => {
    const result = clusteredInterval([{ successes: 4, n: 5 }])
    expect(result).toEqual({ clusters: 1, designEffect: 5, effectiveN: 1, ci95: wilsonFromRate(0.8, 1) })
  })

  test('empty clusters do not count; nothing but empty ones is null', () => {
    const filled = [
      { successes: 1, n: 2 },
      { successes: 2, n: 2 },
    ]
    expect(clusteredInterval([...filled, { successes: 0, n: 0 }])).toEqual(clusteredInterval(filled))
    expect(clusteredInterval([{ successes: 0, n: 0 }])).toBeNull()
    expect(clusteredInterval([])).toBeNull()
  })

  test.each([
    { successes: 2, n: 1 },
    { successes: -1, n: 1 },
    { successes: 0.5, n: 1 },
    { successes: 0, n: -1 },
  ])('refuses $successes of $n', (cluster) => {
    expect(() => clusteredInterval([{ successes: 1, n: 1 }, cluster])).toThrow(RangeError)
  })

  test('is never narrower than independent samples, never of zero width, and contains the rate', () => {
    fc.assert(
      fc.property(fc.array(cluster, { minLength: 1, maxLength: 12 }), (clusters) => {
        const n = clusters.reduce((sum, own) => sum + own.n, 0)
        const successes = clusters.reduce((sum, own) => sum + own.successes, 0)
        const [lower = NaN, upper = NaN] = clusteredInterval(clusters)?.ci95 ?? []
        const [naiveLower = NaN, naiveUpper = NaN] = wilson(successes, n) ?? []
        expect(upper - lower).toBeGreaterThan(0)
        expect(upper - lower).toBeGreaterThanOrEqual(naiveUpper - naiveLower - 1e-12)
        expect(lower <= successes / n && successes / n <= upper).toBe(true)
      }),
    )
  })

  test('the order of clusters does not matter', () => {
    fc.assert(
      fc.property(fc.array(cluster, { minLength: 1, maxLength: 12 }), (clusters) => {
        const forward = clusteredInterval(clusters)
        expect(clusteredInterval(clusters.toReversed())?.effectiveN).toBeCloseTo(forward?.effectiveN ?? NaN, 9)
      }),
    )
  })
})

const cluster: fc.Arbitrary<Cluster> = fc
  .integer({ min: 1, max: 10 })
  .chain((n) => fc.record({ n: fc.constant(n), successes: fc.integer({ min: 0, max: n }) }))
