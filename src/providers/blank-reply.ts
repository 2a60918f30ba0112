import type { ModelReply, Usage } from '../model/call.ts'

/** Nothing counted: absent is not zero. */
export const NO_USAGE: Usage = Object.freeze({
  tokensIn: null,
  tokensOut: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
})

/** A reply about which nothing is known yet; adapters fill in what their provider says. */
export const BLANK_REPLY: ModelReply = Object.freeze({
  text: '',
  finishReason: 'other',
  rawFinishReason: null,
  servedModel: null,
  rung: null,
  rungFallback: null,
  usage: NO_USAGE,
  reportedCostUsd: null,
  cacheMarker: null,
  searchRequested: false,
  searched: false,
  sources: [],
  sentImages: [],
})
