import { compileSchema, type CompiledSchema } from '../grade/conform.ts'
import { gradeGrounding } from '../grade/grounding.ts'
import { replyFailure } from '../grade/reply-failure.ts'
import { gradeStructured, type StructuredGrade } from '../grade/structured.ts'
import type { FinishReason } from '../model/call.ts'
import { hasAnswerSchema, type JsonSchema, type ProbeClass } from '../model/fixture.ts'
import type { Sample } from '../model/sample.ts'
import { differences, pointer, type Finding } from './finding.ts'

/** Why a sample, or a part of its grade, could not be graded again, through no fault of the file's. */
export type LeftReason = 'no_fixture' | 'no_reply' | 'output_cut' | 'no_grade_in_time' | 'custom_checks'

/** What came of grading stored outputs again. */
export interface SampleRegrade {
  /** Samples that were graded again. */
  readonly regraded: number
  /** Grades that came out another way. */
  readonly differing: readonly Finding[]
  /** Paths of what could not be graded again, by reason. A fixture that is not at hand is one path. */
  readonly left: Readonly<Partial<Record<LeftReason, readonly string[]>>>
}

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

/** Nobody has to wait for it. */
const UNWATCHED: GradeWatch = { stalled: [], begin: () => {}, end: () => {} }
/** A fixture that has stalled so often will stall again. */
const MOST_STALLS = 2

interface Place {
  /** Among the samples of the fixture. */
  readonly position: number
  readonly sample: Sample
}

interface Regrading {
  /** Of the fixture's samples. */
  readonly path: string
  readonly probeClass: ProbeClass
  readonly gradedBy: GradedBy
  readonly samples: readonly Sample[]
  readonly watch?: GradeWatch | undefined
}

/**
 * Grades every stored output of a fixture again.
 * @throws what the grader throws for a fixture that cannot be applied.
 */
export function regradeSamples(regrading: Regrading): SampleRegrade {
  const { path, samples, probeClass } = regrading
  const account = new Account(path)
  if (samples.some(({ checks }) => checks !== undefined)) account.leave('custom_checks')
  const places = placesOf(samples, account)
  if (hasAnswerSchema(probeClass)) regradeStructured(regrading, places, account)
  else for (const { position, sample } of places) account.compare(position, ...unstructured(probeClass, sample))
  return { regraded: account.regraded, differing: account.differing, left: account.left }
}

class Account implements SampleRegrade {
  regraded = 0
  readonly differing: Finding[] = []
  readonly left: Partial<Record<LeftReason, string[]>> = {}
  readonly #path: string

  /** @param path of the fixture's samples. */
  constructor(path: string) {
    this.#path = path
  }

  /** @param position of the sample; absent: it is of the fixture as a whole. */
  leave(reason: LeftReason, position?: number): void {
    const path = position === undefined ? this.#path : pointer(this.#path, position)
    ;(this.left[reason] ??= []).push(path)
  }

