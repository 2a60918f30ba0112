import { expect, test } from 'vitest'
import { LocalLedger } from '../../src/gateway/money/ledger.ts'
import { toNano, toUsd } from '../../src/gateway/money/money.ts'

test('what is held counts like what is spent until it is settled', async () => {
  const ledger = new LocalLedger(100)
  expect(await ledger.hold(60)).toBe('held')
  expect(await ledger.hold(41)).toBe('wait')
  expect(await ledger.hold(40)).toBe('held')
  await ledger.settle(40, 0)
  await ledger.settle(60, 10)
  expect(ledger.accrued).toBe(10)
  expect(await ledger.hold(91)).toBe('never')
  expect(await ledger.hold(90)).toBe('held')
})

test('who had to wait is called once, when something is settled', async () => {
  const ledger = new LocalLedger(100)
  await ledger.hold(60)
  let calls = 0
  ledger.onRoom(() => (calls += 1))
  expect(calls).toBe(0)
  await ledger.settle(30, 0)
  await ledger.settle(30, 0)
  expect(calls).toBe(1)
})

test('amounts in dollars keep no float noise', () => {
  const cents = Array.from({ length: 10 }, () => toNano(0.1)).reduce((sum, one) => sum + one, 0)
  expect(toUsd(cents)).toBe(1)
  expect(toUsd(toNano(0.0009200240000000001))).toBe(0.000920024)
})
