import { describe, expect, test } from 'vitest'
import { chatFormat, COUNTED } from '../../kits/adapter-kit/chat-format.ts'
import { REFUSED, testAdapter, type AdapterSubject } from '../../kits/adapter-kit/contract.ts'
import { turnstile, useLoopback } from '../../kits/adapter-kit/loopback.ts'
import type { CallRequest, FinishReason, ModelReply, Usage } from '../../src/model/call.ts'
import { NO_USAGE } from '../../src/providers/blank-reply.ts'
import { compatibleProvider } from '../../src/providers/openai/compatible.ts'
import { createProviderSet } from '../../src/providers/provider-set.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { scriptedProvider } from '../../src/providers/scripted.ts'
import { createSimProvider } from '../../src/providers/sim/provider.ts'
import { createTesseractProvider } from '../../src/providers/tesseract/provider.ts'
import { requestOf } from '../support/gateway.ts'
import { drawForm, textAt } from './tesseract/draw-form.ts'
import { testWired, type WiredProvider } from './wire-contract.ts'
import { geminiFormat, messagesFormat, type WireFormat } from './wire-formats.ts'

const server = useLoopback()
const KEY = 'canary-key-of-vera-0017'

const NATIVE_FIRST: AdapterSubject['rungs'] = {
  auto: ['native', null],
  native: ['native', null],
  json_mode: ['json_mode', null],
}
const COACHED: AdapterSubject['rungs'] = {
  auto: ['json_mode', 'unsupported'],
  native: REFUSED,
  json_mode: ['json_mode', null],
}

const sayWord = (word: string): CallRequest => requestOf({ prompt: `Say this word: ${word}.` })
const wordIn = (prompt: string): string => /Say this word: (\w+)\./.exec(prompt)?.[1] ?? ''

interface WiredRow {
  readonly format?: WireFormat
  readonly usage?: Partial<Usage>
  readonly rungs?: AdapterSubject['rungs']
  readonly search?: WiredProvider['search']
  /** Path of its address. */
  readonly base?: string
  readonly open?: WiredProvider['open']
}

const RESPONSES_SEARCH = { tools: [{ type: 'web_search' }] }
const NO_WRITES = { cacheWriteTokens: null }

const WIRED: Readonly<Record<string, WiredRow>> = {
  openai: { search: RESPONSES_SEARCH },
  // It counts hits and misses, and bills no write.
  deepseek: {
    format: chatFormat({
      prompt_tokens: 1009,
      prompt_cache_hit_tokens: 512,
      prompt_cache_miss_tokens: 497,
      completion_tokens: 167,
      completion_tokens_details: { reasoning_tokens: 41 },
    }),
    usage: NO_WRITES,
    rungs: COACHED,
  },
  // It counts reasoning beside the completion: 126 + 41 are 167.
  xai: {
    format: chatFormat({
      prompt_tokens: 1009,
      prompt_tokens_details: { cached_tokens: 512 },
      completion_tokens: 126,
      completion_tokens_details: { reasoning_tokens: 41 },
      total_tokens: 1176,
    }),
    usage: NO_WRITES,
    search: RESPONSES_SEARCH,
  },
  openrouter: { search: { plugins: [{ id: 'web' }] } },
  deepinfra: {},
  fireworks: {},
  groq: {},
  together: {},
  mistral: {},
  ollama: {},
  vllm: {},
  lmstudio: {},
  compatible: {},
  gemini: { format: geminiFormat(), usage: NO_WRITES, search: { tools: [{ googleSearch: {} }] }, base: '' },
  anthropic: {
    format: messagesFormat(),
    usage: { searches: 0 },
    search: { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }] },
    base: '',
  },
  'our-proxy': {
    rungs: COACHED,
    open: () =>
      compatibleProvider({
        name: 'our-proxy',
        baseUrl: `${server.origin}/v1`,
        apiKey: KEY,
        price: { inputUsdPerMTok: 0.4, outputUsdPerMTok: 1.6 },
        dialect: { jsonSchema: false },
      }),
  },
}

function setAt(base: string) {
  return createProviderSet({ environment: { apiKey: () => KEY, baseUrl: () => server.origin + base } })
}

