import type { Usage } from '../../model/call.ts'
import type { UsageRule } from './dialect.ts'
import { count, wire, type Wire } from '../wire.ts'

/** Ticks of xAI's `cost_in_usd_ticks` in a US dollar. */
const TICKS_PER_USD = 1e10

/** Usage of a Chat Completions body. Cached and written tokens are parts of the input here. */
export function usageFromChat(usage: Wire, rule: UsageRule = 'openai'): Usage {
  const input = wire(usage['prompt_tokens_details'])
  const tokensIn = count(usage['prompt_tokens'])
  const tokensOut = count(usage['completion_tokens'])
  const reasoningTokens = count(wire(usage['completion_tokens_details'])['reasoning_tokens'])
  return {
    tokensIn,
    tokensOut: rule === 'xai' ? xaiOutput(usage, tokensIn, tokensOut, reasoningTokens) : tokensOut,
    cachedTokens: rule === 'deepseek' ? deepseekCached(usage) : count(input['cached_tokens']),
    cacheWriteTokens: count(input['cache_write_tokens']) ?? (rule === 'openrouter' ? passedOnWrites(usage) : null),
    reasoningTokens,
  }
}

/** Usage of a Responses body. Everything is inclusive here, unless the total says otherwise of xAI's. */
export function usageFromResponses(usage: Wire, rule: UsageRule = 'openai'): Usage {
  const input = wire(usage['input_tokens_details'])
  const tokensIn = count(usage['input_tokens'])
  const tokensOut = count(usage['output_tokens'])
  const reasoningTokens = count(wire(usage['output_tokens_details'])['reasoning_tokens'])
  const whole = (tokensIn ?? 0) + (tokensOut ?? 0) + (reasoningTokens ?? 0)
  const beside = rule === 'xai' && tokensOut !== null && count(usage['total_tokens']) === whole
  return {
    tokensIn,
    tokensOut: beside ? tokensOut + (reasoningTokens ?? 0) : tokensOut,
    cachedTokens: count(input['cached_tokens']),
    cacheWriteTokens: count(input['cache_write_tokens']),
    reasoningTokens,
  }
}

/** What the provider itself says a call cost, in US dollars; null where it says nothing. */
export function reportedCost(usage: Wire, rule: UsageRule = 'openai'): number | null {
  if (rule === 'xai') {
    const ticks = count(usage['cost_in_usd_ticks'])
    return ticks === null ? null : ticks / TICKS_PER_USD
  }
  if (rule !== 'openrouter') return null
  const cost = amount(usage['cost'])
  if (cost === null || usage['is_byok'] !== true) return cost
  // With the user's own upstream key, `cost` is only the fee on top of what the upstream bills.
  const upstream = amount(wire(usage['cost_details'])['upstream_inference_cost'])
  return upstream === null ? null : cost + upstream
}

/**
 * xAI counts reasoning beside `completion_tokens` but inside `total_tokens`: 716 + 126 + 167 = 1009 in its documented
 * sample. The total decides, so that a body that counts as OpenAI does is not billed for its reasoning twice.
 */
function xaiOutput(
  usage: Wire,
  tokensIn: number | null,
  completion: number | null,
  reasoning: number | null,
): number | null {
  if (tokensIn === null || completion === null || reasoning === null) return completion
  return count(usage['total_tokens']) === tokensIn + completion ? completion : completion + reasoning
}

/**
 * DeepSeek's own figure comes first, if hits and misses add up to the input; newer bodies carry OpenAI's too. A miss is
 * no write. Two figures that differ, with no sum to settle it, are none.
 */
function deepseekCached(usage: Wire): number | null {
  const hit = count(usage['prompt_cache_hit_tokens'])
  const miss = count(usage['prompt_cache_miss_tokens'])
  const other = count(wire(usage['prompt_tokens_details'])['cached_tokens'])
  if (hit === null) return other
  if (miss !== null) return hit + miss === count(usage['prompt_tokens']) ? hit : other
  return other === null || other === hit ? hit : null
}

/** Cache writes in Anthropic's name, which OpenRouter passes on. */
function passedOnWrites(usage: Wire): number | null {
  return count(usage['cache_creation_input_tokens'])
}

function amount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}
