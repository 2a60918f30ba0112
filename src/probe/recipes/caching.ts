import { createHash } from 'node:crypto'
import { gradeRepeat, primeProblem } from '../../grade/caching.ts'
import { replyFailure } from '../../grade/reply-failure.ts'
import { isDryRun, type Ask, type CallOutcome, type CallRequest } from '../../model/call.ts'
import type { Sample } from '../../model/sample.ts'
import type { Answer } from '../checks.ts'
import { cacheFiller } from './cache-filler.ts'
import { cachingSample, faultSample, ineligibleSample, joinRecords, unrepeatedSample } from '../sample.ts'
import type { Measured, Measurement, Recipe } from './recipe.ts'

/** Long enough for most caches, where nothing is known of this one. */
const UNKNOWN_DELAY_MS = 5000

/**
 * Is declared prompt caching realised? A first call fills the cache, a pause lets it become readable, an identical
 * second call shows whether it is read. Each sample begins with a mark of its own, so that samples do not warm each
 * other; a prompt too short for the model's cache is filled up; a sample that cannot show anything does not buy the
 * repeat.
 */
export const cachingRecipe: Recipe = {
  probeClass: 'caching',
  async prepare(measurement) {
    const { traits, settings, tools } = measurement
    const callsOf = callsFor(measurement)
    return async (sampleIndex) => {
      for (const runId of traits.earlierRuns) {
        const calls = callsOf(runId, sampleIndex)
        // A cache that was filled long ago shows nothing: only pairs that are whole are taken from the journal.
        const measured = await measurePair(measurement, sampleIndex, {
          prime: () => tools.ask({ ...calls.prime, replay: 'only' }),
          repeat: () => tools.ask({ ...calls.repeat, replay: 'only' }),
        })
        if (!isMissing(measured)) return measured
      }
      const calls = callsOf(settings.runId, sampleIndex)
      const delayMs = settings.cacheDelayMs ?? traits.cache?.delayMs ?? UNKNOWN_DELAY_MS
      return measurePair(measurement, sampleIndex, {
        prime: () => tools.ask({ ...calls.prime, replay: 'never', pair: 'first' }),
        repeat: () => tools.ask({ ...calls.repeat, replay: 'never', pair: 'second', delayMs }),
        waive: () => tools.ask({ ...calls.repeat, replay: 'never', pair: 'waived' }),
      })
    }
  },
}

/** Makes both asks of a sample. */
function callsFor({ modelKey, traits, loaded, settings }: Measurement) {
  const { class: probeClass, id: fixtureId, hash: fixtureHash } = loaded
  const { prompt } = loaded.fixture
  const text = cacheFiller(prompt, traits.cache?.minTokens ?? null) + prompt
  return (runId: string, sampleIndex: number): { prime: Ask; repeat: Ask } => {
    const mark = markOf(runId, modelKey, fixtureHash, sampleIndex)
    const request: CallRequest = {
      prompt: `[${mark}]\n${text}`,
      images: [],
      answerSchema: null,
      rung: 'auto',
      maxOutputTokens: settings.maxOutputTokens,
      search: false,
      cacheKey: mark,
    }
    const ask = { runId: settings.runId, modelKey, probeClass, fixtureId, fixtureHash, sampleIndex, request }
    return { prime: { ...ask, step: 0 }, repeat: { ...ask, step: 1 } }
  }
}

/** Ways to come by the two calls of a sample. */
interface Pair {
  readonly prime: () => Promise<CallOutcome>
  readonly repeat: () => Promise<CallOutcome>
  /** Tells that the repeat will not be made. */
  readonly waive?: () => Promise<unknown>
}

async function measurePair(
  { traits: { cache: policy } }: Measurement,
  sampleIndex: number,
  pair: Pair,
): Promise<Measured> {
  const prime = await pair.prime()
  // A plan holds both calls, although the second is never reached.
  if (prime.kind === 'refused' && isDryRun(prime.error)) await pair.repeat()
  if (prime.kind !== 'reply') return unmeasured(sampleIndex, prime)
  const problem = primeProblem(prime.reply, policy)
  if (problem !== null) {
    await pair.waive?.()
    return kept(ineligibleSample(sampleIndex, prime.reply, prime.record, problem))
  }

  const repeat = await pair.repeat()
  if (repeat.kind === 'refused') {
    const sample = unrepeatedSample(sampleIndex, prime.reply, prime.record, repeat.error.message)
    return { kind: 'sample', sample, answer: null, refusal: repeat.error }
  }
  const record = joinRecords(prime.record, repeat.record)
  if (repeat.kind === 'fault') return unmeasured(sampleIndex, { ...repeat, record })
  const grade = gradeRepeat(prime.reply, repeat.reply, policy)
  if (grade.problem !== null) return kept(ineligibleSample(sampleIndex, repeat.reply, record, grade.problem))
  const failureClass = replyFailure(repeat.reply)
  const answer = failureClass === null ? { value: undefined, output: repeat.reply.text } : null
  return kept(cachingSample(sampleIndex, repeat.reply, record, failureClass, grade), answer)
}

function isMissing({ refusal }: Measured): boolean {
  return refusal?.code === 'NOT_JOURNALED'
}

/** The same for both calls of a sample, and for no other sample of any run. */
function markOf(runId: string, modelKey: string, fixtureHash: string, sampleIndex: number): string {
  return createHash('sha256').update(`${runId} ${modelKey} ${fixtureHash} ${sampleIndex}`).digest('hex').slice(0, 24)
}

function kept(sample: Sample, answer: Answer | null = null): Measured {
  return { kind: 'sample', sample, answer, refusal: null }
}

function unmeasured(sampleIndex: number, outcome: Exclude<CallOutcome, { kind: 'reply' }>): Measured {
  if (outcome.kind === 'refused') return { kind: 'missing', refusal: outcome.error }
  const sample = faultSample(sampleIndex, outcome)
  return { kind: 'sample', sample, answer: null, refusal: outcome.refusal ?? null }
}
