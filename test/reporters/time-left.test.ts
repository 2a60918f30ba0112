import { expect, test } from 'vitest'
import { TimeLeft } from '../../reporters/time-left.ts'

/** Told twice a second until `endMs` how many samples there are. */
function after(endMs: number, countAt: (ms: number) => number): TimeLeft {
  const timeLeft = new TimeLeft()
  for (let ms = 0; ms <= endMs; ms += 500) timeLeft.note(ms, countAt(ms))
  return timeLeft
}

test('at two samples a second, 100 samples take 50 seconds', () => {
  expect(after(60_000, (ms) => ms / 500).estimate(100)).toBeCloseTo(50_000, -2)
})

test('too little time, or too few samples, tell nothing; nothing to come takes no time', () => {
  expect(new TimeLeft().estimate(10)).toBe(null)
  expect(after(9000, (ms) => ms / 100).estimate(10)).toBe(null)
  expect(after(60_000, (ms) => Math.floor(ms / 6500)).estimate(10)).toBe(null)
  expect(after(9000, () => 0).estimate(0)).toBe(0)
})

test('the later half of the time decides', () => {
  // Ten a second for a minute, then one.
  const timeLeft = after(120_000, (ms) => (ms <= 60_000 ? ms / 100 : 600 + (ms - 60_000) / 1000))
  expect(timeLeft.estimate(60)! / 60_000).toBeCloseTo(1, 1)
})

test('a pause makes it longer, and then unknown', () => {
  const paused = (pauseMs: number): number | null =>
    after(60_000 + pauseMs, (ms) => Math.min(ms, 60_000) / 500).estimate(10)
  expect(paused(0)).toBeCloseTo(5000, -2)
  expect(paused(30_000)!).toBeGreaterThan(10_000)
  expect(paused(70_000)).toBe(null)
})

test('answers that come in bursts are averaged over', () => {
  // Twenty at the end of every half minute: 40 a minute.
  const timeLeft = after(600_000, (ms) => Math.floor(ms / 30_000) * 20)
  expect(timeLeft.estimate(40)! / 60_000).toBeCloseTo(1, 1)
})
