import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Sample } from '../../src/model/sample.ts'
import { tallyOf } from '../../src/stats/tally.ts'
import { isNarrow, mostSamplesUntil, widthOf } from '../../src/stats/until.ts'
import { halfWidth, wilson } from '../../src/stats/wilson.ts'
import { sample, unscored } from '../support/samples.ts'

function samplesOf(successes: number, n: number, how: (right: boolean) => Partial<Sample>): Sample[] {
  return Array.from({ length: n }, (_, index) => sample(index, how(index < successes)))
}

test('the most samples a rate can need, by the formula worked out by hand', () => {
  // z² (1 / (4 × 0.05²) - 1) = 3.8414588 × 99 = 380.3
  expect(mostSamplesUntil(0.05)).toBe(381)
  // 3.8414588 × 24 = 92.2; 3.8414588 × 2499 = 9599.8; 3.8414588 × 0 = 0
  expect(mostSamplesUntil(0.1)).toBe(93)
  expect(mostSamplesUntil(0.01)).toBe(9600)
  expect(mostSamplesUntil(0.5)).toBe(1)
  for (const wrong of [0, -1, 0.51, Number.NaN]) expect(() => mostSamplesUntil(wrong)).toThrow(RangeError)
})

test('with that many every rate is narrow enough, and with one fewer one half is not', () => {
  for (const target of [0.02, 0.05, 0.1, 0.2]) {
    const most = mostSamplesUntil(target)
    for (let successes = 0; successes <= most; successes += 1) {
      expect(halfWidth(successes / most, most)).toBeLessThanOrEqual(target)
    }
    expect(halfWidth(0.5, most - 1)).toBeGreaterThan(target)
  }
})

describe('widthOf', () => {
  test('the widest of the rates that the class is judged by', () => {
    // conform 8/10: [49.0, 94.3]; values 4/8: [21.5, 78.5]
    const samples = samplesOf(8, 10, (right) => ({ schemaConform: right, valueAccuracy: right ? 1 : null })).map(
      (one) => (one.index < 4 ? one : { ...one, valueAccuracy: one.valueAccuracy === null ? null : 0.5 }),
    )
    expect(widthOf(samples, 'schema', 0)!.now).toBeCloseTo(0.28479, 4)
    expect(widthOf(samples, 'image', 0)!.now).toBeCloseTo(halfWidth(0.4, 10), 12)
  })

  test('samples to come are taken to be like those that came', () => {
    const samples = samplesOf(9, 10, (right) => ({ schemaConform: right, valueAccuracy: null }))
    const { now, ahead } = widthOf(samples, 'schema', 30)!
    expect(now).toBeCloseTo(halfWidth(0.9, 10), 12)
    expect(ahead).toBeCloseTo(halfWidth(0.9, 40), 12)
  })

  test('of what is spoiled as much is taken to come as came', () => {
    const samples = [
      ...samplesOf(4, 5, (right) => ({ schemaConform: right, valueAccuracy: null })),
      ...[5, 6, 7, 8, 9].map(unscored),
    ]
    // Ten came and five count: of ten to come five will.
    expect(widthOf(samples, 'schema', 10)!.ahead).toBeCloseTo(halfWidth(0.8, 10), 12)
  })

  test('samples without a scored one have no width; a rate that nothing is in does not count', () => {
    expect(widthOf([unscored(0), unscored(1)], 'schema', 5)).toBeNull()
    expect(widthOf([], 'image', 5)).toBeNull()
    const none = samplesOf(0, 4, () => ({ schemaConform: false, valueAccuracy: null }))
    expect(widthOf(none, 'schema', 0)!.now).toBeCloseTo(halfWidth(0, 4), 12)
  })
})

test('narrow is what has nothing more to ask for', () => {
  const right = (n: number): Sample[] => samplesOf(n, n, () => ({}))
  // At 100 % half the width is z² / (2 (n + z²)): 0.05 from n = 9 z² = 34.6 on.
  expect([34, 35].map((n) => isNarrow(tallyOf(right(n)), 'image', 0.05))).toEqual([false, true])
  const half = (n: number): Sample[] => samplesOf(n / 2, n, (ok) => ({ valueAccuracy: ok ? 1 : 0 }))
  expect([380, 382].map((n) => isNarrow(tallyOf(half(n)), 'image', 0.05))).toEqual([false, true])
  expect(isNarrow(tallyOf([unscored(0)]), 'image', 0.05)).toBe(true)
  // Values are over the conformant alone: with the most samples it is over, however wide they are.
  const few = (n: number): Sample[] =>
    samplesOf(4, n, (ok) => ({ schemaConform: ok, valueAccuracy: ok ? 0 : null })).map((one) =>
      one.index < 2 ? { ...one, valueAccuracy: 1 } : one,
    )
  expect([380, 381].map((n) => isNarrow(tallyOf(few(n)), 'schema', 0.05))).toEqual([false, true])
})

/** An end that sampling can come to, and in how many ways. */
interface End {
  readonly n: number
  readonly successes: number
  readonly ways: number
  readonly ci95: readonly [number, number]
}

