import { createHash } from 'node:crypto'
import type { CachedFigures, Ineligible } from '../grade/caching.ts'
import type { GroundingGrade } from '../grade/grounding.ts'
import type { StructuredGrade } from '../grade/structured.ts'
import type { CallOutcome, CallRecord, ModelReply } from '../model/call.ts'
import type { ModelFailure, Sample } from '../model/sample.ts'
import { spentUsdOf, sumOfUsd } from '../model/spend.ts'

const OUTPUT_LIMIT_BYTES = 256 * 1024

/** The sample of a call that brought no reply: kept, unscored. */
export function faultSample(index: number, fault: Extract<CallOutcome, { kind: 'fault' }>): Sample {
  return {
    index,
    scored: false,
    failureClass: fault.failureClass,
    failureDetail: fault.detail,
    parseOk: false,
    schemaConform: null,
    valueAccuracy: null,
    grounded: null,
    citationCount: null,
    cachedTokens: null,
    rung: null,
    tokensIn: null,
    tokensOut: null,
    ...recordFields(fault.record),
    output: null,
    finishReason: null,
    servedModel: null,
  }
}

/** The sample of a structured reply with its grade. */
export function structuredSample(index: number, reply: ModelReply, record: CallRecord, grade: StructuredGrade): Sample {
  return {
    ...replyFields(index, reply, record),
    failureClass: grade.failureClass,
    ...(grade.parseProblem !== undefined && { failureDetail: grade.parseProblem }),
    parseOk: grade.parseOk,
    schemaConform: grade.schemaConform,
    valueAccuracy: grade.valueAccuracy,
    rung: reply.rung,
    rungFallback: reply.rungFallback,
    violations: [...grade.violations],
    mismatches: [...grade.mismatches],
    wrapping: grade.wrapping,
    ...(reply.sentImages.length > 0 && { sentImages: [...reply.sentImages] }),
  }
}

/** The sample of a reply that could not be graded in time: kept whole, so that it can be graded another day. */
export function ungradedSample(index: number, reply: ModelReply, record: CallRecord): Sample {
  const graded = { scored: false, failureClass: 'grader_timeout' as const, parseOk: false }
  return { ...replyFields(index, reply, record), ...graded, rung: reply.rung, rungFallback: reply.rungFallback }
}

/** The sample of an answer that was to be looked up. */
export function groundingSample(index: number, reply: ModelReply, record: CallRecord, grade: GroundingGrade): Sample {
  return {
    ...replyFields(index, reply, record),
    failureClass: grade.failureClass,
    parseOk: grade.answered,
    grounded: grade.grounded,
    citationCount: grade.citations.length,
    citations: [...grade.citations],
    searchRequested: reply.searchRequested,
    searched: reply.searched,
  }
}

/** The sample of a repeated call: its tokens are the measurement, both calls are its cost. */
export function cachingSample(
  index: number,
  reply: ModelReply,
  record: CallRecord,
  failureClass: ModelFailure | null,
  { cachedTokens, cachedShare, primeCachedTokens }: CachedFigures,
): Sample {
  const cached = { cachedTokens, cachedShare, primeCachedTokens, cacheMarker: reply.cacheMarker }
  return { ...replyFields(index, reply, record), failureClass, parseOk: failureClass === null, ...cached }
}

/** The sample of a call that cannot show whether caching works: nobody's fault, and not scored. */
export function ineligibleSample(
  index: number,
  reply: ModelReply,
  record: CallRecord,
  failureClass: Ineligible,
): Sample {
  const { cacheMarker } = reply
  return { ...replyFields(index, reply, record), scored: false, failureClass, cacheMarker }
}

/** The sample of a first call whose repeat was never sent: paid for, and not scored. */
export function unrepeatedSample(index: number, reply: ModelReply, record: CallRecord, why: string): Sample {
  const { cacheMarker } = reply
  return { ...replyFields(index, reply, record), scored: false, failureDetail: why, cacheMarker }
}

/** Both calls of a sample as one: costs and attempts added, begun with the first, measured by the second. */
export function joinRecords(first: CallRecord, second: CallRecord): CallRecord {
  const known = first.costUsd !== null && second.costUsd !== null
  const usd = sumOfUsd([first, second].map(spentUsdOf))
  return {
    ...second,
    startedAt: first.startedAt,
    attempts: first.attempts + second.attempts,
    costUsd: known ? usd : null,
    costUpperBoundUsd: known ? null : usd,
  }
}

/** What every scored reply says of itself; what a class does not look at is null. */
function replyFields(index: number, reply: ModelReply, record: CallRecord): Sample {
  const { usage } = reply
  return {
    index,
    scored: true,
    failureClass: null,
    parseOk: true,
    schemaConform: null,
    valueAccuracy: null,
    grounded: null,
    citationCount: null,
    cachedTokens: usage.cachedTokens,
    rung: null,
    tokensIn: usage.tokensIn,
    tokensOut: usage.tokensOut,
    reasoningTokens: usage.reasoningTokens,
    cacheWriteTokens: usage.cacheWriteTokens,
    ...recordFields(record),
    ...outputFields(reply.text),
    finishReason: reply.finishReason,
    rawFinishReason: reply.rawFinishReason,
    servedModel: reply.servedModel,
  }
}

function recordFields(record: CallRecord) {
  const { requestHash, startedAt, attempts, latencyMs, costUsd, costUpperBoundUsd, replayed } = record
  const fields = { requestHash, startedAt, attempts, latencyMs, costUsd, replayed }
  return costUpperBoundUsd === null ? fields : { ...fields, costUpperBoundUsd }
}

/** The whole text where it is small; else its beginning, with the size and hash of the whole. */
function outputFields(text: string): Pick<Sample, 'output' | 'outputBytes' | 'outputSha256'> {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length <= OUTPUT_LIMIT_BYTES) return { output: text }
  let end = OUTPUT_LIMIT_BYTES
  // A cut inside a character would change it: go back to the character's first byte.
  while ((bytes[end]! & 0xc0) === 0x80) end -= 1
  return {
    output: bytes.subarray(0, end).toString('utf8'),
    outputBytes: bytes.length,
    outputSha256: createHash('sha256').update(bytes).digest('hex'),
  }
}
