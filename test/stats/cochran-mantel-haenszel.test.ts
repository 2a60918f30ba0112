import { describe, expect, test } from 'vitest'
import { cochranMantelHaenszel, type Stratum } from '../../src/stats/cochran-mantel-haenszel.ts'
import { binomial, draws, seeded } from '../support/seeded.ts'

const stratum = (a: number, nA: number, b: number, nB: number): Stratum => ({
  a: { successes: a, n: nA },
  b: { successes: b, n: nB },
})

describe('published', () => {
  test('penicillin and rabbits (Mantel & Haenszel 1959; R’s documentation of mantelhaen.test)', () => {
    // Cured without delay, and with a delay of 1.5 hours, at five doses. By dose a, E = nA K / N and V:
    //   0/6, 0/5: nobody cured; 2/2, 5/5: all cured; neither says anything.
    //   3/6, 0/6: E 1.5,  V = 6·6·3·9 / (144·11)  = 27/44
    //   6/6, 2/6: E 4,    V = 6·6·8·4 / (144·11)  = 8/11
    //   5/6, 6/6: E 5.5,  V = 6·6·11·1 / (144·11) = 1/4
    // Σ(a - E) = 14 - 11 = 3, ΣV = 35/22; χ² = 2.5² · 22/35 = 55/14 = 3.9286
    const doses = [
      stratum(0, 6, 0, 5),
      stratum(3, 6, 0, 6),
      stratum(6, 6, 2, 6),
      stratum(5, 6, 6, 6),
      stratum(2, 2, 5, 5),
    ]
    const test = cochranMantelHaenszel(doses)
    expect(test.chiSquared).toBeCloseTo(55 / 14, 10)
    expect(test.p).toBeCloseTo(0.04747, 5)
    expect(test.informative).toBe(3)
    expect(test.excess).toBeCloseTo(3, 10)
    // Without the correction 9 · 22/35 = 198/35.
    expect(cochranMantelHaenszel(doses, { continuityCorrection: false }).chiSquared).toBeCloseTo(198 / 35, 10)
  })

  test('admissions to Berkeley by sex and department (Bickel et al. 1975; R’s documentation of mantelhaen.test)', () => {
    const departments = [
      stratum(512, 825, 89, 108),
      stratum(353, 560, 17, 25),
      stratum(120, 325, 202, 593),
      stratum(138, 417, 131, 375),
      stratum(53, 191, 94, 393),
      stratum(22, 373, 24, 341),
    ]
    const { chiSquared, p } = cochranMantelHaenszel(departments)
    expect(chiSquared).toBeCloseTo(1.4269, 4)
    expect(p).toBeCloseTo(0.2323, 4)
  })
})

describe('degenerate', () => {
  test('one stratum is the corrected test of one table, times (N - 1) / N', () => {
    // 4 of 5 against 1 of 5: |4 - 2.5| - 0.5 = 1; V = 5·5·5·5 / (100·9) = 25/36
    expect(cochranMantelHaenszel([stratum(4, 5, 1, 5)])).toMatchObject({
      chiSquared: expect.closeTo(36 / 25, 12),
      informative: 1,
    })
  })

  test.each<[string, Stratum[]]>([
    ['no stratum', []],
    ['all pass', [stratum(5, 5, 5, 5), stratum(3, 3, 2, 2)]],
    ['all fail', [stratum(0, 5, 0, 5)]],
    ['each stratum with one side alone', [stratum(3, 5, 0, 0), stratum(0, 0, 1, 5)]],
    ['one sample in all', [stratum(1, 1, 0, 0)]],
  ])('%s: nothing could have told', (_name, strata) => {
    expect(cochranMantelHaenszel(strata)).toEqual({ p: 1, chiSquared: 0, excess: 0, informative: 0, variance: 0 })
  })

  test('strata that say nothing change nothing', () => {
    const telling = [stratum(5, 5, 1, 5), stratum(4, 5, 2, 4)]
    const silent = [stratum(5, 5, 5, 5), stratum(0, 5, 0, 5), stratum(2, 3, 0, 0)]
    expect(cochranMantelHaenszel([...silent, ...telling])).toEqual(cochranMantelHaenszel(telling))
  })

  test('fixtures always right against always wrong, one half each way, cancel out', () => {
    expect(cochranMantelHaenszel([stratum(5, 5, 0, 5), stratum(0, 5, 5, 5)])).toMatchObject({ p: 1, informative: 2 })
  })

  test('p is never 0', () => {
    const far = Array.from({ length: 100 }, () => stratum(100, 100, 0, 100))
    expect(cochranMantelHaenszel(far).p).toBe(2 ** -52)
  })

  test('refuses what is no count', () => {
    expect(() => cochranMantelHaenszel([stratum(6, 5, 0, 5)])).toThrow(RangeError)
    expect(() => cochranMantelHaenszel([stratum(1, 5, -1, 5)])).toThrow(RangeError)
  })
})

describe('error', () => {
  /** Share of runs of one fixture, both sides of the same rate, that are called different; all outcomes weighed. */
  function wrongOnOne(n: number, rate: number, continuityCorrection: boolean): number {
    let wrong = 0
    for (let a = 0; a <= n; a += 1)
      for (let b = 0; b <= n; b += 1)
        if (cochranMantelHaenszel([stratum(a, n, b, n)], { continuityCorrection }).p <= 0.05)
          wrong += binomial(a, n, rate) * binomial(b, n, rate)
    return wrong
  }

  test('on one fixture: at most 5 % with the correction; more without, which is why it is on', () => {
    const rates = Array.from({ length: 19 }, (_, step) => 0.05 * (step + 1))
    for (const n of [3, 5, 10, 20])
      expect(Math.max(...rates.map((rate) => wrongOnOne(n, rate, true)))).toBeLessThanOrEqual(0.05)
    expect(Math.max(...rates.map((rate) => wrongOnOne(5, rate, false)))).toBeGreaterThan(0.055)
  })

  test.each([
    [3, 0.5, 0.98],
    [20, 0.5, 0.98],
    [20, 0.9, 0.99],
    [50, 0, 1],
  ])('over %i fixtures of 5 and 5 samples with true rates from %d to %d: at most 0.05', (fixtures, least, most) => {
    const random = seeded(20261130)
    const runs = 2000
    let wrong = 0
    for (let run = 0; run < runs; run += 1) {
      const strata = Array.from({ length: fixtures }, () => {
        const rate = least + (most - least) * random()
        return stratum(draws(random, 5, rate), 5, draws(random, 5, rate), 5)
      })
      if (cochranMantelHaenszel(strata).p <= 0.05) wrong += 1
    }
    expect(wrong / runs).toBeLessThanOrEqual(0.05)
  })

  test('sees a drop of 25 points over 20 fixtures of 5 and 5 in more than 95 % of runs', () => {
    const random = seeded(7)
    let seen = 0
    for (let run = 0; run < 1000; run += 1) {
      const strata = Array.from({ length: 20 }, () => {
        const rate = 0.5 + 0.48 * random()
        return stratum(draws(random, 5, rate), 5, draws(random, 5, rate - 0.25), 5)
      })
      if (cochranMantelHaenszel(strata).p <= 0.05) seen += 1
    }
    expect(seen).toBeGreaterThan(950)
  })
})
