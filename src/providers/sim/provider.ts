import { setTimeout as wait } from 'node:timers/promises'
import type { CallRequest, ModelReply } from '../../model/call.ts'
import { didYouMean } from '../../model/closest.ts'
import { PROBE_CLASSES } from '../../model/fixture.ts'
import { BLANK_REPLY } from '../blank-reply.ts'
import { FREE, ProviderFault, type CallContext, type Provider } from '../provider.ts'
import { lookedUpAnswer, structuredAnswer, tokensIn, tokensOf, type Said } from './answers.ts'
import { chanceOf, logNormal, type Chance } from './chance.ts'
import { failSometimes } from './faults.ts'
import { SIM_PROFILES, type SimProfile } from './profiles.ts'
import { reportedUsage } from './usage.ts'

/** Share of a prompt that a hit reads from cache, in whole blocks. */
const CACHED_SHARE = 0.9
const CACHE_BLOCK = 128
const MINIMUM_CACHED = 1024

interface SimModel {
  readonly profile: SimProfile
  readonly seed: number
  /** The process is killed at this call of the model; null: never. */
  readonly crashesAt: number | null
}

/**
 * Simulated models with known true rates, `sim/<profile>` or `sim/<profile>:<seed>`: for demonstrations, for checking
 * statistics against what is known, and for rehearsing what can go wrong. Deterministic under a seed but for its latency.
 */
export function createSimProvider(): Provider {
  const calls = new Map<string, number>()
  return {
    name: 'sim',
    classes: PROBE_CLASSES,
    simulated: true,
    answersFromKey: true,
    priceSource: 'simulated',
    price: () => FREE,
    cachePolicy: () => ({
      minTokens: MINIMUM_CACHED,
      delayMs: 0,
      absentIsZero: false,
      source: 'simulated',
      asOf: '2026-11-30',
    }),
    rejectModel: (model) => {
      if (modelOf(model) !== null) return null
      return /^crash(:0+)?$/.test(model) ? NO_CRASH_CALL : unknownProfile(model)
    },
    async call(request, context) {
      const model = modelOf(context.model)
      const { rehearsal } = context
      if (model === null || rehearsal === undefined) throw unrehearsed(context.model)
      const call = (calls.get(context.model) ?? 0) + 1
      calls.set(context.model, call)
      if (call === model.crashesAt) process.kill(process.pid, 'SIGKILL')
      const { probeClass, fixtureHash, sampleIndex, step, attempt } = rehearsal
      const sample = [context.model.split(':')[0]!, model.seed, probeClass, fixtureHash, sampleIndex, step]
      await latency(model.profile, chanceOf(...sample, attempt, 'latency'), context.signal)
      await failSometimes(model.profile, chanceOf(...sample, attempt), context.signal)
      return replyOf(request, context, model.profile, chanceOf(...sample))
    },
  }
}

/** The profile a name stands for, and what its number says; null for none. */
function modelOf(name: string): SimModel | null {
  const [, profileName = '', number] = /^([a-z-]+)(?::(\d{1,9}))?$/.exec(name) ?? []
  if (!Object.hasOwn(SIM_PROFILES, profileName)) return null
  const profile = SIM_PROFILES[profileName]!
  if (profile.number === 'seed') return { profile, seed: Number(number ?? 1), crashesAt: null }
  return Number(number) >= 1 ? { profile, seed: 1, crashesAt: Number(number) } : null
}

async function latency({ latencyMs }: SimProfile, chance: Chance, signal: AbortSignal): Promise<void> {
  try {
    await wait(logNormal(latencyMs, chance), undefined, { signal })
  } catch (cause) {
    throw new ProviderFault('timeout', 'the call was ended before its reply', { billing: { kind: 'none' }, cause })
  }
}

function replyOf(
  request: CallRequest,
  { model, rehearsal }: CallContext,
  profile: SimProfile,
  chance: Chance,
): ModelReply {
  const said = answerTo(request, rehearsal?.answerKey ?? null, profile, chance)
  const counted = tokensIn(request)
  const hit = request.cacheKey !== null && rehearsal?.step === 1 && chance('cache') < profile.cacheHit
  const cachedTokens = hit ? Math.floor((counted * CACHED_SHARE) / CACHE_BLOCK) * CACHE_BLOCK : 0
  const tokensOut = tokensOf(said.text)
  const usage = { tokensIn: counted, tokensOut, cachedTokens, cacheWriteTokens: 0, reasoningTokens: 0 }
  return {
    ...BLANK_REPLY,
    finishReason: 'stop',
    ...said,
    rawFinishReason: said.finishReason ?? 'stop',
    servedModel: model,
    rung: request.answerSchema === null ? null : request.rung === 'json_mode' ? 'json_mode' : 'native',
    usage: reportedUsage(usage, profile.miscounted, chance),
    searchRequested: request.search,
    sentImages: [],
  }
}

type Key = NonNullable<CallContext['rehearsal']>['answerKey']

function answerTo(request: CallRequest, answerKey: Key, profile: SimProfile, chance: Chance): Said {
  if (answerKey !== null) return structuredAnswer(answerKey, profile, chance)
  return request.search ? lookedUpAnswer(profile, chance) : { text: 'Yes.' }
}

const NO_CRASH_CALL = 'it needs the call at which the process is killed, as in crash:20'

function unknownProfile(model: string): string {
  const known = Object.keys(SIM_PROFILES)
  const { fix } = didYouMean(model.replace(/:.*/, ''), known)
  const there = `there are ${known.join(', ')}, each with a seed of your own as in steady:7`
  return [`there is no simulated model "${model}"`, there, fix].filter((part) => part !== undefined).join('; ')
}

function unrehearsed(model: string): ProviderFault {
  const message = `sim/${model} is called by probes alone`
  return new ProviderFault('bad_response', message, { billing: { kind: 'none' }, retryable: false })
}
