import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { gradeRepeat, primeProblem } from '../../grade/caching.ts'
import { replyFailure } from '../../grade/reply-failure.ts'
import { isDryRun, type CallOutcome, type CallRequest } from '../../model/call.ts'
import { cacheFiller } from './cache-filler.ts'
import { cachingSample, faultSample, ineligibleSample, joinRecords, unrepeatedSample } from '../sample.ts'
import type { Measured, Recipe } from './recipe.ts'

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
  async prepare({ modelKey, traits: { cache: policy }, loaded, settings, tools: { ask } }) {
    const identity = { modelKey, probeClass: loaded.class, fixtureId: loaded.id, fixtureHash: loaded.hash }
    const { prompt } = loaded.fixture
    const text = cacheFiller(prompt, policy?.minTokens ?? null) + prompt
    return async (sampleIndex): Promise<Measured> => {
      const mark = markOf(settings.runId, modelKey, loaded.hash, sampleIndex)
      const request: CallRequest = {
        prompt: `[${mark}]\n${text}`,
        images: [],
        answerSchema: null,
        rung: 'auto',
        maxOutputTokens: settings.maxOutputTokens,
        search: false,
        cacheKey: mark,
      }
      const prime = await ask({ ...identity, sampleIndex, step: 0, request })
      // A plan holds both calls, although the second is never reached.
      if (prime.kind === 'refused' && isDryRun(prime.error)) await ask({ ...identity, sampleIndex, step: 1, request })
      if (prime.kind !== 'reply') return unmeasured(sampleIndex, prime)
      const problem = primeProblem(prime.reply, policy)
      if (problem !== null) return kept(ineligibleSample(sampleIndex, prime.reply, prime.record, problem))

      await wait(settings.cacheDelayMs ?? policy?.delayMs ?? UNKNOWN_DELAY_MS)
      const repeat = await ask({ ...identity, sampleIndex, step: 1, request })
      if (repeat.kind === 'refused') {
        const sample = unrepeatedSample(sampleIndex, prime.reply, prime.record, repeat.error.message)
        return { kind: 'sample', sample, refusal: repeat.error }
      }
      const record = joinRecords(prime.record, repeat.record)
      if (repeat.kind === 'fault') return unmeasured(sampleIndex, { ...repeat, record })
      const grade = gradeRepeat(repeat.reply, policy)
      if (grade.problem !== null) return kept(ineligibleSample(sampleIndex, repeat.reply, record, grade.problem))
      return kept(cachingSample(sampleIndex, repeat.reply, record, replyFailure(repeat.reply), grade))
    }
  },
}

/** The same for both calls of a sample, and for no other sample of any run. */
function markOf(runId: string, modelKey: string, fixtureHash: string, sampleIndex: number): string {
  return createHash('sha256').update(`${runId} ${modelKey} ${fixtureHash} ${sampleIndex}`).digest('hex').slice(0, 24)
}

function kept(sample: Extract<Measured, { kind: 'sample' }>['sample']): Measured {
  return { kind: 'sample', sample, refusal: null }
}

function unmeasured(sampleIndex: number, outcome: Exclude<CallOutcome, { kind: 'reply' }>): Measured {
  if (outcome.kind === 'refused') return { kind: 'missing', refusal: outcome.error }
  return { kind: 'sample', sample: faultSample(sampleIndex, outcome), refusal: outcome.refusal ?? null }
}
