import { expect, test } from 'vitest'
import { twoSidedP, twoSidedZ } from '../../src/stats/normal-tail.ts'

// Published tables of the normal distribution, both tails.
test.each([
  [0, 1],
  [0.6744897501960817, 0.5],
  [1.959963984540054, 0.05],
  [-2.5758293035489, 0.01],
  [3.2905267314919, 0.001],
  [5, 5.733031e-7],
])('z = %d has p = %d', (z, p) => {
  expect(twoSidedP(z) / p).toBeCloseTo(1, 6)
})

test.each([
  [1, 0],
  [0.05, 1.959964],
  [0.04, 2.053749],
  [0.01, 2.575829],
  [0.005, 2.807034],
])('and p = %d has z = %d', (p, z) => {
  expect(twoSidedZ(p)).toBeCloseTo(z, 5)
})

test('no z has a p of 0, nor one beyond 1', () => {
  for (const p of [0, -1, 1.1, NaN]) expect(() => twoSidedZ(p)).toThrow(RangeError)
})

test('is never more than 1, never 0, and asks for a number', () => {
  for (const z of [0, 1e-9, 1e-4]) expect(twoSidedP(z)).toBeLessThanOrEqual(1)
  expect(twoSidedP(40)).toBe(2 ** -52)
  expect(twoSidedP(Infinity)).toBe(2 ** -52)
  expect(() => twoSidedP(NaN)).toThrow(RangeError)
})
