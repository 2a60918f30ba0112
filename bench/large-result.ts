import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answerKey } from '../src/fixtures/answer-key.ts'
import { loadFixtureFolder } from '../src/fixtures/load.ts'
import { compileSchema } from '../src/grade/conform.ts'
import { gradeStructured, type StructuredGrade } from '../src/grade/structured.ts'
import type { CallRecord, ModelReply } from '../src/model/call.ts'
import type { CaseMeta } from '../src/model/case-meta.ts'
import type { LoadedFixture } from '../src/model/fixture.ts'
import { structuredSample } from '../src/probe/sample.ts'
import { BLANK_REPLY } from '../src/providers/blank-reply.ts'
import { structuredAnswer, tokensOf, type Said } from '../src/providers/sim/answers.ts'
import { chanceOf } from '../src/providers/sim/chance.ts'
import { SIM_PROFILES } from '../src/providers/sim/profiles.ts'
import { buildResult } from '../src/results/build.ts'
import { writeResult } from '../src/results/write.ts'

const MODEL = 'careless'
const STARTED_AT = Date.UTC(2026, 0, 2)

/** The file of a run that would take a day, as a simulated model would have answered, and the fixtures it is graded by. */
export interface LargeResult {
  readonly file: string
  readonly fixtures: string
  /** Outputs that differ from all others of their fixture. */
  readonly distinct: number
}

/**
 * @param distinct whether no output is like another: white space after it makes each its own, and changes no grade.
 */
export async function writeLargeResult(
  root: string,
  size: { readonly fixtures: number; readonly samples: number; readonly distinct: boolean },
): Promise<LargeResult> {
  const fixtures = writeFixtures(root, size.fixtures)
  const texts = new Set<string>()
  const cases = loadFixtureFolder(fixtures, 'schema').fixtures.map((loaded) => {
    const answer = answers(loaded)
    const samples = Array.from({ length: size.samples }, (_, index) => {
      const said = answer(index)
      const text = size.distinct && said.text !== '' ? said.text + spaces(index) : said.text
      texts.add(`${loaded.id} ${text}`)
      return structuredSample(index, replyOf(loaded, { ...said, text }), recordOf(loaded, index), said.grade)
    })
    return caseOf(loaded, samples)
  })
  const run = { modelKey: `sim/${MODEL}`, probeClass: 'schema' as const, startedAt: new Date(STARTED_AT) }
  const result = buildResult({ ...run, envelopeUsd: 1, interrupted: false }, cases)
  return { file: await writeResult(join(root, 'results'), result), fixtures, distinct: texts.size }
}

/** The shipped fixtures, as often as it takes, each time under other names. */
function writeFixtures(root: string, count: number): string {
  const shipped = loadFixtureFolder(fileURLToPath(new URL('../fixtures', import.meta.url)), 'schema').fixtures
  const folder = join(root, 'fixtures', 'schema')
  mkdirSync(folder, { recursive: true })
  for (let index = 0; index < count; index += 1) {
    const { fixture } = shipped[index % shipped.length]!
    const id = `${fixture.id}-${index}`
    writeFileSync(join(folder, `${id}.json`), JSON.stringify({ ...fixture, id }))
  }
  return join(root, 'fixtures')
}

type Answer = Said & { readonly grade: StructuredGrade }

/** What the model answers to sample after sample. It has few ways to answer, and each is graded once. */
function answers({ id, hash, fixture }: LoadedFixture): (index: number) => Answer {
  const { schema = {}, expectedValues } = fixture
  const compiled = compileSchema(schema)
  const gradeOf = (said: Said): StructuredGrade =>
    gradeStructured({ reply: { finishReason: 'stop', ...said }, schema: compiled, expectedValues })
  const key = answerKey(fixture, (text) => gradeOf({ text }))
  if (key === null) throw new Error(`no answer to ${id} was found`)
  const graded = new Map<string, StructuredGrade>()
  return (index) => {
    const said = structuredAnswer(key, SIM_PROFILES[MODEL]!, chanceOf(MODEL, hash, index))
    const name = JSON.stringify(said)
    const grade = graded.get(name) ?? gradeOf(said)
    graded.set(name, grade)
    return { ...said, grade }
  }
}

function spaces(index: number): string {
  return index.toString(2).replaceAll('0', ' ').replaceAll('1', '\n')
}

function replyOf({ fixture }: LoadedFixture, said: Said): ModelReply {
  const counted = { tokensIn: tokensOf(fixture.prompt), tokensOut: tokensOf(said.text) }
  const finishReason = said.finishReason ?? 'stop'
  return {
    ...BLANK_REPLY,
    text: said.text,
    finishReason,
    rawFinishReason: finishReason,
    servedModel: MODEL,
    rung: 'native',
    usage: { ...counted, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
  }
}

function recordOf({ hash }: LoadedFixture, index: number): CallRecord {
  return {
    requestHash: createHash('sha256').update(hash).digest('hex'),
    startedAt: new Date(STARTED_AT + index * 1000).toISOString(),
    attempts: 1,
    latencyMs: 20 + (index % 97) / 7,
    costUsd: 0,
    costUpperBoundUsd: null,
    replayed: false,
  }
}

function caseOf(
  { id, hash, family, difficulty, domain, subtype }: LoadedFixture,
  samples: CaseMeta['samples'],
): CaseMeta {
  return {
    modelKey: `sim/${MODEL}`,
    probeClass: 'schema',
    fixtureId: id,
    fixtureHash: hash,
    family,
    difficulty,
    domain,
    subtype,
    hasSchema: true,
    samplesWanted: samples.length,
    samplesDue: samples.length,
    shard: null,
    rung: 'auto',
    maxOutputTokens: 4096,
    until: null,
    thresholds: {},
    samples,
    canary: null,
    facts: { priceSource: 'simulated', simulated: true },
    refusal: null,
  }
}
