import { caseKey, type CaseMeta, type Progress } from '../model/case-meta.ts'
import type { LoadedFixture, ProbeClass } from '../model/fixture.ts'
import { isIneligible, type Sample } from '../model/sample.ts'
import { isDryRun, type TraitsOutcome } from '../model/call.ts'
import { judge, type Judged } from '../stats/threshold.ts'
import { ProbeError } from '../model/errors.ts'
import { brokenCheckError, missedError, refusalError, unscoredError, withoutStack } from './case-errors.ts'
import { runChecks, type Checks } from './checks.ts'
import { recipeOf } from './recipes/index.ts'
import type { Enforcement, Graded, RecipeSettings, RecipeTools, TakeSample } from './recipes/recipe.ts'

/** What a case needs of its run. */
export interface CaseContext extends RecipeTools {
  readonly settings: RecipeSettings & { readonly shard: string | null; readonly until: number | null }
  traits(modelKey: string, probeClass: ProbeClass): Promise<TraitsOutcome>
  readonly tell: (progress: Progress) => void
}

/** What is asked of a case. */
export interface CaseDemands {
  readonly samples: number
  readonly checks: Checks
  /** Least rates, 0 to 1, by the name of a rate or check. */
  readonly thresholds: Readonly<Record<string, number>>
}

/** One model x fixture: takes its samples and says whether they were measured. */
export class ProbeCase {
  readonly meta: CaseMeta
  readonly #prepare: () => Promise<TakeSample>
  #prepared: Promise<TakeSample> | null = null
  readonly #taking: Promise<void>[] = []
  readonly #tell: CaseContext['tell']
  readonly #loaded: LoadedFixture
  readonly #checks: Checks
  /** Why a check gave no verdict, first time, by its name. */
  readonly #brokenChecks = new Map<string, string>()
  #broken: unknown = null

  constructor(context: CaseContext, modelKey: string, loaded: LoadedFixture, demands: CaseDemands) {
    const { samples: samplesWanted, checks, thresholds } = demands
    this.#loaded = loaded
    this.#checks = checks
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
      until: context.settings.until,
      shard: context.settings.shard,
      rung: context.settings.rung,
      maxOutputTokens: context.settings.maxOutputTokens,
      thresholds,
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

  /**
   * Asks for one sample; `measured` waits for it. Nothing more is asked for a case that cannot be measured.
   * @returns resolves, whatever comes of it, when the sample is there or known to be missing.
   */
  take(index: number): Promise<void> {
    if (this.failed) return Promise.resolve()
    const taking = this.#takeAndKeep(index).catch((error: unknown) => this.fail(error))
    this.#taking.push(taking)
    return taking
  }

  /** Asks for one sample beyond those that are due. */
  takeMore(): Promise<void> {
    const index = this.meta.samplesDue
    this.meta.samplesDue = index + 1
    this.meta.samplesWanted = index + 1
    this.#tell({ kind: 'due', key: caseKey(this.meta), samples: index + 1 })
    return this.take(index)
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
    const sample = await this.#checked(measured)
    insertByIndex(this.meta.samples, sample)
    this.#tell({ kind: 'sample', key: caseKey(this.meta), sample })
  }

  /** With the verdicts of the custom checks; what was not scored measured nothing, and has none. */
  async #checked({ sample, answer }: Graded): Promise<Sample> {
    const names = Object.keys(this.#checks)
    if (names.length === 0) return sample
    if (!sample.scored) return { ...sample, checks: Object.fromEntries(names.map((name) => [name, null])) }
    const { verdicts, broken } = await runChecks(this.#checks, answer, sample, this.#loaded.fixture)
    for (const [name, why] of broken) {
      if (!this.#brokenChecks.has(name)) this.#brokenChecks.set(name, `check ${name} ${why}, on sample ${sample.index}`)
    }
    return { ...sample, checks: verdicts }
  }

  /**
   * Waits for every sample that was asked for.
   * @returns what came of the thresholds: none is missed.
   * @throws EnvelopeExceededError, or ProbeError with the code of what kept samples from being measured;
   * `CHECK_BROKEN` where a custom check gave no verdict, `THRESHOLD_MISSED` where a rate is too low beyond doubt.
   */
  async measured(): Promise<Judged[]> {
    await this.finished()
    if (this.#broken !== null) throw this.#broken instanceof ProbeError ? withoutStack(this.#broken) : this.#broken
    const { refusal, samples } = this.meta
    if (refusal !== null) throw refusalError(refusal)
    const unscored = samples.filter((sample) => !sample.scored && !isIneligible(sample))
    if (unscored.length > 0) throw unscoredError(this.meta, unscored)
    if (this.#brokenChecks.size > 0) throw brokenCheckError(this.meta, this.#brokenChecks.values())
    const judged = judge(this.meta)
    if (judged.some(({ verdict }) => verdict === 'missed')) throw missedError(this.meta, judged)
    return judged
  }
}

function insertByIndex<T extends { readonly index: number }>(sorted: T[], item: T): void {
  let at = sorted.length
  while (at > 0 && sorted[at - 1]!.index > item.index) at -= 1
  sorted.splice(at, 0, item)
}
