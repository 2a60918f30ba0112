import type { Ask, CallOutcome, CallRecord, Refusal } from '../model/call.ts'
import { SETUP_FAILURES } from '../model/sample.ts'
import type { Price, Provider } from '../providers/provider.ts'
import { ProviderFault } from '../providers/provider.ts'
import { AskQueue, type PendingAsk } from './ask-queue.ts'
import type { Journal } from './journal.ts'
import { Ledger } from './ledger.ts'
import type { Limiter } from './limiter.ts'
import { toNano, toUsd, type NanoUsd } from './money.ts'
import { actualCost, worstCase } from './price.ts'
import { hashRequest } from './request-hash.ts'
import { retryDelay } from './retry.ts'

/** What time and chance are to the gateway; tests bring their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls back once after `ms`; the returned function cancels. */
  after(ms: number, callback: () => void): () => void
  random(): number
}

export interface LaneOptions {
  readonly modelKey: string
  readonly model: string
  readonly provider: Provider
  readonly price: Price
  readonly priceSource: string
  readonly envelopeUsd: number
  readonly timeoutMs: number
  readonly limiter: Limiter
  readonly journal: Journal
  readonly clock: Clock
}

const ABANDONED: Refusal = { code: 'INTERRUPTED', message: 'whoever asked for this call is gone' }

type Settled = Exclude<CallOutcome, { kind: 'refused' }>

/**
 * All calls to one model: admits them in order while their worst case fits the envelope, sends them, retries
 * what time can heal, prices and journals each, and answers every ask exactly once.
 */
export class ModelLane {
  readonly #options: LaneOptions
  readonly #ledger: Ledger
  readonly #queue = new AskQueue()
  readonly #delayed = new Map<PendingAsk, () => void>()
  readonly #attempts = new Set<Promise<void>>()
  #inFlight = 0
  #arrivals = 0
  /** First sample index that could not be afforded: no later round is begun. */
  #closedRound = Number.POSITIVE_INFINITY
  #stopped: Refusal | null = null

  constructor(options: LaneOptions) {
    this.#options = options
    this.#ledger = new Ledger(toNano(options.envelopeUsd))
  }

  /** US dollars spent so far, unknown spend at its bound. */
  get spentUsd(): number {
    return toUsd(this.#ledger.accrued)
  }

  ask(ask: Ask, signal: AbortSignal | null): Promise<CallOutcome> {
    return new Promise((resolve) => {
      this.#queue.push({
        ask,
        signal,
        requestHash: hashRequest(ask.modelKey, ask.request),
        bound: worstCase(this.#options.price, ask.request),
        resolve,
        arrival: this.#arrivals++,
        attempts: 0,
        startedAt: null,
        spent: 0,
        costKnown: true,
      })
      queueMicrotask(this.#pump)
    })
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

  readonly #pump = (): void => {
    for (let head = this.#queue.peek(); head !== undefined; head = this.#queue.peek()) {
      const refusal = this.#refusalFor(head)
      if (refusal !== null) {
        this.#queue.pop()
        this.#refuse(head, refusal)
        continue
      }
      if (!this.#ledger.fits(head.bound)) {
        // Calls in flight may cost less than was held for them: what does not fit now may fit then.
        if (this.#inFlight > 0) return
        this.#closedRound = Math.min(this.#closedRound, head.ask.sampleIndex)
        this.#queue.pop()
        this.#refuse(head, this.#envelopeReached(head.bound))
        continue
      }
      if (!this.#options.limiter.acquire(this.#pump)) return
      this.#ledger.reserve(head.bound)
      this.#queue.pop()
      this.#start(head)
    }
  }

  #start(pending: PendingAsk): void {
    this.#inFlight += 1
    const attempt = this.#attempt(pending).finally(() => this.#attempts.delete(attempt))
    this.#attempts.add(attempt)
  }

  /** Resolves when no call is open. */
  async idle(): Promise<void> {
    while (this.#attempts.size > 0) await Promise.all(this.#attempts)
  }

  #refusalFor(pending: PendingAsk): Refusal | null {
    if (this.#stopped !== null) return this.#stopped
    if (pending.signal?.aborted) return ABANDONED
    if (pending.ask.sampleIndex > this.#closedRound) return this.#envelopeReached(pending.bound)
    if (pending.bound > this.#ledger.envelope) return this.#envelopeTooSmall(pending.bound)
    return null
  }

  #refuse(pending: PendingAsk, refusal: Refusal): void {
    // An ask that was already sent once is not "not sent": it keeps its record and its last fault.
    const last = this.#lastFault.get(pending)
    if (last === undefined) return pending.resolve({ kind: 'refused', error: refusal })
    void this.#finish(pending, { ...last, refusal, record: this.#record(pending, last.record.latencyMs) })
  }

  readonly #lastFault = new WeakMap<PendingAsk, Extract<CallOutcome, { kind: 'fault' }>>()

  async #attempt(pending: PendingAsk): Promise<void> {
    const { provider, model, price, timeoutMs, clock, limiter } = this.#options
    const abort = new AbortController()
    const begun = clock.now()
    pending.startedAt ??= new Date(begun).toISOString()
    pending.attempts += 1
    const cancelDeadline = clock.after(timeoutMs, () => abort.abort())
    let settled: Settled
    let retryInMs: number | null = null
    let spent: NanoUsd
    try {
      const call = provider.call(pending.ask.request, { model, signal: abort.signal })
      const reply = await Promise.race([call, aborted(abort.signal)])
      const cost = reply.reportedCostUsd === null ? actualCost(price, reply.usage) : toNano(reply.reportedCostUsd)
      spent = this.#charge(pending, cost)
      settled = { kind: 'reply', reply, record: this.#record(pending, clock.now() - begun) }
    } catch (error) {
      const fault = asFault(error, abort.signal.aborted, timeoutMs)
      spent = this.#charge(pending, costOfFault(fault, price))
      retryInMs = retryDelay(fault, pending.attempts, () => clock.random())
      const { failureClass, message: detail } = fault
      settled = { kind: 'fault', failureClass, detail, record: this.#record(pending, clock.now() - begun) }
    }
    cancelDeadline()
    this.#ledger.settle(pending.bound, spent)
    this.#inFlight -= 1
    if (retryInMs !== null && settled.kind === 'fault' && this.#stopped === null) {
      this.#lastFault.set(pending, settled)
      this.#retryLater(pending, retryInMs)
    } else {
      if (settled.kind === 'fault') this.#stopOnSetupFault(settled)
      await this.#finish(pending, settled)
    }
    limiter.release()
    this.#pump()
  }

  #retryLater(pending: PendingAsk, delayMs: number): void {
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#delayed.delete(pending)
      this.#queue.push(pending)
      this.#pump()
    })
    this.#delayed.set(pending, cancel)
  }

  /** Journals an outcome, then answers: nothing is graded that is not written down. */
  async #finish(pending: PendingAsk, outcome: Settled): Promise<void> {
    const { modelKey, probeClass, fixtureId, fixtureHash, sampleIndex, step } = pending.ask
    const entry = { v: 1, modelKey, probeClass, fixtureId, fixtureHash, sampleIndex, step, outcome } as const
    try {
      await this.#options.journal.append(entry)
    } catch (error) {
      // The answer in hand is still good; what must not happen is to pay for more that cannot be kept.
      this.stop({ code: 'JOURNAL_UNWRITABLE', message: messageOf(error) })
    }
    pending.resolve(outcome)
  }

  #charge(pending: PendingAsk, cost: NanoUsd | null): NanoUsd {
    const spent = cost ?? pending.bound
    pending.spent += spent
    if (cost === null) pending.costKnown = false
    return spent
  }