/** Every end of taking samples one by one until they are enough, or the most that are taken. */
function endsOf(most: number, areEnough: (n: number, ci95: readonly [number, number]) => boolean): End[] {
  const ends: End[] = []
  let open = new Map([[0, 1]])
  for (let n = 1; n <= most; n += 1) {
    const reached = new Map<number, number>()
    for (const [before, ways] of open)
      for (const successes of [before, before + 1]) reached.set(successes, (reached.get(successes) ?? 0) + ways)
    open = new Map()
    for (const [successes, ways] of reached) {
      const ci95 = wilson(successes, n)!
      if (n === most || areEnough(n, ci95)) ends.push({ n, successes, ways, ci95 })
      else open.set(successes, ways)
    }
  }
  return ends
}

const untilEnds = (target: number): End[] =>
  endsOf(mostSamplesUntil(target), (n, [low, high]) => n >= 5 && (high - low) / 2 <= target)
const fixedEnds = (n: number): End[] => endsOf(n, () => false)

/** Mean of what ends tell, each by its chance. */
function meanAt(rate: number, ends: readonly End[], told: (end: End) => number): number {
  const chance = ({ n, successes, ways }: End): number => ways * rate ** successes * (1 - rate) ** (n - successes)
  return ends.reduce((sum, end) => sum + chance(end) * told(end), 0)
}

/** Chance that the interval holds the true rate. */
function coverage(rate: number, ends: readonly End[]): number {
  return meanAt(rate, ends, ({ ci95: [low, high] }) => (low <= rate && rate <= high ? 1 : 0))
}

/** The least there is: between the ends of two intervals it changes smoothly, and just beyond one it falls. */
function leastCoverage(ends: readonly End[]): number {
  const beside = ends.flatMap(({ ci95 }) => ci95.flatMap((end) => [end - 1e-9, end + 1e-9]))
  return Math.min(...beside.filter((rate) => rate > 1e-6 && rate < 1 - 1e-6).map((rate) => coverage(rate, ends)))
}

const TEXT = readFileSync(new URL('../../docs/sampling.md', import.meta.url), 'utf8')
const RATES = Array.from({ length: 199 }, (_, step) => (step + 1) / 200)

/** Rows of a table of numbers that begin with one of these. */
function rows(first: readonly number[]): number[][] {
  const all = [...TEXT.matchAll(/^\|([^|\n]*\d[^\n]*)\|$/gm)].map(([, row]) =>
    row!.split('|').map((cell) => Number(/[\d.]+/.exec(cell)?.[0])),
  )
  return all.filter((row) => first.includes(row[0]!))
}

test('what docs/sampling.md tells of the interval after such a stop is so', () => {
  const told = rows([0.05, 0.1, 0.15, 0.2]).filter((row) => row.length === 3)
  expect(told).toHaveLength(4)
  for (const [target, mean, lowest] of told) {
    const ends = untilEnds(target!)
    const covered = RATES.map((rate) => coverage(rate, ends))
    expect(covered.reduce((sum, one) => sum + one, 0) / covered.length).toBeCloseTo(mean! / 100, 3)
    expect(Math.min(leastCoverage(ends), ...covered)).toBeCloseTo(lowest! / 100, 3)
  }
})

test('and what it tells of a fixed number of samples, and of how many it takes', () => {
  const fixed = rows([5, 10, 35, 93, 381]).filter((row) => row.length === 2)
  expect(fixed).toHaveLength(5)
  for (const [n, lowest] of fixed) expect(leastCoverage(fixedEnds(n!)), `${n}`).toBeCloseTo(lowest! / 100, 3)
  const needed = rows([0.05, 0.1, 0.15, 0.2]).filter((row) => row.length === 4)
  expect(needed).toHaveLength(4)
  for (const [target, always, often, half] of needed) {
    const samples = [1, 0.9].map((rate) => Math.round(meanAt(rate, untilEnds(target!), ({ n }) => n)))
    expect([...samples, mostSamplesUntil(target!)]).toEqual([always, often, half])
  }
  expect(TEXT).toContain('at a true rate of 90 % it comes out as 90.8 % on average with 0.05, 91.9 % with 0.1')
  const shown = [0.05, 0.1].map((target) => meanAt(0.9, untilEnds(target), ({ n, successes }) => successes / n))
  expect(shown.map((rate) => rate.toFixed(3))).toEqual(['0.908', '0.919'])
})

test('and what it tells of rates over fixtures that are right always, or half the time', () => {
  const pooled = [0.05, 0.1].map((target) => {
    const ends = untilEnds(target)
    const count = (told: (end: End) => number): number => meanAt(1, ends, told) + meanAt(0.5, ends, told)
    return count(({ successes }) => successes) / count(({ n }) => n)
  })
  expect(pooled.map((rate) => rate.toFixed(2))).toEqual(['0.54', '0.57'])
  expect(TEXT).toMatch(/75 % in the mean of the fixtures, `overall` comes to 54 % with 0\.05, 57 % with 0\.1,/)
})
