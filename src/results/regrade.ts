import { gradeGrounding } from '../grade/grounding.ts'
import { replyFailure } from '../grade/reply-failure.ts'
import type { FinishReason } from '../model/call.ts'
import { hasAnswerSchema, type ProbeClass } from '../model/fixture.ts'
import type { Sample } from '../model/sample.ts'
import { differences, pointer, type Finding } from './finding.ts'
import { Grader, type GradedBy, type GradeWatch } from './grader.ts'

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
export function regradeSamples({ path, probeClass, gradedBy, samples, watch }: Regrading): SampleRegrade {
  const account = new Account(path)
  if (samples.some(({ checks }) => checks !== undefined)) account.leave('custom_checks')
  const grader = hasAnswerSchema(probeClass) ? new Grader(gradedBy, watch) : null
  for (const [position, sample] of samples.entries()) {
    const reason = whyLeft(sample)
    if (reason !== null) account.leave(reason, position)
    else if (grader === null) account.compare(position, ...unstructured(probeClass, sample))
    else regradeStructured(grader, { position, sample }, account)
  }
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

/** Null: its whole output is there. */
function whyLeft({ output, finishReason, outputBytes }: Sample): LeftReason | null {
  if (output === null || finishReason === null) return 'no_reply'
  // A whole output with its size is none that was cut: it would be a way around being graded.
  return outputBytes !== undefined && outputBytes > Buffer.byteLength(output) ? 'output_cut' : null
}

function regradeStructured(
  grader: Grader,
  { position, sample }: { readonly position: number; readonly sample: Sample },
  account: Account,
): void {
  const { text, finishReason } = replyOf(sample)
  const grade = grader.gradeOf(text, finishReason)
  // What was not graded in time then can be graded in time now, on a faster machine: that is no contradiction.
  if (grade === null || sample.failureClass === 'grader_timeout') account.leave('no_grade_in_time', position)
  else {
    const fields = gradedFields(sample)
    const of = (one: Partial<Record<Graded, unknown>>) => Object.fromEntries(fields.map((name) => [name, one[name]]))
    account.compare(position, of(sample), of(grade))
  }
}

function replyOf({ output, finishReason }: Sample): { readonly text: string; readonly finishReason: FinishReason } {
  return { text: output ?? '', finishReason: finishReason ?? 'other' }
}

const GRADES = ['failureClass', 'parseOk', 'schemaConform', 'valueAccuracy'] as const
/** Fields that older files of this format may lack are compared where they stand. */
const DETAILS = ['violations', 'mismatches', 'wrapping'] as const

type Graded = (typeof GRADES)[number] | (typeof DETAILS)[number]

/** What a sample says of its grade. */
function gradedFields(sample: Sample): Graded[] {
  return [...GRADES, ...DETAILS.filter((name) => sample[name] !== undefined)]
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
