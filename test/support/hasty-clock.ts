import type { Clock } from '../../src/gateway/clock.ts'

/** How many times faster pauses and deadlines pass on it. */
export const HASTE = 1000

/** A clock on which real answers are waited for, while what the gateway waits for by itself takes a thousandth. */
export const hastyClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms / HASTE)
    return () => clearTimeout(timer)
  },
  random: () => 0.5,
}
