import type { StructuredGrade } from '../../grade/structured.ts'
import type { AnswerKey, Ask, CallOutcome, ModelTraits, Refusal, Rung } from '../../model/call.ts'
import type { Canary } from '../../model/canary.ts'
import type { LoadedFixture, ProbeClass } from '../../model/fixture.ts'
import type { Sample } from '../../model/sample.ts'
import type { Answer } from '../checks.ts'
import type { GraderJob } from '../grader.ts'

/** What a recipe may know of the run. */
export interface RecipeSettings {
  readonly maxOutputTokens: number
  readonly rung: 'auto' | Rung
  /** Pause between the two calls of a caching sample, in milliseconds; null: as the provider's cache needs. */
  readonly cacheDelayMs: number | null
  /** Tells the samples of this run from those of any other. */
  readonly runId: string
}

/** A sample with what custom checks look at; `answer` is null where there is nothing to look at. */
export interface Graded {
  readonly sample: Sample
  readonly answer: Answer | null
}

/** A sample, or why there is none: calls that were never sent leave nothing to keep. */
export type Measured =
  | ({ readonly kind: 'sample'; readonly refusal: Refusal | null } & Graded)
  | { readonly kind: 'missing'; readonly refusal: Refusal }

/** Takes one sample: sends its calls through `ask` and grades the replies. */
export type TakeSample = (sampleIndex: number) => Promise<Measured>

/** Whether a model's server enforces the schemas it takes. */
export type Enforcement =
  | { readonly kind: 'refused'; readonly error: Refusal }
  | {
      readonly kind: 'shown'
      /** Why samples are not asked for natively, as it stands in `rungFallback`; null: it enforces them. */
      readonly fallback: string | null
      readonly canary: Canary
    }

/** What a recipe works with. */
export interface RecipeTools {
  readonly ask: (ask: Ask) => Promise<CallOutcome>
  /** Null: there was no grade in time. */
  readonly grade: (job: GraderJob) => Promise<StructuredGrade | null>
  /** Whether a model's server enforces the schemas it takes; found out once a run. */
  readonly enforcement: (modelKey: string) => Promise<Enforcement>
  /** What a simulated model chooses its answers from; null where no right answer was found. */
  readonly answerKey: (loaded: LoadedFixture) => Promise<AnswerKey | null>
}

/** What is to be measured, and with what. */
export interface Measurement {
  readonly modelKey: string
  readonly traits: ModelTraits
  readonly loaded: LoadedFixture
  readonly settings: RecipeSettings
  readonly tools: RecipeTools
}

/** How a probe class measures. It is prepared once per model and fixture; samples are then taken at once. */
export interface Recipe {
  readonly probeClass: ProbeClass
  prepare(measurement: Measurement): Promise<TakeSample>
}
