import type { AccountLimit, FinishReason, ModelReply, SentImage, Source, Usage } from '../../model/call.ts'
import { CACHE_MARKERS } from '../../model/sample.ts'
import { NO_USAGE } from '../../providers/blank-reply.ts'
import { ProviderFault, type Billing } from '../../providers/provider.ts'

const FINISH_REASONS: readonly FinishReason[] = ['stop', 'length', 'content_filter', 'refusal', 'other']

/**
 * A reply with exactly the fields and types it should have, whatever an adapter returned: plain data that can cross
 * threads, be written down and be counted. Figures that make no sense count as not reported; what the reply tells of the
 * account's limits is no part of it.
 * @throws ProviderFault `bad_response` when there is no text to grade.
 */
export function checkedReply(reply: unknown): ModelReply {
  if (typeof reply !== 'object' || reply === null) throw unreadable('the provider returned no reply')
  const fields = reply as Record<keyof ModelReply, unknown>
  if (typeof fields.text !== 'string') throw unreadable('the reply has no text')
  const reason = fields.finishReason as FinishReason
  return {
    text: fields.text,
    finishReason: FINISH_REASONS.includes(reason) ? reason : 'other',
    rawFinishReason: textOrNull(fields.rawFinishReason),
    servedModel: textOrNull(fields.servedModel),
    rung: fields.rung === 'native' || fields.rung === 'json_mode' ? fields.rung : null,
    rungFallback: textOrNull(fields.rungFallback),
    usage: checkedUsage(fields.usage),
    reportedCostUsd: isAmount(fields.reportedCostUsd) ? fields.reportedCostUsd : null,
    cacheMarker: CACHE_MARKERS.find((marker) => marker === fields.cacheMarker) ?? null,
    searchRequested: fields.searchRequested === true,
    searched: fields.searched === true,
    sources: listOf(fields.sources, checkedSource),
    sentImages: listOf(fields.sentImages, checkedImage),
  }
}

function listOf<T>(value: unknown, check: (item: Record<string, unknown>) => T | null): T[] {
  if (!Array.isArray(value)) return []
  return value.map((item: unknown) => check((item ?? {}) as Record<string, unknown>)).filter((item) => item !== null)
}

function checkedSource({ url, title, cited }: Record<string, unknown>): Source | null {
  return typeof url === 'string' ? { url, title: textOrNull(title), cited: cited === true } : null
}

function checkedImage({ sha256, mediaType, width, height }: Record<string, unknown>): SentImage | null {
  const [pixelsAcross, pixelsDown] = [countOrNull(width), countOrNull(height)]
  if (typeof sha256 !== 'string' || typeof mediaType !== 'string') return null
  return pixelsAcross === null || pixelsDown === null
    ? null
    : { sha256, mediaType, width: pixelsAcross, height: pixelsDown }
}

/** What a reply or a fault tells of the account's limits; null: nothing, or nothing that makes sense. */
export function checkedLimit(said: unknown): AccountLimit | null {
  if (typeof said !== 'object' || said === null) return null
  const { remaining, resetMs } = said as Record<keyof AccountLimit, unknown>
  return { remaining: finiteOrNull(remaining), resetMs: finiteOrNull(resetMs) }
}

/** What a fault says it may have cost; unknown unless it says so properly. */
export function checkedBilling(billing: unknown): Billing {
  const { kind, usage } = (billing ?? {}) as { kind?: unknown; usage?: unknown }
  if (kind === 'none') return { kind }
  return kind === 'usage' ? { kind, usage: checkedUsage(usage) } : { kind: 'unknown' }
}

function checkedUsage(usage: unknown): Usage {
  const fields = (usage ?? {}) as Record<keyof Usage, unknown>
  const names = [...Object.keys(NO_USAGE), 'searches'] as (keyof Usage)[]
  const checked = Object.fromEntries(names.map((name) => [name, countOrNull(fields[name])])) as unknown as Usage
  const parts = (checked.cachedTokens ?? 0) + (checked.cacheWriteTokens ?? 0)
  // Parts that exceed their whole are a count of something else: nothing of it can be priced.
  return checked.tokensIn !== null && parts > checked.tokensIn ? NO_USAGE : checked
}

function unreadable(message: string): ProviderFault {
  return new ProviderFault('bad_response', message, { billing: { kind: 'unknown' } })
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function countOrNull(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null
}

function finiteOrNull(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY ? value : null
}

/** More than any call costs: a figure beyond it is none. */
const MOST_USD = 1000

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MOST_USD
}
