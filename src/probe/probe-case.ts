import { caseKey, type CaseMeta, type Progress } from '../model/case-meta.ts'
import { EnvelopeExceededError, ProbeError } from '../model/errors.ts'
import type { LoadedFixture, ProbeClass } from '../model/fixture.ts'
import { isIneligible, SETUP_FAILURES, type Sample } from '../model/sample.ts'
import { isDryRun, type Refusal, type TraitsOutcome } from '../model/call.ts'
import { recipeOf } from './recipes/index.ts'
import type { Enforcement, RecipeSettings, RecipeTools, TakeSample } from './recipes/recipe.ts'

/** What a case needs of its run. */
export interface CaseContext extends RecipeTools {
  readonly settings: RecipeSettings & { readonly shard: string | null }
  traits(modelKey: string, probeClass: ProbeClass): Promise<TraitsOutcome>
  readonly tell: (progress: Progress) => void
}

/** One model x fixture: takes its samples and says whether they were measured. */
export class ProbeCase {
  readonly meta: CaseMeta
  readonly #prepare: () => Promise<TakeSample>
  #prepared: Promise<TakeSample> | null = null
  readonly #taking: Promise<void>[] = []
  readonly #tell: CaseContext['tell']
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
      samplesDue: samplesWanted,
      shard: context.settings.shard,
      rung: context.settings.rung,
      maxOutputTokens: context.settings.maxOutputTokens,
      samples: [],
      canary: null,
      facts: null,
      refusal: null,
    }
    const { ask, grade, tell } = context
    this.#tell = tell
    const enforcement = async (key: string): Promise<Enforcement> => {
      const shown = await context.enforcement(key)
      if (shown.kind === 'shown') this.meta.canary = shown.canary
      return shown
    }
    this.#prepare = async () => {
      const known = await context.traits(modelKey, loaded.class)
      if (known.kind === 'refused') return async () => ({ kind: 'missing', refusal: known.error })
      const { traits } = known
      this.meta.facts = { priceSource: traits.priceSource, simulated: traits.simulated }
      const tools = { ask, grade, enforcement, answerKey: (key: LoadedFixture) => context.answerKey(key) }
      return recipeOf(loaded.class).prepare({ modelKey, traits, loaded, settings: context.settings, tools })
    }
  }

  /** Finds out what has to be known before the first sample is asked for. Only what is measured is prepared. */
  prepare(): Promise<TakeSample> {
    this.#prepared ??= this.#prepare()
    return this.#prepared
  }

  get failed(): boolean {
    return this.#broken !== null
  }

  /** Nothing keeps the case from being measured but that the run only plans. */
  get plannedOnly(): boolean {
    return !this.failed && this.meta.refusal !== null && isDryRun(this.meta.refusal)
  }

  /** Marks the case as impossible to measure. */
  fail(error: unknown): void {
    this.#broken ??= error
  }

  /** Asks for one sample; `measured` waits for it. Nothing more is asked for a case that cannot be measured. */
  take(index: number): void {
    if (!this.failed) this.#taking.push(this.#takeAndKeep(index).catch((error: unknown) => this.fail(error)))
  }

  /** Resolves when every sample that was asked for is there, or known to be missing. */
  async finished(): Promise<void> {
    await Promise.all(this.#taking)
  }

  async #takeAndKeep(index: number): Promise<void> {
    const takeSample = await this.prepare()
    const measured = await takeSample(index)
    this.meta.refusal ??= measured.refusal
    if (this.meta.samples.length === 0) this.#tell({ kind: 'case', meta: this.meta })
    if (measured.kind === 'missing') return
    insertByIndex(this.meta.samples, measured.sample)
    this.#tell({ kind: 'sample', key: caseKey(this.meta), sample: measured.sample })
  }

  /**
   * Waits for every sample that was asked for.
   * @throws EnvelopeExceededError, or ProbeError with the code of what kept samples from being measured.
   */
  async measured(): Promise<void> {
    await this.finished()
    if (this.#broken !== null) throw this.#broken
    const { refusal, samples } = this.meta
    if (refusal !== null) throw withoutStack(refusalError(refusal))
    const unscored = samples.filter((sample) => !sample.scored && !isIneligible(sample))
    if (unscored.length > 0) throw withoutStack(unscoredError(this.meta, unscored))
  }
}

function unscoredError({ modelKey, fixtureId, samplesDue }: CaseMeta, unscored: readonly Sample[]): ProbeError {
  const classes = [...new Set(unscored.map((sample) => sample.failureClass))]
  const detail = unscored.find((sample) => sample.failureDetail)?.failureDetail
  const what = `${unscored.length} of ${samplesDue} samples could not be measured`
  const message = `${modelKey} > ${fixtureId}: ${what} (${classes.join(', ')})${detail ? `: ${detail}` : ''}`
  if (classes.some((failureClass) => SETUP.has(failureClass))) {
    return new ProbeError('SETUP_FAILED', message, { fix: 'check the key, the model’s name and the account' })
  }
  return new ProbeError('UNSCORED_SAMPLES', message, { fix: 'run again; the model is not charged with them' })
}

const SETUP: ReadonlySet<string | null> = new Set(SETUP_FAILURES)

function refusalError(refusal: Refusal): ProbeError {
  const { code, message, spentUsd, envelopeUsd, fix, allowed } = refusal
  if (code === 'ENVELOPE_EXCEEDED' && spentUsd !== undefined && envelopeUsd !== undefined) {
    return new EnvelopeExceededError(message, { spentUsd, envelopeUsd })
  }
  return new ProbeError(code, message, { ...(fix && { fix }), ...(allowed && { allowed }) })
}

/** The reason is outside of any code: where it was thrown tells a reader nothing. */
export function withoutStack(error: ProbeError): ProbeError {
  error.stack = `${error.name}: ${error.message}`
  return error
}

function insertByIndex<T extends { readonly index: number }>(sorted: T[], item: T): void {
  let at = sorted.length
  while (at > 0 && sorted[at - 1]!.index > item.index) at -= 1
  sorted.splice(at, 0, item)
}
