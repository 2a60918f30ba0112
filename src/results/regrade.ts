import { gradeGrounding } from '../grade/grounding.ts'
import { replyFailure } from '../grade/reply-failure.ts'
import { hasAnswerSchema, type LoadedFixture } from '../model/fixture.ts'
import { ownOf } from '../model/own.ts'
import type { Sample } from '../model/sample.ts'
import { BatchGrader, type KeptReply, type Regraded } from './batch-grader.ts'
import { differences, pointer, type Finding } from './finding.ts'
import type { ResultFile } from './format.ts'

/** Why a sample, or a part of its grade, could not be graded again, through no fault of the file's. */
export type LeftReason = 'no_fixture' | 'no_reply' | 'output_cut' | 'no_grade_in_time' | 'custom_checks'

/** What came of grading the stored outputs of a file again. */
export interface Regrade {
  /** Samples that were graded again. */
  readonly regraded: number
  /** Grades that came out another way. */
  readonly differing: readonly Finding[]
  /** Fixtures at hand that are not those of the file: what was graded by them cannot be graded again. */
  readonly otherFixtures: readonly Finding[]
  /** Paths of what could not be graded again, by reason. A fixture that is not at hand is one path. */
  readonly left: Readonly<Partial<Record<LeftReason, readonly string[]>>>
}

interface Place {
  readonly path: string
  readonly sample: Sample
}

/**
 * Grades every stored output again by the fixtures at hand, each deciding by its hash. By the time it first returns, all
 * of it is handed to a thread of its own, so that the caller can go on meanwhile.
 * @param fixtures of the file's class.
 */
export async function regrade(
  result: ResultFile,
  fixtures: readonly LoadedFixture[],
  grader = new BatchGrader(),
): Promise<Regrade> {
  const account = new Account()
  const graded = Object.entries(result.raw).map(async ([id, samples]) => {
    const path = pointer('/raw', id)
    const fixture = fixtures.find((one) => one.id === id)
    const hash = ownOf(result.fixtureHashes, id)
    if (samples.some(({ checks }) => checks !== undefined)) account.leave('custom_checks', path)
    if (fixture === undefined) account.leave('no_fixture', path)
    else if (fixture.hash !== hash) account.otherFixture(id, hash, fixture.hash)
    else await regradeFixture({ result, fixture, grader, account }, placesOf(path, samples, account))
  })
  try {
    await Promise.all(graded)
  } finally {
    await grader.close()
  }
  return account
}

class Account implements Regrade {
  regraded = 0
  readonly differing: Finding[] = []
  readonly otherFixtures: Finding[] = []
  readonly left: Partial<Record<LeftReason, string[]>> = {}

  leave(reason: LeftReason, path: string): void {
    ;(this.left[reason] ??= []).push(path)
  }

  otherFixture(id: string, recorded: string | undefined, actual: string): void {
    const path = pointer('/fixtureHashes', id)
    this.otherFixtures.push({ path, message: 'is not the hash of the fixture at hand', recorded, actual })
  }

  compare(path: string, recorded: Readonly<Record<string, unknown>>, actual: Readonly<Record<string, unknown>>): void {
    this.regraded += 1
    for (const { message: _message, ...where } of differences(recorded, actual, path))
      this.differing.push({ ...where, message: 'is graded another way' })
  }
}

/** Samples whose whole output is there. */
function placesOf(fixturePath: string, samples: readonly Sample[], account: Account): Place[] {
  return samples.flatMap((sample, position) => {
    const path = pointer(fixturePath, position)
    if (sample.output === null || sample.finishReason === null) account.leave('no_reply', path)
    else if (sample.outputBytes !== undefined) account.leave('output_cut', path)
    else return [{ path, sample }]
    return []
  })
}

interface Regrading {
  readonly result: ResultFile
  readonly fixture: LoadedFixture
  readonly grader: BatchGrader
  readonly account: Account
}

async function regradeFixture(regrading: Regrading, places: readonly Place[]): Promise<void> {
  const { result, account } = regrading
  if (hasAnswerSchema(result.class)) await regradeStructured(regrading, places)
  else for (const place of places) account.compare(place.path, ...unstructured(result, place.sample))
}

async function regradeStructured({ fixture, grader, account }: Regrading, places: readonly Place[]): Promise<void> {
  const { schema = {}, expectedValues } = fixture.fixture
  // The same words get the same grade: models repeat themselves.
  const alike = groupsOf(places)
  const replies = alike.map(([first]) => replyOf(first!.sample))
  const grades = await grader.grade({ key: fixture.hash, schema, expectedValues }, replies)
  for (const [position, group] of alike.entries()) {
    const grade = grades[position] ?? null
    for (const { path, sample } of group) {
      // What was not graded in time then can be graded in time now, on a faster machine: that is no contradiction.
      if (grade === null || sample.failureClass === 'grader_timeout') account.leave('no_grade_in_time', path)
      else if (isGradedSo(sample, grade)) account.regraded += 1
      else account.compare(path, recordedGrade(sample), actualGrade(sample, grade))
    }
  }
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

function replyOf({ output, finishReason }: Sample): KeptReply {
  return { text: output ?? '', finishReason: finishReason ?? 'other' }
}

/** Fields that older files of this format may lack are compared where they stand. */
const DETAILS = ['violations', 'mismatches', 'wrapping'] as const

/** Whether nothing can differ, which is so for most samples and quick to see; false says nothing. */
function isGradedSo(sample: Sample, grade: Regraded): boolean {
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

function actualGrade(sample: Sample, grade: Regraded): Readonly<Record<string, unknown>> {
  const { failureClass, parseOk, schemaConform, valueAccuracy } = grade
  const details = DETAILS.filter((name) => sample[name] !== undefined).map((name) => [name, grade[name]])
  return { failureClass, parseOk, schemaConform, valueAccuracy, ...Object.fromEntries(details) }
}

type Pair = [recorded: Readonly<Record<string, unknown>>, actual: Readonly<Record<string, unknown>>]

function unstructured(result: ResultFile, sample: Sample): Pair {
  if (result.class === 'grounding') return grounded(sample)
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
