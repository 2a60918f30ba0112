import type { Ask, CallOutcome, Refusal, TraitsOutcome } from '../model/call.ts'
import { PROBE_CLASSES } from '../model/fixture.ts'
import { ProbeError } from '../model/errors.ts'
import type { PaceNow, Pacing } from '../model/pacing.ts'
import { parseModelKey } from '../model/model-key.ts'
import type { Provider } from '../providers/provider.ts'
import { AdaptivePacer } from './pace/adaptive-pacer.ts'
import type { Journal } from './journal/journal.ts'
import { LocalLedger } from './money/ledger.ts'
import type { Replay } from './journal/replay.ts'
import { hashRequest } from './journal/request-hash.ts'
import { askProblem, copyAsk } from './call/check-ask.ts'
import { systemClock, type Clock } from './clock.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { ModelCatalog, type ModelFacts } from './model-catalog.ts'
import { ModelLane } from './model-lane.ts'
import { toNano, toUsd, type NanoUsd } from './money/money.ts'
import { asRefusal } from './money/refusals.ts'
import type { Pacer } from './pace/pacer.ts'
import type { SharedRun } from './shared-run.ts'

/** The one way from probes to providers: admits, paces, sends, retries, prices and journals calls. */
export class Gateway {
  readonly #options: GatewayOptions
  readonly #clock: Clock
  readonly #journal: Journal
  readonly #catalog: ModelCatalog
  readonly #lanes = new Map<string, ModelLane>()
  readonly #pacers = new Map<string, Pacer>()
  /** Spent in ledgers elsewhere, as a plan saw it. */
  readonly #seen = new Map<string, NanoUsd>()
  #interrupted: Refusal | null = null
  #ended = false

  constructor(options: GatewayOptions) {
    this.#options = options
    const { providers, prices = {}, models = null } = options
    this.#catalog = new ModelCatalog({ providers, prices, models })
    this.#journal = rememberedBy(options.replay ?? null, options.journal)
    this.#clock = options.clock ?? systemClock
  }

  /**
   * Facts about a model, found without calling it.
   * @throws ProbeError when the key is malformed, the provider or model unknown, a key or a price missing.
   */
  facts(modelKey: string): ModelFacts {
    return this.#catalog.facts(modelKey)
  }

