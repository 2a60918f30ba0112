import type { Ask, CallOutcome } from '../model/call.ts'
import { askProblem } from './check-ask.ts'
import { asRefusal, type Gateway } from './gateway.ts'
import type { PlannedCall } from './plan.ts'
import { worstCase } from './price.ts'

/** Takes asks as the gateway does and notes what each may cost, but sends none. */
export class DryGateway {
  readonly #gateway: Gateway
  readonly #calls: PlannedCall[] = []

  /** @param gateway knows the models; it is asked for nothing that would cost. */
  constructor(gateway: Gateway) {
    this.#gateway = gateway
  }

  /** Every call asked for so far, in order. */
  get calls(): readonly PlannedCall[] {
    return this.#calls
  }

  /** Refuses every ask, with `DRY_RUN` where a run would have admitted it. */
  async ask(ask: Ask): Promise<CallOutcome> {
    const problem = askProblem(ask)
    if (problem !== null)
      return { kind: 'refused', error: { code: 'OPTION_INVALID', message: `not asked: ${problem}` } }
    try {
      const { modelKey, probeClass, fixtureId, fixtureHash, sampleIndex, step } = ask
      const worst = worstCase(this.#gateway.facts(modelKey).pricing, ask.request)
      this.#calls.push({ modelKey, probeClass, fixtureId, fixtureHash, sampleIndex, step, worst })
      return { kind: 'refused', error: { code: 'DRY_RUN', message: 'planned only: this run makes no call' } }
    } catch (error) {
      return { kind: 'refused', error: asRefusal(error) }
    }
  }

  traits(...about: Parameters<Gateway['traits']>): ReturnType<Gateway['traits']> {
    return this.#gateway.traits(...about)
  }

  interrupt(): void {}

  resume(): void {}
}