  compare(
    position: number,
    recorded: Readonly<Record<string, unknown>>,
    actual: Readonly<Record<string, unknown>>,
  ): void {
    this.regraded += 1
    for (const { message: _message, ...where } of differences(recorded, actual, pointer(this.#path, position)))
      this.differing.push({ ...where, message: 'is graded another way' })
  }
}

/** Samples whose whole output is there. */
function placesOf(samples: readonly Sample[], account: Account): Place[] {
  const places: Place[] = []
  for (const [position, sample] of samples.entries()) {
    if (sample.output === null || sample.finishReason === null) account.leave('no_reply', position)
    // A whole output with its size is none that was cut: it would be a way around being graded.
    else if (sample.outputBytes !== undefined && sample.outputBytes > Buffer.byteLength(sample.output))
      account.leave('output_cut', position)
    else places.push({ position, sample })
  }
  return places
}

function regradeStructured(
  { gradedBy, watch = UNWATCHED }: Regrading,
  places: readonly Place[],
  account: Account,
): void {
  const { expectedValues } = gradedBy
  const schema = compiledOf(gradedBy)
  const { stalled } = watch
  // What came before the last of them was graded in time, and lost with the thread.
  const end = stalled.length < MOST_STALLS ? Infinity : Math.max(...stalled)
  // The same words get the same grade: models repeat themselves.
  for (const [position, group] of groupsOf(places).entries()) {
    const isTried = position < end && !stalled.includes(position)
    if (isTried) watch.begin(position)
    const grade = isTried ? gradeStructured({ reply: replyOf(group[0]!.sample), schema, expectedValues }) : null
    watch.end()
    for (const { position: at, sample } of group) {
      // What was not graded in time then can be graded in time now, on a faster machine: that is no contradiction.
      if (grade === null || sample.failureClass === 'grader_timeout') account.leave('no_grade_in_time', at)
      else if (isGradedSo(sample, grade)) account.regraded += 1
      else account.compare(at, recordedGrade(sample), actualGrade(sample, grade))
    }
  }
}

const compiled = new Map<string, CompiledSchema>()

/** Files of one class are graded by the same fixtures, one after the other. */
function compiledOf({ hash, schema = {} }: GradedBy): CompiledSchema {
  const there = compiled.get(hash) ?? compileSchema(schema)
  compiled.set(hash, there)
  return there
}

/** Places whose finish reason and output are the same. A key made of both would copy every output. */
function groupsOf(places: readonly Place[]): Place[][] {
  const groups: Place[][] = []
  const known = new Map<Sample['finishReason'], Map<Sample['output'], Place[]>>()
  for (const place of places) {
    const { finishReason, output } = place.sample
    let byOutput = known.get(finishReason)
    if (byOutput === undefined) known.set(finishReason, (byOutput = new Map()))
    const group = byOutput.get(output)
    if (group !== undefined) {
      group.push(place)
      continue
    }
    const begun = [place]
    byOutput.set(output, begun)
    groups.push(begun)
  }
  return groups
}

function replyOf({ output, finishReason }: Sample): { readonly text: string; readonly finishReason: FinishReason } {
  return { text: output ?? '', finishReason: finishReason ?? 'other' }
}

/** Fields that older files of this format may lack are compared where they stand. */
const DETAILS = ['violations', 'mismatches', 'wrapping'] as const

/** Whether nothing can differ, which is so for most samples and quick to see; false says nothing. */
function isGradedSo(sample: Sample, grade: StructuredGrade): boolean {
  return (
    sample.failureClass === grade.failureClass &&
    sample.parseOk === grade.parseOk &&
    sample.schemaConform === grade.schemaConform &&
    sample.valueAccuracy === grade.valueAccuracy &&
    (sample.wrapping === undefined || sample.wrapping === grade.wrapping) &&
    (sample.violations === undefined || areNone(sample.violations, grade.violations)) &&
    (sample.mismatches === undefined || areNone(sample.mismatches, grade.mismatches))
  )
}

function areNone(recorded: readonly unknown[], actual: readonly unknown[]): boolean {
  return recorded.length === 0 && actual.length === 0
}

function recordedGrade(sample: Sample): Readonly<Record<string, unknown>> {
  const { failureClass, parseOk, schemaConform, valueAccuracy } = sample
  const details = DETAILS.filter((name) => sample[name] !== undefined).map((name) => [name, sample[name]])
  return { failureClass, parseOk, schemaConform, valueAccuracy, ...Object.fromEntries(details) }
}

function actualGrade(sample: Sample, grade: StructuredGrade): Readonly<Record<string, unknown>> {
  const { failureClass, parseOk, schemaConform, valueAccuracy } = grade
  const details = DETAILS.filter((name) => sample[name] !== undefined).map((name) => [name, grade[name]])
  return { failureClass, parseOk, schemaConform, valueAccuracy, ...Object.fromEntries(details) }
}

type Pair = [recorded: Readonly<Record<string, unknown>>, actual: Readonly<Record<string, unknown>>]

function unstructured(probeClass: ProbeClass, sample: Sample): Pair {
  if (probeClass === 'grounding') return grounded(sample)
  const reply = replyOf(sample)
  if (!sample.scored) return [{}, {}]
  const failureClass = replyFailure(reply)
  return [
    { failureClass: sample.failureClass, parseOk: sample.parseOk },
    { failureClass, parseOk: failureClass === null },
  ]
}

/** What a search found is kept as far as it was cited; whether that was so is the provider's word. */
function grounded(sample: Sample): Pair {
  const recorded = sample.citations ?? []
  const sources = recorded.filter(({ kind }) => kind === 'native').map(({ url }) => ({ url, title: null, cited: true }))
  const grade = gradeGrounding({ ...replyOf(sample), searched: sample.searched === true, sources })
  const byUrl = (citations: readonly { url: string; kind: string }[]): object =>
    Object.fromEntries(citations.map(({ url, kind }) => [url, kind]))
  return [
    {
      failureClass: sample.failureClass,
      parseOk: sample.parseOk,
      grounded: sample.grounded,
      citationCount: sample.citationCount,
      citations: byUrl(recorded),
    },
    {
      failureClass: grade.failureClass,
      parseOk: grade.answered,
      grounded: grade.grounded,
      citationCount: grade.citations.length,
      citations: byUrl(grade.citations),
    },
  ]
}