  /** What a worker may know of a model and class; never rejects. */
  async traits(modelKey: unknown, probeClass: unknown): Promise<TraitsOutcome> {
    try {
      if (typeof modelKey !== 'string') throw new ProbeError('MODEL_KEY_INVALID', 'a model key is a text')
      const { traits } = this.facts(modelKey)
      const known = PROBE_CLASSES.find((one) => one === probeClass)
      const earlierRuns = known === undefined ? [] : ((await this.#options.replay?.runs(modelKey, known)) ?? [])
      return { kind: 'traits', traits: { ...traits, earlierRuns } }
    } catch (error) {
      return { kind: 'refused', error: asRefusal(error) }
    }
  }

  /**
   * Answers every ask exactly once; never rejects.
   * @param signal aborted when nobody waits for the answer any more: what is not sent yet is not sent.
   */
  async ask(ask: Ask, signal: AbortSignal | null = null): Promise<CallOutcome> {
    const problem = askProblem(ask)
    if (problem !== null)
      return { kind: 'refused', error: { code: 'OPTION_INVALID', message: `not asked: ${problem}` } }
    if (this.#interrupted !== null) return { kind: 'refused', error: this.#interrupted }
    try {
      return await this.#answer(copyAsk(ask), signal)
    } catch (error) {
      return { kind: 'refused', error: asRefusal(error) }
    }
  }

  /** Hands out what is journaled already; everything else is bought. */
  async #answer(ask: Ask, signal: AbortSignal | null): Promise<CallOutcome> {
    const lane = this.#lane(ask.modelKey)
    const requestHash = hashRequest(ask.modelKey, ask.request)
    const { replay, plan, countReplays = true } = this.#options
    if (replay && ask.replay !== 'never') {
      const found = await replay.find(ask, requestHash)
      if (countReplays) {
        // What was lost on the way to an answer is spent all the same.
        await lane.book({ costUsd: await replay.lostUsd(ask, requestHash), costUpperBoundUsd: null })
        if (found !== null) await lane.book(found.record)
      }
      if (found !== null) {
        lane.noteReplayed(requestHash)
        return found
      }
    }
    if (ask.pair === 'waived') {
      await lane.waive(ask, requestHash)
      return WAIVED
    }
    if (ask.replay === 'only') return NOT_JOURNALED
    return plan ? plan.note(ask, lane.pricing) : lane.ask(ask, requestHash, signal)
  }

  /** Whether a request to a model was made, or replayed, in this process. */
  vouches(modelKey: string, requestHash: string): boolean {
    return this.#lanes.get(modelKey)?.made(requestHash) ?? false
  }

  /** US dollars spent on a model so far, unknown spend at its bound; of a plan, also what is spent elsewhere. */
  spentUsd(modelKey: string): number {
    const here = this.#lanes.get(modelKey)?.spentUsd ?? this.#options.spentBefore?.(modelKey) ?? 0
    return toUsd(toNano(here) + (this.#seen.get(modelKey) ?? 0))
  }

  /** The pace of the account a model is called on, all its models together; null: it was not called. */
  pacing(modelKey: string): Pacing | null {
    return this.#lanes.has(modelKey) ? (this.#pacers.get(parseModelKey(modelKey).provider)?.report() ?? null) : null
  }

  /** Calls of a model that are open, and the pace of its account; null: it was not called. */
  callsNow(modelKey: string): (PaceNow & { readonly open: number; readonly retrying: number }) | null {
    const lane = this.#lanes.get(modelKey)
    const pacer = lane && this.#pacers.get(parseModelKey(modelKey).provider)
    return pacer ? { open: lane.open, retrying: lane.retrying, ...pacer.now() } : null
  }

  /** Sends nothing more, ever; calls in flight finish and are answered. */
  end(): void {
    this.#ended = true
    this.interrupt()
  }

  /** Sends nothing more for now; calls in flight finish and are answered. */
  interrupt(): void {
    this.#interrupted ??= { code: 'INTERRUPTED', message: 'the run was interrupted before this call was sent' }
    for (const lane of this.#lanes.values()) lane.stop(this.#interrupted)
  }

  /**
   * Writes down what was answered, and that calls in flight are left behind, at the most they can cost. The process is
   * about to end.
   */
  abandon(): void {
    const entries = [...this.#lanes.values()].flatMap((lane) => lane.unwritten())
    for (const entry of entries) this.#options.journal.appendAtOnce(entry)
  }

  /** Takes asks again after an interruption, unless it is the end. */
  resume(): void {
    if (this.#ended) return
    this.#interrupted = null
    for (const lane of this.#lanes.values()) lane.resume()
  }

  /** Lets calls in flight finish, since they are paid for and belong into the journal; then frees everything. */
  async close(): Promise<void> {
    this.end()
    await Promise.all([...this.#lanes.values()].map((lane) => lane.idle()))
    const { providers, journal, shared } = this.#options
    await Promise.all([...this.#pacers.values()].map((pacer) => pacer.close()))
    await Promise.all([providers.close(), journal.close(), shared?.close()])
  }

  /**
   * Makes a model ready to be paid for, where its money is counted elsewhere; a plan only looks whether it could be.
   * @throws ProbeError when it is not in reach.
   */
  async joinLedger(modelKey: string): Promise<void> {
    const { shared, plan } = this.#options
    if (!shared || !this.facts(modelKey).pricing.paid) return
    if (plan) this.#seen.set(modelKey, await shared.look(modelKey))
    else await shared.join(modelKey)
  }

  #lane(modelKey: string): ModelLane {
    const known = this.#lanes.get(modelKey)
    if (known !== undefined) return known
    const { provider, model } = this.#catalog.resolve(modelKey)
    const { pricing } = this.facts(modelKey)
    const { envelopeUsd, spentBefore = () => 0, timeoutMs, redact = (text) => text } = this.#options
    const journal = this.#journal
    const shared = pricing.paid && !this.#options.plan ? (this.#options.shared ?? null) : null
    const ledger = shared?.ledger(modelKey) ?? new LocalLedger(toNano(envelopeUsd), toNano(spentBefore(modelKey)))
    const pacer = this.#pacer(provider, shared)
    const clock = this.#clock
    const lane = new ModelLane({ modelKey, model, provider, pricing, ledger, timeoutMs, pacer, journal, redact, clock })
    this.#lanes.set(modelKey, lane)
    return lane
  }

  /** An account that costs something has one pace for all processes, where they share a run. */
  #pacer(provider: Provider, shared: SharedRun | null): Pacer {
    let pacer = this.#pacers.get(provider.name)
    if (pacer === undefined) {
      const bound = Math.floor(Math.min(this.#options.concurrency, provider.maxConcurrency ?? Number.POSITIVE_INFINITY))
      const most = bound >= 1 ? bound : 1
      pacer = shared?.pacer(provider.name, most) ?? new AdaptivePacer(most, this.#clock)
      this.#pacers.set(provider.name, pacer)
    }
    return pacer
  }
}

const NOT_JOURNALED: CallOutcome = {
  kind: 'refused',
  error: { code: 'NOT_JOURNALED', message: 'this call is not in the journal' },
}

const WAIVED: CallOutcome = {
  kind: 'refused',
  error: { code: 'NOT_JOURNALED', message: 'this call is not made' },
}

/** A journal whose entries can be replayed as soon as they are written. */
function rememberedBy(replay: Replay | null, journal: Journal): Journal {
  if (replay === null) return journal
  return {
    async append(entry) {
      await journal.append(entry)
      await replay.add(entry)
    },
    appendAtOnce: (entry) => journal.appendAtOnce(entry),
    close: () => journal.close(),
  }
}
