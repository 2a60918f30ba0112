import type { Clock } from '../../src/gateway/clock.ts'

/** How many times faster pauses and deadlines pass on it. */
export const HASTE = 1000

let skippedMs = 0
const now = (): number => Date.now() + skippedMs

/**
 * A clock on which real answers are waited for, while what the gateway waits for by itself takes a thousandth: it jumps
 * to where an alarm was to ring.
 */
export const hastyClock: Clock = {
  now,
  after(ms, callback) {
    const due = now() + ms
    const timer = setTimeout(() => {
      skippedMs += Math.max(due - now(), 0)
      callback()
    }, ms / HASTE)
    return () => clearTimeout(timer)
  },
  random: () => 0.5,
}