function wired(name: string, row: WiredRow): WiredProvider {
  const { format = chatFormat(), usage, rungs = NATIVE_FIRST, search = null, base = '/v1' } = row
  return {
    name,
    model: 'tiny-vision',
    open: row.open ?? (() => setAt(base).get(name)),
    usage: { ...COUNTED, ...usage },
    rungs,
    server,
    format,
    key: KEY,
    search,
  }
}

/** A script says what it likes, so everything it says has to come through. */
function scripted(): AdapterSubject {
  const ends = new Map<FinishReason, string>([
    ['stop', 'end'],
    ['length', 'cut'],
    ['content_filter', 'filtered'],
    ['refusal', 'declined'],
    ['other', 'paused'],
  ])
  const says = { servedModel: 'script-2', usage: COUNTED, reportedCostUsd: 0.25 }
  let finishReason: FinishReason = 'stop'
  let pass: (() => Promise<void>) | null = null
  let calls = 0
  const reply = async ({ request }: { request: CallRequest }): Promise<Partial<ModelReply>> => {
    calls += 1
    await pass?.()
    return { ...says, text: wordIn(request.prompt), finishReason, rawFinishReason: ends.get(finishReason) ?? null }
  }
  return {
    name: 'script',
    model: 'tiny',
    open: () => scriptedProvider({ name: 'script', reply }),
    ask: sayWord,
    says,
    ends,
    end(reason) {
      finishReason = reason
      pass = null
    },
    // A rung is what it says it is.
    rungs: { auto: [null, null], native: [null, null], json_mode: [null, null] },
    arrivals: () => calls,
    gather(count) {
      pass = turnstile(count)
    },
  }
}

/** Reads pages; one engine for all tests, since it takes a while to start. */
function local(): AdapterSubject {
  const provider = createTesseractProvider()
  return {
    name: 'local',
    model: 'tesseract',
    open: () => provider,
    ask(word) {
      const bytes = drawForm(textAt(40, 60, word, 32))
      return requestOf({ images: [{ bytes, mediaType: 'image/png', sha256: '' }] })
    },
    says: {
      servedModel: expect.stringMatching(/^tesseract\.js \d+\.\d+\.\d+ \(eng .+\)$/),
      usage: NO_USAGE,
      reportedCostUsd: 0,
    },
    // It always reads to the end, and has no word for that.
    ends: new Map([['stop', null]]),
    end: () => {},
    // Nothing enforces a schema here, but the answer is always fitted to it.
    rungs: { auto: ['json_mode', 'unsupported'], native: ['json_mode', 'unsupported'], json_mode: ['json_mode', null] },
    // Nothing leaves this machine, and nobody stands at another end.
    arrivals: () => 0,
    gather: () => {},
  }
}

/** Plays the perfect model, from a key that holds the word. */
function simulated(): AdapterSubject {
  const sim = createSimProvider()
  const call: Provider['call'] = (request, context) => {
    const answerKey = { right: wordIn(request.prompt), wrongValues: null, nonConforming: null }
    const place = { fixtureHash: '0123456789abcdef', sampleIndex: 0, step: 0, attempt: 1 }
    return sim.call(request, { ...context, rehearsal: { probeClass: 'schema', ...place, answerKey } })
  }
  return {
    name: 'sim',
    model: 'perfect',
    open: () => ({ ...sim, call }),
    ask: sayWord,
    // 22 bytes of prompt and 6 of the answer, four to a token.
    says: {
      servedModel: 'perfect',
      usage: { tokensIn: 6, tokensOut: 2, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
      reportedCostUsd: null,
    },
    ends: new Map([['stop', 'stop']]),
    end: () => {},
    rungs: NATIVE_FIRST,
    // Nothing leaves this machine, and nobody stands at another end.
    arrivals: () => 0,
    gather: () => {},
  }
}

const wiredProviders = Object.entries(WIRED).map(([name, row]) => wired(name, row))

test('every built-in provider is a subject', () => {
  const ours = wiredProviders.map(({ name }) => name).filter((name) => name !== 'our-proxy')
  expect([...ours, 'local', 'sim'].toSorted()).toEqual(setAt('/v1').names)
})

test('a set of all of them can be closed, and closed again', async () => {
  const set = setAt('/v1')
  for (const name of set.names) set.get(name)
  await expect(set.close()).resolves.toBeUndefined()
  await expect(set.close()).resolves.toBeUndefined()
})

describe.each([scripted(), simulated(), local()])('$name', (subject) => testAdapter(subject))
describe.each(wiredProviders)('$name', (provider) => testWired(provider))
