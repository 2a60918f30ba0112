import type { CaseMeta } from '../model/case-meta.ts'
import { EnvelopeExceededError, ProbeError } from '../model/errors.ts'
import type { LoadedFixture } from '../model/fixture.ts'
import type { Ask, CallOutcome, Refusal } from '../model/call.ts'
import { recipeOf } from './recipes/index.ts'
import type { RecipeSettings, TakeSample } from './recipes/recipe.ts'

/** What a case needs of its run. */
export interface CaseContext {
  readonly settings: RecipeSettings
  readonly ask: (ask: Ask) => Promise<CallOutcome>
}

/** One model x fixture: takes its samples and says whether they were measured. */
export class ProbeCase {
  readonly meta: CaseMeta
  readonly #takeSample: TakeSample
  readonly #taking: Promise<void>[] = []
  #broken: unknown = null

  constructor(context: CaseContext, modelKey: string, loaded: LoadedFixture, samplesWanted: number) {
    this.meta = {
      modelKey,
      probeClass: loaded.class,
      fixtureId: loaded.id,
      fixtureHash: loaded.hash,
      family: loaded.family,
      difficulty: loaded.difficulty,
      domain: loaded.domain,
      subtype: loaded.subtype,
      hasSchema: loaded.fixture.schema !== undefined,
      samplesWanted,
      samples: [],
      facts: null,
      refusal: null,
    }
    this.#takeSample = recipeOf(loaded.class).prepare(modelKey, loaded, context.settings, async (ask) => {
      const outcome = await context.ask(ask)
      if (outcome.kind !== 'refused') {
        const { priceSource, simulated } = outcome.record
        this.meta.facts = { priceSource, simulated }
      }
      return outcome
    })
  }

  get failed(): boolean {
    return this.#broken !== null
  }

  /** Marks the case as impossible to measure. */
  fail(error: unknown): void {
    this.#broken ??= error
  }

  /** Asks for one sample; `measured` waits for it. */
  take(index: number): void {
    this.#taking.push(
      this.#takeSample(index).then(
        (measured) => {
          if (measured.kind === 'sample') insertByIndex(this.meta.samples, measured.sample)
          this.meta.refusal ??= measured.refusal
        },
        (error: unknown) => this.fail(error),
      ),
    )
  }

  /**
   * Waits for every sample that was asked for.
   * @throws EnvelopeExceededError, or ProbeError with the code of what kept samples from being measured.
   */
  async measured(): Promise<void> {
    await Promise.all(this.#taking)
    if (this.#broken !== null) throw this.#broken
    const { refusal, samples, samplesWanted, modelKey, fixtureId } = this.meta
    if (refusal !== null) throw refusalError(refusal)
    const unscored = samples.filter((sample) => !sample.scored)
    if (unscored.length === 0) return
    const classes = [...new Set(unscored.map((sample) => sample.failureClass))].join(', ')
    const detail = unscored.find((sample) => sample.failureDetail)?.failureDetail
    throw new ProbeError(
      'UNSCORED_SAMPLES',
      `${modelKey} > ${fixtureId}: ${unscored.length} of ${samplesWanted} samples could not be measured (${classes})${detail ? `: ${detail}` : ''}`,
      { fix: 'run again; the model is not charged with them' },
    )
  }
}

function refusalError(refusal: Refusal): ProbeError {
  const { code, message, spentUsd, envelopeUsd, fix, allowed } = refusal
  if (code === 'ENVELOPE_EXCEEDED' && spentUsd !== undefined && envelopeUsd !== undefined) {
    return new EnvelopeExceededError(message, { spentUsd, envelopeUsd })
  }
  return new ProbeError(code, message, { ...(fix && { fix }), ...(allowed && { allowed }) })
}

function insertByIndex<T extends { readonly index: number }>(sorted: T[], item: T): void {
  let at = sorted.length
  while (at > 0 && sorted[at - 1]!.index > item.index) at -= 1
  sorted.splice(at, 0, item)
}
