import { createHash } from 'node:crypto'
import type { GroundingGrade } from '../grade/grounding.ts'
import type { StructuredGrade } from '../grade/structured.ts'
import type { CallOutcome, CallRecord, ModelReply } from '../model/call.ts'
import type { Sample } from '../model/sample.ts'

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
