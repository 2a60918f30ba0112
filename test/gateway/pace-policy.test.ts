import fc from 'fast-check'
import { expect, test } from 'vitest'
import { initialPace, nextPace, type PaceState } from '../../src/gateway/pace/pace-policy.ts'
import type { PaceSignal } from '../../src/gateway/pace/pacer.ts'

const CLEAN: PaceSignal = { kind: 'clean' }
const STRAINED: PaceSignal = { kind: 'strained' }
const refused = (retryAfterMs: number | null = null): PaceSignal => ({ kind: 'rate_limited', retryAfterMs })

/** What becomes of a pace, one signal after the other at one time. */
function after(state: PaceState, signals: readonly PaceSignal[], now = 0): PaceState {
  return signals.reduce((pace, signal) => nextPace(pace, signal, now), state)
}

const times = (count: number, signal: PaceSignal): PaceSignal[] => Array.from({ length: count }, () => signal)

const duration = fc.oneof(
  fc.constant(null),
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 500 }) },
  fc.integer({ min: 0, max: 200_000 }),
)
const anySignal: fc.Arbitrary<PaceSignal> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('clean' as const), exhaustedMs: duration }) },
  { weight: 6, arbitrary: fc.constant(CLEAN) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rate_limited' as const), retryAfterMs: duration }) },
  fc.constantFrom<PaceSignal>(STRAINED, { kind: 'neutral' }),
)
const history = fc.array(
  fc.tuple(fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 3000 })), anySignal),
  { maxLength: 300 },
)

test('whatever happens: at least one call, never more than the bound, and no cut but for a refusal', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), history, (bound, steps) => {
      let [state, now] = [initialPace(bound), 1_000_000]
      for (const [pause, signal] of steps) {
        now += pause
        const next = nextPace(state, signal, now)
        expect(Number.isInteger(next.limit) && next.limit >= 1 && next.limit <= bound).toBe(true)
        expect(next.limit - state.limit).toBeLessThanOrEqual(signal.kind === 'clean' ? 1 : 0)
        if (signal.kind === 'rate_limited')
          expect([state.limit, Math.max(Math.floor(state.limit / 2), 1)]).toContain(next.limit)
        else expect(next.limit).toBeGreaterThanOrEqual(state.limit)
        // A pause never becomes shorter, and never longer than a minute from now.
        expect(next.pausedUntil).toBeGreaterThanOrEqual(state.pausedUntil)
        expect(next.pausedUntil).toBeLessThanOrEqual(Math.max(now + 60_000, state.pausedUntil))
        expect(JSON.parse(JSON.stringify(next))).toEqual(next)
        state = next
      }
    }),
  )
})

test('whatever happens: cuts are at least a second apart, and not before the pause that came with the last is over', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 100 }), history, (bound, steps) => {
      let [state, now, allowedAt] = [initialPace(bound), 1_000_000, 0]
      for (const [pause, signal] of steps) {
        now += pause
        const next = nextPace(state, signal, now)
        if (next.limit < state.limit) {
          expect(now).toBeGreaterThanOrEqual(allowedAt)
          const asked = signal.kind === 'rate_limited' ? (signal.retryAfterMs ?? 0) : 0
          allowedAt = now + Math.max(Math.min(asked, 60_000), 1000)
        }
        state = next
      }
    }),
  )
})

test.for([
  [64, 20],
  [16, 16],
  [1, 1],
])('with a bound of %i it begins with %i', ([bound, start]) => {
  expect(initialPace(bound!).limit).toBe(start)
})

test('clean answers double the limit in a round trip, up to the bound', () => {
  const first = after(initialPace(64), times(20, CLEAN))
  expect(first.limit).toBe(40)
  expect(after(first, times(23, CLEAN)).limit).toBe(63)
  expect(after(first, times(500, CLEAN)).limit).toBe(64)
})

test('after a refusal it is halved, and then takes as many clean answers as there are slots for one slot more', () => {
  const cut = after(initialPace(64), [refused()])
  expect(cut.limit).toBe(10)
  // Ten pass while it hesitates.
  const later = after(cut, times(10, CLEAN), 5000)
  expect(after(later, times(9, CLEAN)).limit).toBe(10)
  expect(after(later, times(10, CLEAN)).limit).toBe(11)
  expect(after(later, times(20, CLEAN)).limit).toBe(11)
  expect(after(later, times(21, CLEAN)).limit).toBe(12)
})

