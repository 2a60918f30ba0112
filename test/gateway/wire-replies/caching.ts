import { answered, type WireReply } from '../../support/raw-server.ts'
import { chat, refused } from './openai-chat.ts'
import { answer, broken, modelFailed, type Verdict, type WireRow } from './row.ts'

const OPENAI = 'openai/gpt-5.2'
const ANTHROPIC = 'anthropic/claude-haiku-4-5'
const GEMINI = 'gemini/gemini-2.5-flash'
const DEEPSEEK = 'deepseek/deepseek-chat'

/** Ten tokens of answer, 100 of the millionths of a dollar below. */
const OUT = 10

function said(usage: object, finish = 'stop'): WireReply {
  return answered(chat({ content: 'Yes.' }, finish, { usage: { completion_tokens: OUT, ...usage } }))
}
/** @param cached null: not reported. */
const counted = (prompt_tokens: number, cached: number | null, finish?: string): WireReply =>
  said({ prompt_tokens, ...(cached !== null && { prompt_tokens_details: { cached_tokens: cached } }) }, finish)
const tiers = (input_tokens: number, written: number, read: number): WireReply =>
  answered({
    type: 'message',
    role: 'assistant',
    model: 'm-1',
    content: [{ type: 'text', text: 'Yes.' }],
    stop_reason: 'end_turn',
    usage: {
      input_tokens,
      cache_creation_input_tokens: written,
      cache_read_input_tokens: read,
      output_tokens: OUT,
    },
  })
const generated = (usage: object): WireReply =>
  answered({
    candidates: [{ content: { parts: [{ text: 'Yes.' }] }, finishReason: 'STOP' }],
    usageMetadata: { candidatesTokenCount: OUT, ...usage },
  })
const hits = (hit: number, miss: number): WireReply =>
  said({ prompt_tokens: hit + miss, prompt_cache_hit_tokens: hit, prompt_cache_miss_tokens: miss })

/** Answers that show nothing of the cache. */
const ineligible = (failureClass: Verdict['failureClass'], usd: number | null, attempts: number): Verdict => ({
  ...answer(usd, attempts),
  scored: false,
  failureClass,
})

type Row = readonly [string, string, readonly WireReply[], Verdict]

const rows: readonly Row[] = [
  // 2,000 + 100, then 208 + 1,792 x 0.1 + 100
  [
    OPENAI,
    'a hit',
    [counted(2000, 0), counted(2000, 1792)],
    { ...answer(0.0025872, 2), cachedTokens: 1792, cacheMarker: 'key' },
  ],
  // 1,904 + 96 x 0.1 + 100, then 208 + 1,792 x 0.1 + 100
  [
    OPENAI,
    'a hit after a first call that met the cache of the template alone',
    [counted(2000, 96), counted(2000, 1792)],
    { ...answer(0.0025008, 2), cachedTokens: 1792, primeCachedTokens: 96 },
  ],
  [OPENAI, 'a miss', [counted(2000, 0)], { ...answer(0.0042, 2), cachedTokens: 0 }],
  [
    OPENAI,
    'a hit whose answer was cut: the model failed, its cache did not',
    [counted(2000, 0), counted(2000, 1792, 'length')],
    { ...modelFailed('truncated', 0.0025872), attempts: 2, cachedTokens: 1792 },
  ],
  [OPENAI, 'no figure at all, which is not zero', [counted(2000, null)], ineligible('cache_not_reported', 0.0042, 2)],
  [
    OPENAI,
    'a prompt near the minimum: the repeat is not bought',
    [counted(1200, 0)],
    ineligible('cache_prefix_below_minimum', 0.0013, 1),
  ],
  // 1,872 + 128 x 0.1 + 100
  [
    OPENAI,
    'a first call that was served from a cache',
    [counted(2000, 128)],
    ineligible('cache_contaminated', 0.0019848, 1),
  ],
  [
    OPENAI,
    'a first call that does not tell its size, at its bound',
    [said({ prompt_tokens_details: { cached_tokens: 0 } })],
    ineligible('cache_not_reported', null, 1),
  ],
  [
    OPENAI,
    'a repeat that never came: the first call is paid all the same',
    [counted(2000, 0), refused(500, { message: 'Oops.' })],
    broken('server_error', 0.0021, 9),
  ],
  // 3 + 12,304 x 2 + 100, then 3 + 12,304 x 0.1 + 100
  [
    ANTHROPIC,
    'a plain input of three tokens beside what was written is a long prompt',
    [tiers(3, 12_304, 0), tiers(3, 0, 12_304)],
    { ...answer(0.0260444, 2), cachedTokens: 12_304, cacheMarker: 'breakpoint' },
  ],
  [ANTHROPIC, 'written once more instead of read', [tiers(3, 12_304, 0)], { ...answer(0.049422, 2), cachedTokens: 0 }],
  // Twice 6,000 + 100
  [
    GEMINI,
    'a miss, where zeros are left out',
    [generated({ promptTokenCount: 6000 })],
    { ...answer(0.0122, 2), cachedTokens: 0, cacheMarker: 'automatic' },
  ],
  // 6,000 + 100, then 1,930 + 4,070 x 0.1 + 100
  [
    GEMINI,
    'a hit of a part',
    [generated({ promptTokenCount: 6000 }), generated({ promptTokenCount: 6000, cachedContentTokenCount: 4070 })],
    { ...answer(0.008537, 2), cachedTokens: 4070 },
  ],
  // 900 + 100, then 68 + 832 x 0.1 + 100
  [
    DEEPSEEK,
    'hits in its own words',
    [hits(0, 900), hits(832, 68)],
    { ...answer(0.0012512, 2), cachedTokens: 832, cacheMarker: 'automatic' },
  ],
  [
    'openrouter/anthropic/claude-haiku-4.5',
    'a breakpoint behind a gateway',
    [counted(2000, 0), counted(2000, 1792)],
    { ...answer(0.0025872, 2), cacheMarker: 'breakpoint' },
  ],
  [
    'groq/llama-4',
    'a host that is sent nothing and documents nothing',
    [counted(2000, 0)],
    { ...answer(0.0042, 2), cacheMarker: null },
  ],
]

export const CACHING: readonly WireRow[] = rows.map(([model, name, replies, verdict]) => ({
  name,
  model,
  probeClass: 'caching',
  replies,
  verdict,
}))
