import type { CallOutcome, Refusal } from '../../model/call.ts'
import type { OwnServer, ProviderFault } from '../../providers/provider.ts'
import { checkedBilling } from '../call/check-reply.ts'
import { serverNotReached } from '../money/refusals.ts'

/** A server that is only just being started is given so many attempts of a call. */
const MOST_ATTEMPTS = 3

/** Whether a server that the user runs is there at all: as long as no call has reached it, it is not waited for. */
export class Reach {
  readonly #modelKey: string
  readonly #server: OwnServer | undefined
  #reached = false

  /** @param server undefined: it is not the user's own. */
  constructor(modelKey: string, server: OwnServer | undefined) {
    this.#modelKey = modelKey
    this.#server = server
  }

  /**
   * Takes note of an attempt.
   * @param attempts of its call so far.
   * @returns what its call and all others are told where there is no server.
   */
  endsWith(fault: ProviderFault | null, attempts: number, outcome: CallOutcome): Refusal | null {
    const unsent = fault?.failureClass === 'network' && checkedBilling(fault.billing).kind === 'none'
    this.#reached ||= !unsent
    if (this.#server === undefined || this.#reached || outcome.kind !== 'fault') return null
    if (attempts < MOST_ATTEMPTS && fault?.retryable) return null
    return serverNotReached(this.#modelKey, this.#server, outcome)
  }
}
