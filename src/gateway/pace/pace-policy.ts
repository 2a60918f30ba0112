import type { PaceSignal } from './pacer.ts'

/** Calls that an account begins with. */
const START = 20
/** Cuts are at least so far apart, and twice as far after each that no clean answer followed. */
const COOLDOWN_MS = 1000
/** Nobody is waited for longer than this. */
const LONGEST_PAUSE_MS = 60_000
/** Of the cooldown: more would be beyond the longest pause. */
const MOST_DOUBLINGS = 6
/** Clean answers that make no room for more, after one that tells of trouble. */
const HESITATION = 10
/** So large a share of refusals among the answers of about one round trip is no accident. */
const TOO_MANY = 1 / 5

/** What an account is taken to bear. Plain data; times are milliseconds since the epoch. */
export interface PaceState {
  /** The limit is never more. */
  readonly bound: number
  /** Most calls open at once: a whole number, at least 1. */
  readonly limit: number
  /** Each clean answer makes room for one call more; false: each `limit` of them do. */
  readonly doubling: boolean
  /** Clean answers since the limit last grew, while it creeps. */
  readonly clean: number
  /** Clean answers that are still to pass before the limit grows again. */
  readonly hesitation: number
  /** Share of refusals among recent answers, each new one weighing one in `limit`. */
  readonly refusedShare: number
  /** Cuts since the last clean answer. */
  readonly cutsInARow: number
  /** No cut before. */
  readonly noCutUntil: number
  /** Nothing new is started before. */
  readonly pausedUntil: number
}

/** An account of which nothing is known yet: until a round trip was clean, a refusal is taken for a limit at once. */
export function initialPace(bound: number): PaceState {
  return {
    bound,
    limit: Math.min(START, bound),
    doubling: true,
    clean: 0,
    hesitation: 0,
    refusedShare: 0.5,
    cutsInARow: 0,
    noCutUntil: 0,
    pausedUntil: 0,
  }
}

/**
 * What an account is taken to bear after an attempt has ended.
 *
 * Clean answers let the limit double with every round trip, and once there has been a refusal, grow by one. Refusals
 * that pile up halve it, at most once per cooldown, and pause the account for as long as it was told. One refusal among
 * many answers is no sign that the account is at its limit: only its own call waits, and growth hesitates, as it does
 * when the provider is in trouble.
 */
export function nextPace(state: PaceState, signal: PaceSignal, now: number): PaceState {
  const next = answered(state, signal, now)
  return typeof signal.exhaustedMs === 'number' ? paused(next, now, signal.exhaustedMs) : next
}

/** For how many milliseconds nothing new is started. */
export function pauseLeft({ pausedUntil }: PaceState, now: number): number {
  const pauseMs = pausedUntil - now
  // No pause is longer: somebody has set the clock back.
  return pauseMs > 0 && pauseMs <= LONGEST_PAUSE_MS + 1 ? pauseMs : 0
}

function answered(state: PaceState, signal: PaceSignal, now: number): PaceState {
  if (signal.kind === 'clean') return grown({ ...state, refusedShare: shareWith(state, 0), cutsInARow: 0 })
  if (signal.kind === 'rate_limited') return refused(state, signal.retryAfterMs, now)
  return signal.kind === 'strained' ? { ...state, hesitation: HESITATION } : state
}

function grown(state: PaceState): PaceState {
  if (state.hesitation > 0) return { ...state, hesitation: state.hesitation - 1 }
  if (state.limit >= state.bound) return state
  const clean = state.clean + 1
  return state.doubling || clean >= state.limit ? { ...state, limit: state.limit + 1, clean: 0 } : { ...state, clean }
}

function refused(state: PaceState, retryAfterMs: number | null, now: number): PaceState {
  // It was open when the pause began: it says nothing of the limit since, but may know of a longer pause.
  if (now < state.pausedUntil) return paused(state, now, retryAfterMs ?? 0)
  const seen: PaceState = { ...state, doubling: false, hesitation: HESITATION, refusedShare: shareWith(state, 1) }
  if (seen.refusedShare < TOO_MANY) return seen
  const cooldownMs = Math.min(COOLDOWN_MS * 2 ** state.cutsInARow, LONGEST_PAUSE_MS)
  const pauseMs = Math.min(retryAfterMs ?? cooldownMs, LONGEST_PAUSE_MS)
  const kept = now < state.noCutUntil ? seen : cut(seen, now + Math.max(cooldownMs, pauseMs))
  return paused(kept, now, pauseMs)
}

function cut(state: PaceState, noCutUntil: number): PaceState {
  const limit = Math.max(Math.floor(state.limit / 2), 1)
  const cutsInARow = Math.min(state.cutsInARow + 1, MOST_DOUBLINGS)
  return { ...state, limit, clean: 0, refusedShare: 0, cutsInARow, noCutUntil }
}

function shareWith({ refusedShare, limit }: PaceState, refusal: 0 | 1): number {
  return refusedShare + (refusal - refusedShare) / limit
}

function paused(state: PaceState, now: number, forMs: number): PaceState {
  return { ...state, pausedUntil: Math.max(state.pausedUntil, now + Math.min(forMs, LONGEST_PAUSE_MS)) }
}
