import type { Ask, Refusal } from '../../model/call.ts'
import { spentUsdOf, type Spend } from '../../model/spend.ts'
import type { Hold, Ledger } from './ledger.ts'
import { toNano, toUsd, type NanoUsd } from './money.ts'
import type { PendingAsk } from '../call/pending-ask.ts'
import { envelopeReached, envelopeTooSmall, ledgerLost, type EnvelopeState } from './refusals.ts'

/** What became of a wish to be sent: paid for in advance, to wait, or not to be had. */
export type Admission =
  | { readonly kind: 'held' | 'wait' }
  /** `lost`: nobody can tell any more what is spent. */
  | { readonly kind: 'refused' | 'lost'; readonly refusal: Refusal }

/**
 * What the calls of one model hold and spend. A call that another one needs to be of use, as the first of a pair does,
 * is only begun when both can be paid.
 */
export class Wallet {
  readonly #modelKey: string
  readonly #ledger: Ledger
  /** Held for second calls whose first one was sent. */
  readonly #seconds = new Map<string, NanoUsd>()
  /** First sample index that could not be afforded: no later round is begun. */
  #closedRound = Number.POSITIVE_INFINITY
  /** How far a call has ever cost more than its worst case: later worst cases are held that much higher. */
  #overrun = 1

  constructor(modelKey: string, ledger: Ledger) {
    this.#modelKey = modelKey
    this.#ledger = ledger
  }

  /** US dollars spent so far, unknown spend at its bound. */
  get spentUsd(): number {
    return toUsd(this.#ledger.accrued)
  }

  /** Why an ask need not even wait; null where it may be paid for. */
  objection(pending: PendingAsk): Refusal | null {
    if (pending.held !== null) return null
    const need = this.#needOf(pending)
    if (pending.ask.sampleIndex > this.#closedRound) return envelopeReached(this.#state(), need)
    return need > this.#ledger.envelope ? envelopeTooSmall(this.#state(), need) : null
  }

  /** Holds the worst case of an ask, and of the call that has to follow it. */
  async admit(pending: PendingAsk): Promise<Admission> {
    if (pending.held !== null) return { kind: 'held' }
    const one = this.#worstCaseOf(pending)
    const hold = this.#bringsSecond(pending) ? await this.#holdTwo(one) : await this.#ledger.hold(one)
    if (hold === 'held') {
      if (this.#bringsSecond(pending)) this.#seconds.set(pairOf(pending), one)
      pending.held = one
    }
    if (hold === 'held' || hold === 'wait') return { kind: hold }
    if (hold === 'lost') return { kind: 'lost', refusal: ledgerLost(this.#modelKey) }
    this.#closedRound = Math.min(this.#closedRound, pending.ask.sampleIndex)
    return { kind: 'refused', refusal: envelopeReached(this.#state(), this.#needOf(pending)) }
  }

  /** Two holds of the same amount, or none: each call settles its own. */
  async #holdTwo(one: NanoUsd): Promise<Hold> {
    const both = await this.#ledger.hold(2 * one)
    if (both !== 'held') return both
    await this.#ledger.release(2 * one)
    const first = await this.#ledger.hold(one)
    const second = first === 'held' ? await this.#ledger.hold(one) : first
    if (first === 'held' && second !== 'held') await this.#ledger.release(one)
    // Somebody else was quicker, and will make room again.
    return second === 'never' ? 'wait' : second
  }

  /** Calls back once, after something was settled. */
  onRoom(wake: () => void): void {
    this.#ledger.onRoom(wake)
  }

  /** Says that a held ask is about to be sent. False: its money has to be held again. */
  async confirm(pending: PendingAsk): Promise<boolean> {
    return this.#ledger.confirm(pending.held ?? 0)
  }

  /** Forgets what is held for an ask without giving it back: it is not held any more. */
  forget(pending: PendingAsk): void {
    pending.held = null
  }

  /** Gives a second call what was held for it when the first one was sent. */
  handOver(pending: PendingAsk): void {
    const held = this.#seconds.get(pairOf(pending))
    if (held === undefined) return
    this.#seconds.delete(pairOf(pending))
    pending.held = held
  }

  /** Gives back what was held for a second call that will not be made. */
  async waive(pending: Pick<PendingAsk, 'requestHash' | 'ask'>): Promise<void> {
    const held = this.#seconds.get(pairOf(pending))
    this.#seconds.delete(pairOf(pending))
    if (held !== undefined) await this.#ledger.release(held)
  }

  /** Gives back what is held for an ask that is not sent. */
  async giveBack(pending: PendingAsk): Promise<void> {
    const { held } = pending
    pending.held = null
    if (held !== null && held > 0) await this.#ledger.release(held)
    await this.#waiveAfter(pending)
  }

  /** Gives back what is held for an ask that was confirmed, and then not sent. */
  async undo(pending: PendingAsk): Promise<void> {
    await this.#settle(pending, 0)
  }

  /** Settles an attempt. @param cost null: nobody knows, so it counts at what was held. */
  async charge(pending: PendingAsk, cost: NanoUsd | null): Promise<void> {
    const held = pending.held ?? 0
    const spent = cost ?? held
    pending.spent += spent
    if (cost === null) pending.costKnown = false
    if (spent > held && pending.bound > 0) this.#overrun = Math.max(this.#overrun, spent / pending.bound)
    await this.#settle(pending, spent)
  }

  /** Holds the worst case of another attempt, if it fits. */
  async holdAgain(pending: PendingAsk): Promise<void> {
    const need = this.#worstCaseOf(pending)
    if ((await this.#ledger.hold(need)) === 'held') pending.held = need
  }

  /** After the last attempt of an ask without an answer: no second call follows. */
  async close(pending: PendingAsk, answered: boolean): Promise<void> {
    if (!answered) await this.#waiveAfter(pending)
  }

  /** Counts what a replayed call has cost. */
  async book(spend: Spend): Promise<void> {
    const spent = toNano(spentUsdOf(spend))
    if (spent > 0) await this.#ledger.settle(0, spent)
  }

  async #waiveAfter(pending: PendingAsk): Promise<void> {
    if (pending.ask.pair === 'first') await this.waive(pending)
  }

  async #settle(pending: PendingAsk, spent: NanoUsd): Promise<void> {
    const held = pending.held ?? 0
    pending.held = null
    if (held > 0 || spent > 0) await this.#ledger.settle(held, spent)
  }

  #bringsSecond(pending: PendingAsk): boolean {
    return pending.ask.pair === 'first' && !this.#seconds.has(pairOf(pending))
  }

  #worstCaseOf(pending: PendingAsk): NanoUsd {
    return Math.ceil(pending.bound * this.#overrun)
  }

  #needOf(pending: PendingAsk): NanoUsd {
    return this.#worstCaseOf(pending) * (this.#bringsSecond(pending) ? 2 : 1)
  }

  #state(): EnvelopeState {
    return { modelKey: this.#modelKey, envelopeUsd: toUsd(this.#ledger.envelope), spentUsd: this.spentUsd }
  }
}

/** Both calls of a pair are one request of one sample. */
function pairOf({ requestHash, ask }: { readonly requestHash: string; readonly ask: Ask }): string {
  return `${requestHash} ${ask.fixtureId} ${ask.sampleIndex}`
}
