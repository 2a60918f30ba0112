import { expect, test } from 'vitest'
import { minimumDetectable, samplesToDetect } from '../../src/stats/detectable.ts'
import { fisherExact } from '../../src/stats/fisher.ts'
import { binomial } from '../support/seeded.ts'

// With p̄ the mean rate, n' = (1.959964 √(2 p̄ q̄) + 0.841621 √(p₁q₁ + p₂q₂))² / d², and with the correction
// n = n'/4 (1 + √(1 + 4 / (n' d)))². Fleiss tabulates these (5 %, 80 %), rounded up.
test.each([
  // To 0.4: n' = 355.94
  [0.3, 0.1, 376],
  // To 0.5: n' = 387.34
  [0.6, 0.1, 408],
  // n' = 198.96
  [0.9, 0.1, 219],
  // n' = 140.10
  [0.95, 0.1, 160],
  // n' = 93.00
  [0.5, 0.2, 103],
])('from %d, %d needs %i a group', (rate, difference, n) => {
  expect(samplesToDetect(difference, rate)).toBe(n)
})

test('both ways round: the n that a difference needs detects it, one less does not', () => {
  for (const rate of [0, 0.1, 0.5, 0.85, 1]) {
    for (const difference of [0.05, 0.1, 0.3, 0.5]) {
      const n = samplesToDetect(difference, rate)!
      expect(minimumDetectable({ nA: n, nB: n, rate })).toBeLessThanOrEqual(difference + 1e-8)
      expect(minimumDetectable({ nA: n - 1, nB: n - 1, rate }) ?? 1).toBeGreaterThan(difference)
    }
  }
})

test('Fisher’s exact test really sees it about 80 % of the time, and more often from 1; all outcomes weighed', () => {
  for (const [nA, nB, rate, most] of [
    [20, 20, 0.9, 0.86],
    [50, 50, 0.95, 0.86],
    [40, 20, 0.5, 0.86],
    [30, 60, 1, 1],
  ] as const) {
    const other = rate - minimumDetectable({ nA, nB, rate })!
    let seen = 0
    for (let a = 0; a <= nA; a += 1) {
      for (let b = 0; b <= nB; b += 1) {
        const p = fisherExact({ successes: a, n: nA }, { successes: b, n: nB })
        if (p <= 0.05) seen += binomial(a, nA, rate) * binomial(b, nB, other)
      }
    }
    expect(seen).toBeGreaterThan(0.76)
    expect(seen).toBeLessThan(most)
  }
})

test('a stricter level sees less: Fisher’s test at 0.5 % really sees what is told about 80 % of the time', () => {
  const [n, rate, level] = [50, 0.9, 0.005]
  const told = minimumDetectable({ nA: n, nB: n, rate }, level)!
  expect(told).toBeGreaterThan(minimumDetectable({ nA: n, nB: n, rate })! + 0.05)
  let seen = 0
  for (let a = 0; a <= n; a += 1)
    for (let b = 0; b <= n; b += 1)
      if (fisherExact({ successes: a, n }, { successes: b, n }) <= level)
        seen += binomial(a, n, rate) * binomial(b, n, rate - told)
  expect(seen).toBeGreaterThan(0.76)
  expect(seen).toBeLessThan(0.86)
})

test('three samples a side can show nothing, none still less', () => {
  expect(minimumDetectable({ nA: 3, nB: 3, rate: 0.9 })).toBeNull()
  expect(minimumDetectable({ nA: 0, nB: 100, rate: 0.9 })).toBeNull()
  expect(samplesToDetect(0.8, 0.5)).toBeNull()
})

test('a rate above one half falls, one below rises: both have the same room', () => {
  expect(minimumDetectable({ nA: 30, nB: 50, rate: 0.2 })).toBeCloseTo(
    minimumDetectable({ nA: 30, nB: 50, rate: 0.8 })!,
    8,
  )
})

test('more samples on either side show less', () => {
  const of = (nA: number, nB: number): number => minimumDetectable({ nA, nB, rate: 0.7 })!
  expect(of(40, 20)).toBeLessThan(of(20, 20))
  expect(of(20, 40)).toBeLessThan(of(20, 20))
})

test('refuses what cannot be', () => {
  expect(() => minimumDetectable({ nA: 5, nB: 5, rate: 1.1 })).toThrow(RangeError)
  expect(() => minimumDetectable({ nA: -1, nB: 5, rate: 0.5 })).toThrow(RangeError)
  expect(() => samplesToDetect(0, 0.5)).toThrow(RangeError)
  expect(() => samplesToDetect(0.1, NaN)).toThrow(RangeError)
})
