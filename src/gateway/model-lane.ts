import { messageOf } from '../model/errors.ts'
import type { Ask, CallOutcome, CallRecord, Refusal } from '../model/call.ts'
import { AskQueue, type PendingAsk } from './ask-queue.ts'
import { attemptCall, type Attempt, type AttemptOptions } from './attempt.ts'
import type { Journal } from './journal.ts'
import type { JournalEntry } from './journal-entry.ts'
import type { Ledger } from './ledger.ts'
import { toNano, toUsd, type NanoUsd } from './money.ts'
import type { Pacer } from './pacer.ts'
import { paceSignal } from './pace-signal.ts'
import { worstCase } from './price.ts'
import type { Pricing } from './pricing.ts'
import { redacted, type Redact } from './redact.ts'
import {
  ABANDONED,
  envelopeReached,
  envelopeTooSmall,
  ledgerLost,
  setupFailed,
  type EnvelopeState,
} from './refusals.ts'
import { retryDelay } from './retry.ts'

export interface LaneOptions extends AttemptOptions {
  readonly modelKey: string
  readonly ledger: Ledger
  readonly pacer: Pacer
  readonly journal: Journal
  readonly redact: Redact
}

type Settled = Exclude<CallOutcome, { kind: 'refused' }>

/**
 * All calls to one model: admits them in order while their worst case fits the envelope, sends them, retries
 * what time can heal, prices and journals each, and answers every ask exactly once.
 */
export class ModelLane {
  readonly #options: LaneOptions
  readonly #queue = new AskQueue()
  /** Retries that wait for their time; what they may cost is held for them, so that no later round takes it. */
  readonly #delayed = new Map<PendingAsk, () => void>()
  readonly #open = new Map<Promise<void>, PendingAsk>()
  #arrivals = 0
  #pumping = false
  /** Something has changed since the queue was last looked at. */
  #stirred = false
  /** First sample index that could not be afforded: no later round is begun. */
  #closedRound = Number.POSITIVE_INFINITY
  #stopped: Refusal | null = null
  /** How far a call has ever cost more than its worst case: later worst cases are held that much higher. */
  #overrun = 1

  constructor(options: LaneOptions) {
    this.#options = options
  }

  get pricing(): Pricing {
    return this.#options.pricing
  }

  /** US dollars spent so far, unknown spend at its bound. */
  get spentUsd(): number {
    return toUsd(this.#options.ledger.accrued)
  }

  ask(ask: Ask, requestHash: string, signal: AbortSignal | null): Promise<CallOutcome> {
    return new Promise((resolve) => {
      this.#queue.push({
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
      })
      queueMicrotask(this.#pump)
    })
  }

  /** Counts what a replayed call has cost. */
  async book({ costUsd, costUpperBoundUsd }: Pick<CallRecord, 'costUsd' | 'costUpperBoundUsd'>): Promise<void> {
    const spent = toNano(costUsd ?? costUpperBoundUsd ?? 0)
    if (spent > 0) await this.#options.ledger.settle(0, spent)
  }

  /** Sends nothing more; calls in flight finish. Everything waiting is answered with `refusal`. */
  stop(refusal: Refusal): void {
    this.#stopped ??= refusal
    for (const [pending, cancel] of this.#delayed) {
      cancel()
      this.#queue.push(pending)
    }
    this.#delayed.clear()
    this.#pump()
  }

  /** Sends again after an interruption; what else stopped the model still does. */
  resume(): void {
    if (this.#stopped?.code === 'INTERRUPTED') this.#stopped = null
  }

  /** Resolves when no call is open. */
  async idle(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open.keys())
  }

