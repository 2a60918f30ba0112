import type { Ask, CallOutcome } from '../../model/call.ts'
import type { PlannedCall } from './plan.ts'
import { worstCase } from '../money/price.ts'
import type { Pricing } from '../money/pricing.ts'

/** The calls of a run that only plans: noted with what each may cost, and not made. */
export class CallPlan {
  readonly #calls: PlannedCall[] = []

  /** In the order in which they were asked for. */
  get calls(): readonly PlannedCall[] {
    return this.#calls
  }

  /** Notes a call that would be bought. */
  note(
    { modelKey, probeClass, fixtureId, fixtureHash, sampleIndex, step, pair, request }: Ask,
    pricing: Pricing,
  ): CallOutcome {
    const identity = { modelKey, probeClass, fixtureId, fixtureHash, sampleIndex, step }
    const paired = pair === 'first' || pair === 'second'
    this.#calls.push({ ...identity, paired, worst: worstCase(pricing, request) })
    return { kind: 'refused', error: { code: 'DRY_RUN', message: 'planned only: this run makes no call' } }
  }
}