  #record(pending: PendingAsk, latencyMs: number): CallRecord {
    const usd = toUsd(pending.spent)
    return {
      requestHash: pending.requestHash,
      startedAt: pending.startedAt ?? new Date(this.#options.clock.now()).toISOString(),
      attempts: pending.attempts,
      latencyMs: Math.max(latencyMs, 0),
      costUsd: pending.costKnown ? usd : null,
      costUpperBoundUsd: pending.costKnown ? null : usd,
      replayed: false,
      priceSource: this.#options.priceSource,
      simulated: this.#options.provider.simulated,
    }
  }

  #stopOnSetupFault(outcome: Extract<CallOutcome, { kind: 'fault' }>): void {
    if (!(SETUP_FAILURES as readonly string[]).includes(outcome.failureClass)) return
    this.stop({
      code: 'SETUP_FAILED',
      message: `${this.#options.modelKey}: ${outcome.failureClass}: ${outcome.detail}`,
      fix: 'check the key, the model’s name and the account, then run again',
    })
  }

  #envelopeReached(bound: NanoUsd): Refusal {
    const { modelKey, envelopeUsd } = this.#options
    const message = `${modelKey}: the envelope of $${envelopeUsd} is reached: $${this.spentUsd} spent, and the next call may cost up to $${toUsd(bound)}`
    return { code: 'ENVELOPE_EXCEEDED', message, spentUsd: this.spentUsd, envelopeUsd }
  }

  #envelopeTooSmall(bound: NanoUsd): Refusal {
    const { modelKey, envelopeUsd } = this.#options
    const message = `${modelKey}: one call may cost up to $${toUsd(bound)}, more than the whole envelope of $${envelopeUsd}`
    return { code: 'ENVELOPE_EXCEEDED', message, spentUsd: this.spentUsd, envelopeUsd }
  }
}

/** Rejects when the signal aborts: the deadline holds even for a provider that does not listen to it. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

/** Anything an adapter throws that is not a classified fault counts as a reply nobody could read, paid or not. */
function asFault(error: unknown, timedOut: boolean, timeoutMs: number): ProviderFault {
  const billing = { kind: 'unknown' } as const
  if (timedOut) return new ProviderFault('timeout', `no whole reply within ${timeoutMs} ms`, { billing, cause: error })
  if (error instanceof ProviderFault) return error
  return new ProviderFault('bad_response', messageOf(error), { billing, cause: error })
}

function costOfFault(fault: ProviderFault, price: Price): NanoUsd | null {
  if (fault.billing.kind === 'none') return 0
  return fault.billing.kind === 'usage' ? actualCost(price, fault.billing.usage) : null
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