  /** Entries of the calls that are in flight, as if they were never answered. */
  left(): JournalEntry[] {
    return [...this.#open.values()].flatMap((pending) => {
      // What is settled already is being journaled.
      if (pending.held === null) return []
      const record = this.#record({ ...pending, spent: pending.spent + pending.held, costKnown: false }, 0)
      const detail = 'the run was ended before the reply came'
      return this.#entry(pending, { kind: 'fault', failureClass: 'network', detail, record })
    })
  }

  readonly #pump = (): void => {
    this.#stirred = true
    if (!this.#pumping) void this.#admitAll()
  }

  /** One admission at a time: what is decided of one ask holds until it is carried out. */
  async #admitAll(): Promise<void> {
    this.#pumping = true
    while (this.#stirred) {
      this.#stirred = false
      for (let head = this.#queue.pop(); head !== undefined; head = this.#queue.pop()) {
        if (await this.#admit(head)) continue
        this.#queue.push(head)
        break
      }
    }
    this.#pumping = false
  }

  /** Sends or refuses an ask. False: it has to wait, and so has everything behind it. */
  async #admit(pending: PendingAsk): Promise<boolean> {
    const { ledger, pacer } = this.#options
    if (this.#refusedAtOnce(pending)) return true
    const need = this.#worstCaseOf(pending)
    const hold = pending.held === null ? await ledger.hold(need) : 'held'
    if (hold === 'wait') {
      ledger.onRoom(this.#pump)
      return false
    }
    if (hold === 'lost') {
      this.stop(ledgerLost(this.#options.modelKey))
      await this.#refuse(pending, this.#stopped!)
      return true
    }
    if (hold === 'never') {
      this.#closedRound = Math.min(this.#closedRound, pending.ask.sampleIndex)
      await this.#refuse(pending, envelopeReached(this.#envelope(), need))
      return true
    }
    pending.held ??= need
    if (!(await pacer.acquire(this.#pump))) return false
    const confirmed = !this.#unwanted(pending) && (await ledger.confirm(pending.held))
    if (confirmed && !this.#unwanted(pending)) {
      this.#start(pending)
      return true
    }
    pacer.release({ kind: 'neutral' })
    if (confirmed) await this.#settle(pending, 0)
    if (this.#unwanted(pending)) {
      await this.#refuse(pending, this.#stopped ?? ABANDONED)
      return true
    }
    // Held for too long without a sign of life: somebody else may have that money by now.
    pending.held = null
    this.#stirred = true
    return false
  }

  #unwanted({ signal }: PendingAsk): boolean {
    return this.#stopped !== null || signal?.aborted === true
  }

  #refusedAtOnce(pending: PendingAsk): boolean {
    const refusal = this.#refusalFor(pending)
    if (refusal !== null) void this.#refuse(pending, refusal)
    return refusal !== null
  }

  #worstCaseOf(pending: PendingAsk): NanoUsd {
    return Math.ceil(pending.bound * this.#overrun)
  }

  #start(pending: PendingAsk): void {
    const run = this.#run(pending).finally(() => this.#open.delete(run))
    this.#open.set(run, pending)
  }

  #refusalFor(pending: PendingAsk): Refusal | null {
    if (this.#stopped !== null) return this.#stopped
    if (pending.signal?.aborted) return ABANDONED
    if (pending.held !== null) return null
    const need = this.#worstCaseOf(pending)
    if (pending.ask.sampleIndex > this.#closedRound) return envelopeReached(this.#envelope(), need)
    return need > this.#options.ledger.envelope ? envelopeTooSmall(this.#envelope(), need) : null
  }

  async #refuse(pending: PendingAsk, refusal: Refusal): Promise<void> {
    await this.#giveBack(pending)
    // An ask that was already sent once is not "not sent": it keeps its record and its last fault.
    if (pending.lastFault === null) pending.resolve({ kind: 'refused', error: refusal })
    else await this.#finish(pending, { ...pending.lastFault, refusal })
  }

  async #giveBack(pending: PendingAsk): Promise<void> {
    const { held } = pending
    pending.held = null
    if (held !== null && held > 0) await this.#options.ledger.release(held)
  }

  async #settle(pending: PendingAsk, spent: NanoUsd): Promise<void> {
    const held = pending.held ?? 0
    pending.held = null
    if (held > 0 || spent > 0) await this.#options.ledger.settle(held, spent)
  }

  async #run(pending: PendingAsk): Promise<void> {
    const { clock, pacer } = this.#options
    pending.startedAt ??= new Date(clock.now()).toISOString()
    pending.attempts += 1
    const { request, answerKey = null, probeClass, fixtureHash, sampleIndex, step } = pending.ask
    const rehearsal = { probeClass, fixtureHash, sampleIndex, step, attempt: pending.attempts, answerKey }
    const attempt = await attemptCall(this.#options, request, rehearsal)
    await this.#charge(pending, attempt.cost)
    const outcome = this.#outcomeOf(pending, attempt)
    const tried = { attempts: pending.attempts, elapsedMs: clock.now() - Date.parse(pending.startedAt) }
    const delayMs = attempt.fault === null ? null : retryDelay(attempt.fault, tried, () => clock.random())
    if (outcome.kind === 'fault' && delayMs !== null && this.#stopped === null) {
      pending.lastFault = outcome
      await this.#retryLater(pending, delayMs)
    } else {
      const refusal = outcome.kind === 'fault' ? setupFailed(this.#options.modelKey, outcome) : null
      if (refusal !== null) this.stop(refusal)
      await this.#finish(pending, outcome)
    }
    pacer.release(paceSignal(attempt.fault, attempt.limit))
    this.#pump()
  }

  async #charge(pending: PendingAsk, cost: NanoUsd | null): Promise<void> {
    const held = pending.held ?? 0
    const spent = cost ?? held
    pending.spent += spent
    if (cost === null) pending.costKnown = false
    if (spent > held && pending.bound > 0) this.#overrun = Math.max(this.#overrun, spent / pending.bound)
    await this.#settle(pending, spent)
  }

  #outcomeOf(pending: PendingAsk, { reply, fault, latencyMs }: Attempt): Settled {
    const record = this.#record(pending, latencyMs)
    const outcome: Settled =
      reply !== null
        ? { kind: 'reply', reply, record }
        : { kind: 'fault', failureClass: fault.failureClass, detail: fault.message, record }
    return redacted(outcome, this.#options.redact)
  }

  async #retryLater(pending: PendingAsk, delayMs: number): Promise<void> {
    const need = this.#worstCaseOf(pending)
    if ((await this.#options.ledger.hold(need)) === 'held') pending.held = need
    const again = (): void => {
      this.#delayed.delete(pending)
      this.#queue.push(pending)
      this.#pump()
    }
    if (this.#stopped === null) this.#delayed.set(pending, this.#options.clock.after(delayMs, again))
    else again()
  }

  /** Journals an outcome, then answers: nothing is graded that is not written down. */
  async #finish(pending: PendingAsk, outcome: Settled): Promise<void> {
    try {
      await this.#options.journal.append(this.#entry(pending, outcome))
    } catch (error) {
      // The answer in hand is still good; what must not happen is to pay for more that cannot be kept.
      this.stop({ code: 'JOURNAL_UNWRITABLE', message: messageOf(error) })
    }
    pending.resolve(outcome)
  }

  #entry({ ask }: PendingAsk, outcome: Settled): JournalEntry {
    const { runId, modelKey, probeClass, fixtureId, fixtureHash, sampleIndex, step } = ask
    return { v: 1, runId, modelKey, probeClass, fixtureId, fixtureHash, sampleIndex, step, outcome }
  }

  #record(pending: PendingAsk, latencyMs: number): CallRecord {
    const usd = toUsd(pending.spent)
    return {
      requestHash: pending.requestHash,
      startedAt: pending.startedAt!,
      attempts: pending.attempts,
      latencyMs,
      costUsd: pending.costKnown ? usd : null,
      costUpperBoundUsd: pending.costKnown ? null : usd,
      replayed: false,
    }
  }

  #envelope(): EnvelopeState {
    const { modelKey, ledger } = this.#options
    return { modelKey, envelopeUsd: toUsd(ledger.envelope), spentUsd: this.spentUsd }
  }
}
