import { compileSchema, type CompiledSchema } from '../grade/conform.ts'
import { gradeStructured, type StructuredGrade } from '../grade/structured.ts'
import type { FinishReason } from '../model/call.ts'
import type { JsonSchema } from '../model/fixture.ts'

/** What the outputs of a fixture are graded by. */
export interface GradedBy {
  /** Hash of the fixture. */
  readonly hash: string
  readonly schema: JsonSchema | undefined
  readonly expectedValues: Readonly<Record<string, unknown>> | undefined
}

/** Grading can take forever, by a pattern of a fixture, and who does it cannot notice. */
export interface GradeWatch {
  /** Outputs that were found to stall, by their position among those that differ. */
  readonly stalled: readonly number[]
  begin(position: number): void
  end(): void
}

/** A grade without the answer itself, of which there may be thousands. */
type Grade = Omit<StructuredGrade, 'value'>

/** Nobody has to wait for it. */
const UNWATCHED: GradeWatch = { stalled: [], begin: () => {}, end: () => {} }
/** A fixture that has stalled so often will stall again. */
const MOST_STALLS = 2

/** Grades the outputs of one fixture, each once: the same words get the same grade, and models repeat themselves. */
export class Grader {
  readonly #schema: CompiledSchema
  readonly #expectedValues: GradedBy['expectedValues']
  readonly #watch: GradeWatch
  /** A key made of both would copy every output. Null: no grade in time. */
  readonly #known = new Map<FinishReason, Map<string, Grade | null>>()
  readonly #end: number
  #graded = 0

  constructor(gradedBy: GradedBy, watch: GradeWatch = UNWATCHED) {
    this.#schema = compiledOf(gradedBy)
    this.#expectedValues = gradedBy.expectedValues
    this.#watch = watch
    const { stalled } = watch
    // What came before the last of them was graded in time, and lost with the thread.
    this.#end = stalled.length < MOST_STALLS ? Infinity : Math.max(...stalled)
  }

  /**
   * The grade of a reply.
   * @returns null: there was none in time.
   * @throws what the grader throws for a fixture that cannot be applied.
   */
  gradeOf(text: string, finishReason: FinishReason): Grade | null {
    let byText = this.#known.get(finishReason)
    if (byText === undefined) this.#known.set(finishReason, (byText = new Map()))
    let grade = byText.get(text)
    if (grade === undefined) byText.set(text, (grade = this.#tried(text, finishReason)))
    return grade
  }

  #tried(text: string, finishReason: FinishReason): Grade | null {
    const position = this.#graded
    this.#graded += 1
    if (position >= this.#end || this.#watch.stalled.includes(position)) return null
    this.#watch.begin(position)
    const reply = { text, finishReason }
    const { value: _value, ...grade } = gradeStructured({
      reply,
      schema: this.#schema,
      expectedValues: this.#expectedValues,
    })
    this.#watch.end()
    return grade
  }
}

const compiled = new Map<string, CompiledSchema>()

/** Files of one class are graded by the same fixtures, one after the other. */
function compiledOf({ hash, schema = {} }: GradedBy): CompiledSchema {
  const there = compiled.get(hash) ?? compileSchema(schema)
  compiled.set(hash, there)
  return there
}
