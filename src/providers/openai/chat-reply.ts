import type { FinishReason, ModelReply, Rung, Usage } from '../../model/call.ts'
import { ProviderFault } from '../provider.ts'
import { faultClassOf } from './chat-fault.ts'

/** A Chat Completions body as it may arrive: nothing in it is certain. */
interface ChatReplyBody {
  readonly model?: unknown
  readonly choices?: readonly Choice[] | null
  readonly usage?: ChatUsage | null
  readonly error?: { readonly code?: unknown; readonly message?: unknown } | null
}

interface Choice {
  readonly finish_reason?: string | null
  readonly message?: { readonly content?: unknown; readonly refusal?: unknown } | null
}

interface ChatUsage {
  readonly prompt_tokens?: unknown
  readonly completion_tokens?: unknown
  readonly prompt_tokens_details?: { readonly cached_tokens?: unknown; readonly cache_write_tokens?: unknown } | null
  readonly completion_tokens_details?: { readonly reasoning_tokens?: unknown } | null
}

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content_filter',
}

/**
 * A Chat Completions body in common terms.
 * @throws ProviderFault `bad_response` when it is none, or the class of the error it carries.
 */
export function replyFromChat(body: unknown, rung: Rung | null, rungFallback: string | null): ModelReply {
  if (typeof body !== 'object' || body === null) {
    throw new ProviderFault('bad_response', 'the reply is not JSON', { billing: { kind: 'unknown' } })
  }
  const { model, choices, usage, error } = body as ChatReplyBody
  const counted = usageFromChat(usage ?? null)
  // Gateways answer 200 with an error inside once generation has begun.
  if (error) {
    const status = typeof error.code === 'number' ? error.code : null
    const message = typeof error.message === 'string' ? error.message : 'the reply carries an error'
    throw new ProviderFault(faultClassOf(status, error), message, { billing: billingOf(counted) })
  }
  const choice = choices?.[0]
  if (!choice?.message)
    throw new ProviderFault('bad_response', 'the reply has no choice', { billing: billingOf(counted) })
  const { content, refusal } = choice.message
  const refused = typeof refusal === 'string' && refusal !== ''
  const rawFinishReason = choice.finish_reason ?? null
  return {
    text: refused ? refusal : textOf(content),
    finishReason: refused ? 'refusal' : (FINISH[rawFinishReason ?? ''] ?? 'other'),
    rawFinishReason: refused ? 'refusal' : rawFinishReason,
    servedModel: typeof model === 'string' ? model : null,
    rung,
    rungFallback,
    usage: counted,
    reportedCostUsd: null,
  }
}

/** Text parts only: reasoning and unknown parts are no answer. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .filter((part: { type?: unknown; text?: unknown }) => part?.type === 'text' && typeof part.text === 'string')
    .map((part: { text: string }) => part.text)
    .join('')
}

/** Cached, written and reasoning tokens are parts of the totals here. */
function usageFromChat(usage: ChatUsage | null): Usage {
  return {
    tokensIn: count(usage?.prompt_tokens),
    tokensOut: count(usage?.completion_tokens),
    cachedTokens: count(usage?.prompt_tokens_details?.cached_tokens),
    cacheWriteTokens: count(usage?.prompt_tokens_details?.cache_write_tokens),
    reasoningTokens: count(usage?.completion_tokens_details?.reasoning_tokens),
  }
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

function billingOf(usage: Usage) {
  return usage.tokensIn === null ? ({ kind: 'unknown' } as const) : ({ kind: 'usage', usage } as const)
}
