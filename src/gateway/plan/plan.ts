import { PROBE_CLASSES, type ProbeClass } from '../../model/fixture.ts'
import type { Expectation, PlannedClass, PlannedModel, PlannedStop } from '../../model/plan.ts'
import type { JournaledCost } from './journal-costs.ts'
import { toUsd, type NanoUsd } from '../money/money.ts'

/** A call that a run would make. */
export interface PlannedCall {
  readonly modelKey: string
  readonly probeClass: ProbeClass
  readonly fixtureId: string
  readonly fixtureHash: string
  readonly sampleIndex: number
  readonly step: number
  /** One of two calls of a sample that are only sent when both can be paid. Default: false. */
  readonly paired?: boolean
  readonly worst: NanoUsd
}

/** A planned call with what such calls have cost; null: none is journaled. */
type Estimated = PlannedCall & { readonly expected: number | null }

/** What the gateway admits as one: a call, or both calls of a sample that are of use only together. */
interface Unit {
  readonly probeClass: ProbeClass
  readonly fixtureId: string
  readonly sampleIndex: number
  readonly calls: number
  readonly worst: NanoUsd
  readonly expected: number | null
}

/** The calls of a model for a class, estimated. */
export interface Estimate {
  readonly calls: readonly Estimated[]
  readonly summary: PlannedClass
}

/**
 * Estimates the calls of one model and class: each at the mean of the same call of the same fixture, or, where the
 * fixture is new or has changed, of all calls of the class.
 * @param calls at least one, all of one model and class.
 */
export function estimate(calls: readonly PlannedCall[], journaled: readonly JournaledCost[]): Estimate {
  const own = Map.groupBy(journaled, callName)
  const bases = new Set(calls.map((call) => own.get(callName(call)) ?? journaled))
  const means = new Map([...bases].map((basis) => [basis, mean(basis)]))
  const estimated = calls.map((call) => {
    // What costs nothing at worst needs no history.
    const expected = call.worst === 0 ? 0 : means.get(own.get(callName(call)) ?? journaled)!
    return { ...call, expected }
  })
  const { modelKey, probeClass } = calls[0]!
  const worst = calls.map((call) => call.worst)
  const summary = {
    modelKey,
    probeClass,
    calls: calls.length,
    worstUsd: toUsd(sum(worst)),
    largestUsd: toUsd(most(worst)),
    expected: expectation(
      estimated,
      [...new Set([...bases].flat())].map(({ cost }) => cost),
    ),
  }
  return { calls: estimated, summary }
}

function callName({ fixtureHash, step }: { readonly fixtureHash: string; readonly step: number }): string {
  return `${fixtureHash} ${step}`
}

function expectation(calls: readonly Estimated[], costs: readonly NanoUsd[]): Expectation | null {
  if (costs.length === 0) return null
  const usd = toUsd(Math.round(sum(calls.map(({ expected }) => expected ?? 0))))
  const least = costs.reduce((one, other) => Math.min(one, other))
  return { usd, journaledCalls: costs.length, leastUsd: toUsd(least), mostUsd: toUsd(most(costs)) }
}

/**
 * What the envelope of a model allows, by the gateway's rule: a call is sent if its worst case fits beside what is spent,
 * the first of a pair if both fit; and once one does not fit no later round is begun.
 * @param estimates of one model, its classes.
 * @param spent of the envelope already.
 */
export function planModel(estimates: readonly Estimate[], envelope: NanoUsd, spent: NanoUsd = 0): PlannedModel {
  const calls = estimates.flatMap((one) => one.calls)
  const units = inOrder(unitsOf(calls))
  const fitting = units.filter(({ worst }) => worst <= envelope)
  const certain = certainUnits(fitting, envelope - spent)
  const unknown = new Set(calls.filter(({ expected }) => expected === null).map(({ probeClass }) => probeClass))
  const tooLarge = Map.groupBy(
    units.filter(({ worst }) => worst > envelope),
    ({ probeClass, fixtureId }) => `${probeClass} ${fixtureId}`,
  )
  return {
    modelKey: calls[0]!.modelKey,
    envelopeUsd: toUsd(envelope),
    spentUsd: toUsd(spent),
    calls: calls.length,
    certain: callsOf(certain),
    atOnce: certain.length,
    stop: unknown.size > 0 ? null : stopAtExpectedCost(fitting, envelope - spent),
    unknown: [...unknown],
    tooLarge: [...tooLarge.values()].map((own) => {
      const { probeClass, fixtureId, calls: together } = own[0]!
      return { probeClass, fixtureId, calls: together, worstUsd: toUsd(most(own.map(({ worst }) => worst))) }
    }),
  }
}

/** Class after class, round after round, each round as it was asked for. */
function inOrder(units: readonly Unit[]): Unit[] {
  const place = ({ probeClass }: Unit): number => PROBE_CLASSES.indexOf(probeClass)
  return units.toSorted((a, b) => place(a) - place(b) || a.sampleIndex - b.sampleIndex)
}

/** Each pair in the place of its first call: the second is paid for with what is held since then. */
function unitsOf(calls: readonly Estimated[]): Unit[] {
  const together = ({ probeClass, fixtureId, sampleIndex, paired }: Estimated, place: number): string =>
    paired ? `${probeClass} ${sampleIndex} ${fixtureId}` : String(place)
  return [...Map.groupBy(calls.entries(), ([place, call]) => together(call, place)).values()].map((own) => {
    const each = own.map(([, call]) => call)
    const { probeClass, fixtureId, sampleIndex } = each[0]!
    const expected = each.some((call) => call.expected === null) ? null : sum(each.map((call) => call.expected ?? 0))
    const worst = sum(each.map((call) => call.worst))
    return { probeClass, fixtureId, sampleIndex, calls: each.length, worst, expected }
  })
}

function callsOf(units: readonly Unit[]): number {
  return sum(units.map(({ calls }) => calls))
}

function certainUnits(units: readonly Unit[], left: NanoUsd): readonly Unit[] {
  let held = 0
  const first = units.findIndex(({ worst }) => (held += worst) > left)
  return first === -1 ? units : units.slice(0, first)
}

function stopAtExpectedCost(units: readonly Unit[], left: NanoUsd): PlannedStop | null {
  let spent = 0
  let made = 0
  let stop: Omit<PlannedStop, 'calls'> | null = null
  let lastRound = Number.POSITIVE_INFINITY
  for (const { worst, expected, probeClass, sampleIndex, calls } of units) {
    if (sampleIndex > lastRound) continue
    if (spent + worst <= left) {
      spent += expected ?? worst
      made += calls
    } else {
      stop ??= { probeClass, sampleIndex }
      lastRound = Math.min(lastRound, sampleIndex)
    }
  }
  return stop === null ? null : { ...stop, calls: made }
}

function mean(costs: readonly JournaledCost[]): number | null {
  return costs.length === 0 ? null : sum(costs.map(({ cost }) => cost)) / costs.length
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, one) => total + one, 0)
}

function most(amounts: readonly number[]): number {
  return amounts.reduce((one, other) => Math.max(one, other), 0)
}
