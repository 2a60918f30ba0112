import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { beat, newPulse, watchPulse } from '../../src/pool/pulse.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const LOOKS = { everyMs: 20, looks: 20 }

test('a worker that gets to its timers no more is told of, once; one that lives is not', () => {
  const [silent, alive] = [newPulse(), newPulse()]
  const told: string[] = []
  watchPulse(silent, (seconds) => told.push(`silent for ${seconds} s`), LOOKS)
  watchPulse(alive, () => told.push('alive'), LOOKS)
  const count = new Int32Array(alive)
  for (let look = 0; look < 100; look += 1) {
    Atomics.add(count, 0, 1)
    vi.advanceTimersByTime(LOOKS.everyMs)
    expect(told).toEqual(look < LOOKS.looks - 1 ? [] : ['silent for 0.4 s'])
  }
})

test('a pause shorter than that is none', () => {
  const pulse = newPulse()
  let told = 0
  watchPulse(pulse, () => (told += 1), LOOKS)
  for (let look = 1; look <= 100; look += 1) {
    if (look % LOOKS.looks === 0) Atomics.add(new Int32Array(pulse), 0, 1)
    vi.advanceTimersByTime(LOOKS.everyMs)
  }
  expect(told).toBe(0)
})

test('a worker that beats is seen to live by the usual looks', () => {
  const pulse = newPulse()
  let told = 0
  beat(pulse)
  watchPulse(pulse, () => (told += 1))
  vi.advanceTimersByTime(600_000)
  expect(told).toBe(0)
  vi.clearAllTimers()
})

test('an ended watch tells of nothing', () => {
  let told = 0
  watchPulse(newPulse(), () => (told += 1), LOOKS)()
  vi.advanceTimersByTime(LOOKS.everyMs * LOOKS.looks * 2)
  expect(told).toBe(0)
})
