import { expect, test } from 'vitest'
import { Ledger } from '../../src/gateway/ledger.ts'
import { toNano, toUsd } from '../../src/gateway/money.ts'

test('what is held counts like what is spent until it is settled', () => {
  const ledger = new Ledger(100)
  ledger.reserve(60)
  expect(ledger.fits(41)).toBe(false)
  expect(ledger.fits(40)).toBe(true)
  ledger.settle(60, 10)
  expect([ledger.accrued, ledger.reserved]).toEqual([10, 0])
  expect(ledger.fits(90)).toBe(true)
  expect(ledger.fits(91)).toBe(false)
})

test('holding what does not fit throws and holds nothing', () => {
  const ledger = new Ledger(100)
  expect(() => ledger.reserve(101)).toThrow(RangeError)
  expect(ledger.reserved).toBe(0)
})

test('amounts in dollars keep no float noise', () => {
  const cents = Array.from({ length: 10 }, () => toNano(0.1)).reduce((sum, one) => sum + one, 0)
  expect(toUsd(cents)).toBe(1)
  expect(toUsd(toNano(0.0009200240000000001))).toBe(0.000920024)
})
