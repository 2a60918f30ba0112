import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Sample } from '../../src/model/sample.ts'
import { atMost } from '../../src/stats/binomial-tail.ts'
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

/** What comes of taking samples one by one from `least` on until the interval is narrow enough. */
interface Stopped {
  /** Chance that the interval holds the true rate. */
  readonly covered: number
  /** Means of the number of samples, and of the rate they show. */
  readonly n: number
  readonly rate: number
}

/** Every course the counts can take is followed with its probability. */
function stopped(rate: number, target: number, least: number): Stopped {
  const most = mostSamplesUntil(target)
  let open = new Map([[0, 1]])
  const sum = { covered: 0, n: 0, rate: 0 }
  for (let n = 1; n <= most; n += 1) {
    const reached = new Map<number, number>()
    for (const [successes, chance] of open) {
      reached.set(successes, (reached.get(successes) ?? 0) + chance * (1 - rate))
      reached.set(successes + 1, (reached.get(successes + 1) ?? 0) + chance * rate)
    }
    open = new Map()
    for (const [successes, chance] of reached) {
      const [low, high] = wilson(successes, n)!
      if (n < most && (n < least || (high - low) / 2 > target)) {
        open.set(successes, chance)
        continue
      }
      if (low <= rate && rate <= high) sum.covered += chance
      sum.n += chance * n
      sum.rate += (chance * successes) / n
    }
  }
  return sum
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
    const covered = RATES.map((rate) => stopped(rate, target!, 5).covered)
    expect(covered.reduce((sum, one) => sum + one, 0) / covered.length).toBeCloseTo(mean! / 100, 3)
    expect(Math.min(...covered)).toBeCloseTo(lowest! / 100, 3)
  }
})

test('and what it tells of a fixed number of samples, and of how many it takes', () => {
  const fixed = rows([5, 10, 35, 93, 381]).filter((row) => row.length === 2)
  expect(fixed).toHaveLength(5)
  for (const [n, lowest] of fixed) {
    const worst = Math.min(
      ...RATES.map((rate) => {
        let covered = 0
        for (let k = 0; k <= n!; k += 1) {
          const [low, high] = wilson(k, n!)!
          if (low <= rate && rate <= high)
            covered += atMost({ successes: k, n: n! }, rate) - (k === 0 ? 0 : atMost({ successes: k - 1, n: n! }, rate))
        }
        return covered
      }),
    )
    expect(worst, `${n}`).toBeCloseTo(lowest! / 100, 3)
  }
  const needed = rows([0.05, 0.1, 0.15, 0.2]).filter((row) => row.length === 4)
  expect(needed).toHaveLength(4)
  for (const [target, always, often, half] of needed) {
    expect([
      Math.round(stopped(1, target!, 5).n),
      Math.round(stopped(0.9, target!, 5).n),
      mostSamplesUntil(target!),
    ]).toEqual([always, often, half])
  }
  expect(TEXT).toContain('at a true rate of 90 % it comes out as 90.8 % on average with 0.05, 91.9 % with 0.1')
  expect([0.05, 0.1].map((target) => stopped(0.9, target, 5).rate.toFixed(3))).toEqual(['0.908', '0.919'])
})
