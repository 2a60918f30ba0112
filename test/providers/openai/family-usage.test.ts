import { expect, test } from 'vitest'
import { callTo, json } from '../../support/wire-server.ts'
import { chat, hostAt, useChatServer, type HostName } from './chat-server.ts'

const server = useChatServer()

/** Tokens in, out, cached, written, reasoning, and the cost that the host tells. */
type Counted = readonly [number | null, number | null, number | null, number | null, number | null, number | null]

/** Usage as OpenAI reports it, with all of its parts. */
const OPENAI = {
  prompt_tokens: 7540,
  completion_tokens: 210,
  total_tokens: 7750,
  prompt_tokens_details: { cached_tokens: 5120, cache_write_tokens: 2300 },
  completion_tokens_details: { reasoning_tokens: 190 },
}
/** What another host counts is no figure of this one. */
const OTHERS = { cost: 3, is_byok: false, cost_in_usd_ticks: 5e9, prompt_cache_hit_tokens: 77 }

const XAI = {
  prompt_tokens: 716,
  completion_tokens: 126,
  total_tokens: 1009,
  prompt_tokens_details: { cached_tokens: 512 },
  completion_tokens_details: { reasoning_tokens: 167 },
}
const DEEPSEEK = { prompt_tokens: 2809, completion_tokens: 40, total_tokens: 2849 }
const HITS = { prompt_cache_hit_tokens: 2688, prompt_cache_miss_tokens: 121 }
const cached = (cached_tokens: number) => ({ prompt_tokens_details: { cached_tokens } })

test.for<readonly [title: string, host: HostName, usage: object, counted: Counted]>([
  ['cached, written and reasoning tokens are inside', 'openai', OPENAI, [7540, 210, 5120, 2300, 190, null]],
  ['no details: not reported', 'openai', { prompt_tokens: 9, completion_tokens: 2 }, [9, 2, null, null, null, null]],
  ['figures of others', 'openai', { ...OPENAI, ...OTHERS }, [7540, 210, 5120, 2300, 190, null]],
  ['figures of others', 'deepinfra', { ...OPENAI, ...OTHERS }, [7540, 210, 5120, 2300, 190, null]],
  ['figures of others', 'fireworks', { ...OPENAI, ...OTHERS }, [7540, 210, 5120, 2300, 190, null]],
  ['figures of others', 'groq', { ...OPENAI, ...OTHERS }, [7540, 210, 5120, 2300, 190, null]],
  ['figures of others', 'together', { ...OPENAI, ...OTHERS }, [7540, 210, 5120, 2300, 190, null]],
  ['figures of others', 'mistral', { ...OPENAI, ...OTHERS }, [7540, 210, 5120, 2300, 190, null]],

  ['reasoning is beside the completion', 'xai', XAI, [716, 293, 512, null, 167, null]],
  ['no total: beside it still', 'xai', { ...XAI, total_tokens: undefined }, [716, 293, 512, null, 167, null]],
  ['a total that holds it inside', 'xai', { ...XAI, total_tokens: 842 }, [716, 126, 512, null, 167, null]],
  ['no reasoning told', 'xai', { ...XAI, completion_tokens_details: null }, [716, 126, 512, null, null, null]],
  ['cost in ticks', 'xai', { ...XAI, cost_in_usd_ticks: 12_345_678 }, [716, 293, 512, null, 167, 0.0012345678]],
  ['no ticks: a cost of nothing', 'xai', { ...XAI, cost_in_usd_ticks: 0 }, [716, 293, 512, null, 167, 0]],
  ['broken ticks', 'xai', { ...XAI, cost_in_usd_ticks: '12' }, [716, 293, 512, null, 167, null]],
  ['the cost of others', 'xai', { ...XAI, cost: 3 }, [716, 293, 512, null, 167, null]],

  ['hits alone, as older bodies have them', 'deepseek', { ...DEEPSEEK, ...HITS }, [2809, 40, 2688, null, null, null]],
  ['hits and cached agree', 'deepseek', { ...DEEPSEEK, ...HITS, ...cached(2688) }, [2809, 40, 2688, null, null, null]],
  ['hits that add up win', 'deepseek', { ...DEEPSEEK, ...HITS, ...cached(2600) }, [2809, 40, 2688, null, null, null]],
  [
    'hits that do not add up lose',
    'deepseek',
    { ...DEEPSEEK, ...HITS, prompt_cache_miss_tokens: 120, ...cached(2624) },
    [2809, 40, 2624, null, null, null],
  ],
  [
    'hits that do not add up, alone',
    'deepseek',
    { ...DEEPSEEK, prompt_cache_hit_tokens: 2688, prompt_cache_miss_tokens: 0 },
    [2809, 40, null, null, null, null],
  ],
  [
    'two figures, nothing to settle it',
    'deepseek',
    { ...DEEPSEEK, prompt_cache_hit_tokens: 2688, ...cached(64) },
    [2809, 40, null, null, null, null],
  ],
  ['cached alone', 'deepseek', { ...DEEPSEEK, ...cached(2624) }, [2809, 40, 2624, null, null, null]],
  [
    'no hit is a figure too',
    'deepseek',
    { ...DEEPSEEK, prompt_cache_hit_tokens: 0, prompt_cache_miss_tokens: 2809 },
    [2809, 40, 0, null, null, null],
  ],

  ['its cost', 'openrouter', { ...OPENAI, cost: 0.0042 }, [7540, 210, 5120, 2300, 190, 0.0042]],
  ['a free model', 'openrouter', { ...OPENAI, cost: 0 }, [7540, 210, 5120, 2300, 190, 0]],
  ['no cost', 'openrouter', { ...OPENAI }, [7540, 210, 5120, 2300, 190, null]],
  ['a cost below nothing', 'openrouter', { ...OPENAI, cost: -1 }, [7540, 210, 5120, 2300, 190, null]],
  [
    'an own upstream key: what the upstream bills comes on top',
    'openrouter',
    { ...OPENAI, cost: 0.25, is_byok: true, cost_details: { upstream_inference_cost: 0.5 } },
    [7540, 210, 5120, 2300, 190, 0.75],
  ],
  [
    'an own upstream key, its bill unknown',
    'openrouter',
    { ...OPENAI, cost: 0.25, is_byok: true },
    [7540, 210, 5120, 2300, 190, null],
  ],
  [
    'the upstream’s bill is inside without one',
    'openrouter',
    { ...OPENAI, cost: 0.75, is_byok: false, cost_details: { upstream_inference_cost: 0.5 } },
    [7540, 210, 5120, 2300, 190, 0.75],
  ],
  [
    'writes in Anthropic’s name',
    'openrouter',
    { ...DEEPSEEK, cache_creation_input_tokens: 1200, ...cached(0) },
    [2809, 40, 0, 1200, null, null],
  ],
  [
    'writes in Anthropic’s name mean nothing elsewhere',
    'openai',
    { ...DEEPSEEK, cache_creation_input_tokens: 1200 },
    [2809, 40, null, null, null, null],
  ],
])('$1: $0', async ([, host, usage, [tokensIn, tokensOut, cachedTokens, cacheWriteTokens, reasoningTokens, cost]]) => {
  server.answer([json(chat({ content: 'hi' }, { usage }))])
  const reply = await callTo(hostAt(host))
  expect(reply.usage).toEqual({ tokensIn, tokensOut, cachedTokens, cacheWriteTokens, reasoningTokens })
  expect(reply.reportedCostUsd).toBe(cost)
})
