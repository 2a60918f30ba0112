import { messageOf } from '../model/errors.ts'
import type { Ask, CallOutcome, Refusal } from '../model/call.ts'
import type { Spend } from '../model/spend.ts'
import { Admissions } from './call/admissions.ts'
import { AskQueue } from './call/ask-queue.ts'
import { DelayedAsks } from './call/delayed-asks.ts'
import { attemptCall, type AttemptOptions } from './call/attempt.ts'
import type { Journal } from './journal/journal.ts'
import type { JournalEntry } from './journal/journal-entry.ts'
import type { Ledger } from './money/ledger.ts'
import type { Pacer } from './pace/pacer.ts'
import { paceSignal } from './pace/pace-signal.ts'
import { worstCase } from './money/price.ts'
import type { Pricing } from './money/pricing.ts'
import { redacted, type Redact } from './redact.ts'
import { OpenCalls } from './call/open-calls.ts'
import { outcomeOf, type PendingAsk } from './call/pending-ask.ts'
import { ABANDONED, notAnswering, setupFailed } from './money/refusals.ts'
import { Patience } from './pace/patience.ts'
import { Reach } from './pace/reach.ts'
import { retryDelay } from './pace/retry.ts'
import { Wallet } from './money/wallet.ts'

export interface LaneOptions extends AttemptOptions {
  readonly modelKey: string
  readonly ledger: Ledger
  readonly pacer: Pacer
  readonly journal: Journal
  readonly redact: Redact
}

/**
 * All calls to one model: admits them in order while their worst case fits the envelope, sends them, retries
 * what time can heal, prices and journals each, and answers every ask exactly once.
 */
export class ModelLane {
  readonly #options: LaneOptions
  readonly #queue = new AskQueue()
  readonly #admissions = new Admissions(this.#queue, (head) => this.#admit(head))
  readonly #delayed: DelayedAsks
  readonly #open = new OpenCalls()
  /** Hashes of requests that were answered, or failed, here. */
  readonly #made = new Set<string>()
  #arrivals = 0
  #stopped: Refusal | null = null
  readonly #wallet: Wallet
  readonly #patience: Patience
  readonly #reach: Reach

  constructor(options: LaneOptions) {
    this.#options = options
    this.#wallet = new Wallet(options.modelKey, options.ledger)
    this.#delayed = new DelayedAsks(options.clock)
    this.#patience = new Patience(options.timeoutMs)
    this.#reach = new Reach(options.modelKey, options.provider.server)
  }

  get pricing(): Pricing {
    return this.#options.pricing
  }

  /** US dollars spent so far, unknown spend at its bound. */
  get spentUsd(): number {
    return this.#wallet.spentUsd
  }