test('trouble of the provider stops growth for ten answers, and takes nothing away', () => {
  const troubled = after(initialPace(64), [...times(4, CLEAN), STRAINED])
  expect(troubled.limit).toBe(24)
  expect(after(troubled, times(10, CLEAN)).limit).toBe(24)
  expect(after(troubled, times(11, CLEAN)).limit).toBe(25)
  expect(after(initialPace(64), times(500, STRAINED)).limit).toBe(20)
})

test('a refusal pauses the account for as long as it says, at most a minute', () => {
  expect(nextPace(initialPace(8), refused(2500), 1000)).toMatchObject({ limit: 4, pausedUntil: 3500, noCutUntil: 3500 })
  expect(nextPace(initialPace(8), refused(90_000), 1000)).toMatchObject({ pausedUntil: 61_000 })
  expect(nextPace(initialPace(8), refused(0), 1000)).toMatchObject({ limit: 4, pausedUntil: 1000, noCutUntil: 2000 })
})

test('refusals within a second of a cut pause the account again, and cut nothing', () => {
  const cut = nextPace(initialPace(8), refused(100), 0)
  expect(nextPace(cut, refused(300), 200)).toMatchObject({ limit: 4, pausedUntil: 500 })
  expect(nextPace(cut, refused(300), 1000)).toMatchObject({ limit: 2, pausedUntil: 1300 })
})

test('what was refused before a cut does not count against the limit after it', () => {
  const cut = nextPace(initialPace(16), refused(100), 0)
  expect(cut.limit).toBe(8)
  // Weighing one in eight: 0.125 and 0.234.
  expect(nextPace(cut, refused(100), 5000).limit).toBe(8)
  expect(after(cut, times(2, refused(100)), 5000).limit).toBe(4)
})

test('refusals of calls that were open already lengthen the pause, and cut nothing', () => {
  const cut = nextPace(initialPace(8), refused(2000), 0)
  expect(nextPace(cut, refused(1000), 500)).toMatchObject({ limit: 4, pausedUntil: 2000 })
  expect(nextPace(cut, refused(3000), 500)).toMatchObject({ limit: 4, pausedUntil: 3500 })
})

test('refusals that do not say for how long pause it twice as long each time, until one answer is clean', () => {
  const pauses: number[] = []
  let [state, now] = [initialPace(1), 0]
  for (let refusals = 0; refusals < 8; refusals += 1) {
    state = nextPace(state, refused(), now)
    pauses.push(state.pausedUntil - now)
    now = state.pausedUntil
  }
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  state = nextPace(nextPace(state, CLEAN, now), refused(), now)
  expect(state.pausedUntil - now).toBe(1000)
})

test('a refusal among many answers is an accident; where a fifth of a round trip is refused, it is none', () => {
  const proven = after(initialPace(16), times(200, CLEAN))
  // Weighing one in sixteen: 0.063, 0.121, 0.176 and 0.227.
  const accidents = after(proven, times(3, refused(5000)))
  expect(accidents).toMatchObject({ limit: 16, pausedUntil: 0 })
  expect(nextPace(accidents, refused(5000), 0)).toMatchObject({ limit: 8, pausedUntil: 5000 })
  // With few slots there are no accidents.
  expect(nextPace(after(initialPace(4), times(200, CLEAN)), refused(5000), 0)).toMatchObject({
    limit: 2,
    pausedUntil: 5000,
  })
})

test('after an accident the limit no longer doubles', () => {
  const proven = after(initialPace(200), times(100, CLEAN))
  expect(proven.limit).toBe(120)
  const careful = after(proven, [refused(), ...times(10, CLEAN)])
  expect(after(careful, times(119, CLEAN)).limit).toBe(120)
  expect(after(careful, times(120, CLEAN)).limit).toBe(121)
})

test('a limit that is used up pauses the account until it starts afresh, and cuts nothing', () => {
  const used = nextPace(initialPace(8), { kind: 'clean', exhaustedMs: 6000 }, 1000)
  expect(used).toMatchObject({ limit: 8, pausedUntil: 7000 })
  expect(nextPace(used, { kind: 'clean', exhaustedMs: 100 }, 2000)).toMatchObject({ pausedUntil: 7000 })
  expect(nextPace(used, { kind: 'neutral', exhaustedMs: 600_000 }, 2000)).toMatchObject({ pausedUntil: 62_000 })
  // The longer of the two holds.
  const both = { kind: 'rate_limited', retryAfterMs: 1000, exhaustedMs: 4000 } as const
  expect(nextPace(initialPace(8), both, 0)).toMatchObject({ limit: 4, pausedUntil: 4000 })
})
