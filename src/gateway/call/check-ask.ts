import type { Ask, CallRequest } from '../../model/call.ts'
import { PROBE_CLASSES } from '../../model/fixture.ts'
import { MOST_SAMPLES } from '../../model/sample.ts'
import { isRecord } from '../../model/record.ts'

const FIXTURE_ID = /^[a-z0-9][a-z0-9._-]{0,99}$/
/** What every provider's cache key or affinity header can carry. */
const CACHE_KEY = /^[A-Za-z0-9_-]{1,64}$/
const HASH = /^[0-9a-f]{16}$/
const RUN_ID = /^[\w.-]{1,100}$/
const MOST_OUTPUT_TOKENS = 1_000_000
const LONGEST_DELAY_MS = 600_000

/**
 * Whether an ask is what its type says. Asks come from a worker that runs other people's code: what is priced here
 * must be what is sent, so nothing is taken on trust. Null, or what is wrong.
 */
export function askProblem(ask: unknown): string | null {
  if (!isRecord(ask)) return 'an ask is an object'
  const {
    runId,
    modelKey,
    probeClass,
    fixtureId,
    fixtureHash,
    sampleIndex,
    step,
    request,
    answerKey,
    replay,
    pair,
    delayMs,
  } = ask
  if (typeof runId !== 'string' || !RUN_ID.test(runId)) return 'runId is no id of a run'
  if (typeof modelKey !== 'string') return 'modelKey is a text'
  if (!(PROBE_CLASSES as readonly unknown[]).includes(probeClass)) return `there is no class ${String(probeClass)}`
  if (typeof fixtureId !== 'string' || !FIXTURE_ID.test(fixtureId)) return 'fixtureId is no id of a fixture'
  if (typeof fixtureHash !== 'string' || !HASH.test(fixtureHash)) return 'fixtureHash is no hash of a fixture'
  if (!isCount(sampleIndex, MOST_SAMPLES)) return 'sampleIndex is out of range'
  if (!isCount(step, 1)) return 'step is 0 or 1'
  if (answerKey !== undefined && answerKey !== null && !isAnswerKey(answerKey)) return 'answerKey is no answer key'
  if (pair !== undefined && pair !== 'first' && pair !== 'second' && pair !== 'waived') return 'pair is none'
  if (delayMs !== undefined && !isCount(delayMs, LONGEST_DELAY_MS)) return 'delayMs is out of range'
  if (replay !== undefined && replay !== 'only' && replay !== 'never') return 'replay is only or never'
  return requestProblem(request)
}

function requestProblem(request: unknown): string | null {
  if (!isRecord(request)) return 'a request is an object'
  const { prompt, images, answerSchema, rung, maxOutputTokens, search, cacheKey } = request
  if (typeof prompt !== 'string') return 'prompt is a text'
  if (answerSchema !== null && !isRecord(answerSchema)) return 'answerSchema is an object or null'
  if (rung !== 'auto' && rung !== 'native' && rung !== 'json_mode') return 'rung is auto, native or json_mode'
  if (!isCount(maxOutputTokens, MOST_OUTPUT_TOKENS) || maxOutputTokens === 0) return 'maxOutputTokens is out of range'
  if (typeof search !== 'boolean') return 'search is true or false'
  if (cacheKey !== null && !(typeof cacheKey === 'string' && CACHE_KEY.test(cacheKey))) return 'cacheKey is no key'
  if (!Array.isArray(images) || images.length > 16 || !images.every(isImage)) return 'images are PNG bytes with a hash'
  return null
}

/** The same ask with exactly the fields that are known and priced. */
export function copyAsk(ask: Ask): Ask {
  const {
    runId,
    modelKey,
    probeClass,
    fixtureId,
    fixtureHash,
    sampleIndex,
    step,
    answerKey = null,
    replay,
    pair,
    delayMs,
  } = ask
  const identity = { runId, modelKey, probeClass, fixtureId, fixtureHash, sampleIndex, step }
  return {
    ...identity,
    answerKey,
    request: copyRequest(ask.request),
    ...(replay !== undefined && { replay }),
    ...(pair !== undefined && { pair }),
    ...(delayMs !== undefined && { delayMs }),
  }
}

function copyRequest(request: CallRequest): CallRequest {
  const { prompt, images, answerSchema, rung, maxOutputTokens, search, cacheKey } = request
  return { prompt, images, answerSchema, rung, maxOutputTokens, search, cacheKey }
}

function isAnswerKey(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { right, wrongValues, nonConforming } = value
  return (
    typeof right === 'string' && [wrongValues, nonConforming].every((text) => text === null || typeof text === 'string')
  )
}

function isImage(image: unknown): boolean {
  if (!isRecord(image)) return false
  const { bytes, mediaType, sha256 } = image
  return bytes instanceof Uint8Array && mediaType === 'image/png' && typeof sha256 === 'string'
}

function isCount(value: unknown, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most
}