  ask(ask: Ask, requestHash: string, signal: AbortSignal | null): Promise<CallOutcome> {
    return new Promise((resolve) => {
      const pending: PendingAsk = {
        ask,
        signal,
        requestHash,
        bound: worstCase(this.#options.pricing, ask.request),
        resolve,
        arrival: this.#arrivals++,
        held: null,
        lastFault: null,
        attempts: 0,
        startedAt: null,
        spent: 0,
        costKnown: true,
      }
      if (ask.pair === 'second') this.#wallet.handOver(pending)
      if (ask.pair === 'first')
        signal?.addEventListener('abort', () => void this.#wallet.waive(pending), { once: true })
      if (ask.delayMs) return this.#later(pending, ask.delayMs)
      this.#queue.push(pending)
      queueMicrotask(this.#admissions.look)
    })
  }

  /** The second call of a pair will not be made: what is held for it is free again. */
  waive(ask: Ask, requestHash: string): Promise<void> {
    return this.#wallet.waive({ ask, requestHash })
  }

  /** Calls that are open. */
  get open(): number {
    return this.#open.size
  }

  /** Calls that wait to be tried again. */
  get retrying(): number {
    return this.#delayed.retries
  }

  /** Whether a request was made here, or replayed. */
  made(requestHash: string): boolean {
    return this.#made.has(requestHash)
  }

  /** Takes note of a call that was made before. */
  noteReplayed(requestHash: string): void {
    this.#made.add(requestHash)
  }

  /** Counts what a replayed call has cost. */
  book(spend: Spend): Promise<void> {
    return this.#wallet.book(spend)
  }

  /** Sends nothing more; calls in flight finish. Everything waiting is answered with `refusal`. */
  stop(refusal: Refusal): void {
    this.#stopped ??= refusal
    for (const pending of this.#delayed.end()) this.#queue.push(pending)
    this.#admissions.look()
  }

  /** Sends again after an interruption; what else stopped the model still does. */
  resume(): void {
    if (this.#stopped?.code === 'INTERRUPTED') this.#stopped = null
  }

  /** Resolves when no call is open. */
  idle(): Promise<void> {
    return this.#open.idle()
  }

  /** Entries of the calls whose end is not written down; those in flight as if they were never answered. */
  unwritten(): JournalEntry[] {
    return this.#open.unwritten()
  }

  /** Sends or refuses an ask. False: it has to wait, and so has everything behind it. */
  async #admit(pending: PendingAsk): Promise<boolean> {
    const { pacer } = this.#options
    const atOnce = this.#stopped ?? (this.#unwanted(pending) ? ABANDONED : this.#wallet.objection(pending))
    if (atOnce !== null) {
      void this.#refuse(pending, atOnce)
      return true
    }
    const admission = await this.#wallet.admit(pending)
    if (admission.kind === 'wait') {
      this.#wallet.onRoom(this.#admissions.look)
      return false
    }
    if (admission.kind === 'refused' || admission.kind === 'lost') {
      if (admission.kind === 'lost') this.stop(admission.refusal)
      await this.#refuse(pending, this.#stopped ?? admission.refusal)
      return true
    }
    if (!(await pacer.acquire(this.#admissions.look))) return false
    const confirmed = !this.#unwanted(pending) && (await this.#wallet.confirm(pending))
    if (confirmed && !this.#unwanted(pending)) {
      this.#open.add(pending, this.#run(pending))
      return true
    }
    pacer.release({ kind: 'neutral' })
    if (confirmed) await this.#wallet.undo(pending)
    if (this.#unwanted(pending)) {
      await this.#refuse(pending, this.#stopped ?? ABANDONED)
      return true
    }
    // Held for too long without a sign of life: somebody else may have that money by now.
    this.#wallet.forget(pending)
    this.#admissions.look()
    return false
  }

  #unwanted({ signal }: PendingAsk): boolean {
    return this.#stopped !== null || signal?.aborted === true
  }

  async #refuse(pending: PendingAsk, refusal: Refusal): Promise<void> {
    await this.#wallet.giveBack(pending)
    // An ask that was already sent once is not "not sent": it keeps its record and its last fault.
    if (pending.lastFault === null) pending.resolve({ kind: 'refused', error: refusal })
    else await this.#finish(pending, { ...pending.lastFault, refusal })
  }

  async #run(pending: PendingAsk): Promise<void> {
    const { clock, pacer } = this.#options
    pending.startedAt ??= new Date(clock.now()).toISOString()
    pending.attempts += 1
    const { request, answerKey = null, probeClass, fixtureHash, sampleIndex, step } = pending.ask
    const rehearsal = { probeClass, fixtureHash, sampleIndex, step, attempt: pending.attempts, answerKey }
    const attempt = await attemptCall(this.#options, request, rehearsal)
    const settled = this.#wallet.charge(pending, attempt.cost)
    const outcome = redacted(outcomeOf(pending, attempt), this.#options.redact)
    this.#open.note(pending, outcome)
    await settled
    if (this.#patience.endsWith(outcome.kind === 'reply', clock.now()) && outcome.kind === 'fault')
      this.stop(notAnswering(this.#options.modelKey, outcome))
    const unreached = this.#reach.endsWith(attempt.fault, pending.attempts, outcome)
    if (unreached !== null) this.stop(unreached)
    const tried = { attempts: pending.attempts, elapsedMs: clock.now() - Date.parse(pending.startedAt) }
    const delayMs = attempt.fault === null ? null : retryDelay(attempt.fault, tried, () => clock.random())
    if (outcome.kind === 'fault' && delayMs !== null && this.#stopped === null) {
      pending.lastFault = outcome
      this.#open.forget(pending)
      await this.#wallet.holdAgain(pending)
      this.#later(pending, delayMs)
    } else {
      const refusal = outcome.kind === 'fault' ? setupFailed(this.#options.modelKey, outcome) : null
      if (refusal !== null) this.stop(refusal)
      await this.#wallet.close(pending, outcome.kind === 'reply')
      const unanswered = unreached !== null && outcome.kind === 'fault'
      await this.#finish(pending, unanswered ? { ...outcome, refusal: unreached } : outcome)
    }
    pacer.release(paceSignal(attempt.fault, attempt.limit))
    this.#admissions.look()
  }

  /** Lets an ask wait for its time; a stop ends the wait. */
  #later(pending: PendingAsk, delayMs: number): void {
    const due = (): void => {
      this.#queue.push(pending)
      this.#admissions.look()
    }
    if (this.#stopped === null) this.#delayed.add(pending, delayMs, due)
    else due()
  }

  /** Journals an outcome, then answers: nothing is graded that is not written down. */
  async #finish(pending: PendingAsk, outcome: JournalEntry['outcome']): Promise<void> {
    this.#made.add(pending.requestHash)
    try {
      await this.#options.journal.append(this.#open.note(pending, outcome))
    } catch (error) {
      // The answer in hand is still good; what must not happen is to pay for more that cannot be kept.
      this.stop({ code: 'JOURNAL_UNWRITABLE', message: messageOf(error) })
    } finally {
      this.#open.forget(pending)
    }
    pending.resolve(outcome)
  }
}
