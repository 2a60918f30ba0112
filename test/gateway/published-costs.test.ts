import { expect, test } from 'vitest'
import { createProviderSet } from '../../src/providers/provider-set.ts'
import { askFor, gatewayOf, requestOf } from '../support/gateway.ts'
import { hastyClock } from '../support/hasty-clock.ts'
import { answered, rawServer } from '../support/raw-server.ts'
import { messageBody, responsesBody } from '../support/search-bodies.ts'

const chat = (usage: object) => ({
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'yes' } }],
  usage,
})
const generated = (usageMetadata: object, groundingMetadata?: object, modelVersion?: string) => ({
  candidates: [{ content: { role: 'model', parts: [{ text: 'yes' }] }, finishReason: 'STOP', groundingMetadata }],
  usageMetadata,
  modelVersion,
})
const QUERIES = { webSearchQueries: ['rain in Oslo', 'rain in Bergen'] }

interface Bill {
  readonly name: string
  readonly model: string
  readonly search?: true
  readonly body: unknown
  /** In nano-dollars: a price of $1 a million tokens is 1,000 of them a token. */
  readonly nano: number
}

// Prices in US dollars per million tokens, as published and as the bundled list has them.
const BILLS: readonly Bill[] = [
  // gpt-5.6: input 4, cached 0.40, written to the cache 5, output 20; reasoning is part of the output.
  // 7,540 in: 2,048 cached, 5,000 written, 492 plain; 300 out, 260 of them reasoning.
  // 492 x 4 + 2,048 x 0.40 + 5,000 x 5 + 300 x 20 = 1,968 + 819.2 + 25,000 + 6,000 = 33,787.2
  {
    name: 'cached, written and reasoning tokens inside their totals',
    model: 'openai/gpt-5.6',
    body: chat({
      prompt_tokens: 7540,
      completion_tokens: 300,
      total_tokens: 7840,
      prompt_tokens_details: { cached_tokens: 2048, cache_write_tokens: 5000 },
      completion_tokens_details: { reasoning_tokens: 260 },
    }),
    nano: 33_787_200,
  },
  // gpt-5.6 above 271,999 tokens of input: input 8, cached 0.80, output 30.
  // 300,000 in, 200,000 of them cached; 10 out. 100,000 x 8 + 200,000 x 0.80 + 10 x 30 = 960,300
  {
    name: 'a prompt above the length where every token costs more',
    model: 'openai/gpt-5.6',
    body: chat({ prompt_tokens: 300_000, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 200_000 } }),
    nano: 960_300_000,
  },
  // gpt-5.2: input 1.75, cached 0.175, output 14. 2,787 in, 2,560 of them cached; 411 out, 384 of them reasoning.
  // 227 x 1.75 + 2,560 x 0.175 + 411 x 14 = 397.25 + 448 + 5,754 = 6,599.25
  {
    name: 'cached and reasoning tokens inside their totals',
    model: 'openai/gpt-5.2',
    body: chat({
      prompt_tokens: 2787,
      completion_tokens: 411,
      prompt_tokens_details: { cached_tokens: 2560 },
      completion_tokens_details: { reasoning_tokens: 384 },
    }),
    nano: 6_599_250,
  },
  // gpt-5.2, Responses, a thousand searches 10. 9,000 in, 1,000 of them cached; 200 out; 2 searches.
  // 8,000 x 1.75 + 1,000 x 0.175 + 200 x 14 = 16,975, and 2 x 0.01 dollars
  {
    name: 'searches on top of tokens',
    model: 'openai/gpt-5.2',
    search: true,
    body: responsesBody(2, { input_tokens: 9000, output_tokens: 200, input_tokens_details: { cached_tokens: 1000 } }),
    nano: 16_975_000 + 20_000_000,
  },
  // claude-haiku-4-5: input 1, cache read 0.10, cache write 1.25, output 5; the tiers of the input stand side by side.
  // 21 plain, 12,304 written, 40 out: 21 x 1 + 12,304 x 1.25 + 40 x 5 = 21 + 15,380 + 200 = 15,601
  {
    name: 'a first call, which writes the cache',
    model: 'anthropic/claude-haiku-4-5',
    body: messageBody({
      input_tokens: 21,
      cache_creation_input_tokens: 12_304,
      cache_read_input_tokens: 0,
      output_tokens: 40,
    }),
    nano: 15_601_000,
  },
  // 21 plain, 12,304 read, 40 out: 21 x 1 + 12,304 x 0.10 + 40 x 5 = 21 + 1,230.4 + 200 = 1,451.4
  {
    name: 'its repeat, which reads the cache',
    model: 'anthropic/claude-haiku-4-5',
    body: messageBody({
      input_tokens: 21,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 12_304,
      output_tokens: 40,
    }),
    nano: 1_451_400,
  },
  // claude-sonnet-4-5 below 200,000 tokens: input 3, cache read 0.30, cache write 3.75, output 15 with the thinking in it.
  // 100 plain, 2,000 written, 5,000 read, 900 out: 300 + 7,500 + 1,500 + 13,500 = 22,800
  {
    name: 'all tiers at once, thinking inside the output',
    model: 'anthropic/claude-sonnet-4-5',
    body: messageBody({
      input_tokens: 100,
      cache_creation_input_tokens: 2000,
      cache_read_input_tokens: 5000,
      output_tokens: 900,
      output_tokens_details: { thinking_tokens: 850 },
    }),
    nano: 22_800_000,
  },
  // gemini-2.5-flash: input 0.30, cached 0.03, output 2.50; thoughts stand beside the candidates.
  // 5,000 in, 4,070 of them cached; 8 + 190 out: 930 x 0.30 + 4,070 x 0.03 + 198 x 2.50 = 279 + 122.1 + 495 = 896.1
  {
    name: 'thoughts beside the answer, cached tokens inside the prompt',
    model: 'gemini/gemini-2.5-flash',
    body: generated({
      promptTokenCount: 5000,
      cachedContentTokenCount: 4070,
      candidatesTokenCount: 8,
      thoughtsTokenCount: 190,
      totalTokenCount: 5198,
    }),
    nano: 896_100,
  },
  // A grounded prompt costs 35 a thousand up to 2.5, whatever the queries: 1,000 x 0.30 + 10 x 2.50 and 0.035 dollars.
  {
    name: 'a grounded prompt, billed as one',
    model: 'gemini/gemini-2.5-flash',
    search: true,
    body: generated({ promptTokenCount: 1000, candidatesTokenCount: 10 }, QUERIES, 'gemini-2.5-flash'),
    nano: 325_000 + 35_000_000,
  },
  // gemini-3.5-flash: input 1.50, output 9, a thousand queries 14. 1,000 x 1.50 + 10 x 9, and 2 x 0.014 dollars
  {
    name: 'each query of a grounded prompt',
    model: 'gemini/gemini-3.5-flash',
    search: true,
    body: generated({ promptTokenCount: 1000, candidatesTokenCount: 10 }, QUERIES, 'gemini-3.5-flash'),
    nano: 1_590_000 + 28_000_000,
  },
  // grok-4: input 3, cached 0.75, output 15; reasoning stands beside the completion: 716 + 126 + 167 = 1,009.
  // 716 in, 256 of them cached; 126 + 167 out: 460 x 3 + 256 x 0.75 + 293 x 15 = 1,380 + 192 + 4,395 = 5,967
  {
    name: 'reasoning beside the completion',
    model: 'xai/grok-4',
    body: chat({
      prompt_tokens: 716,
      completion_tokens: 126,
      total_tokens: 1009,
      prompt_tokens_details: { cached_tokens: 256 },
      completion_tokens_details: { reasoning_tokens: 167 },
    }),
    nano: 5_967_000,
  },
  // The same with a bill of its own: 12,345,678 ticks of 1e-10 dollars, to the nearest nano-dollar.
  {
    name: 'a bill that the provider itself sends',
    model: 'xai/grok-4',
    body: chat({ prompt_tokens: 716, completion_tokens: 126, total_tokens: 842, cost_in_usd_ticks: 12_345_678 }),
    nano: 1_234_568,
  },
  // deepseek-chat at its dearest hour: input 0.27, hit 0.07, output 1.10; a miss is plain input and no write.
  // 2,688 hit, 121 missed, 50 out: 121 x 0.27 + 2,688 x 0.07 + 50 x 1.10 = 32.67 + 188.16 + 55 = 275.83
  {
    name: 'hits and misses',
    model: 'deepseek/deepseek-chat',
    body: chat({
      prompt_tokens: 2809,
      completion_tokens: 50,
      total_tokens: 2859,
      prompt_cache_hit_tokens: 2688,
      prompt_cache_miss_tokens: 121,
    }),
    nano: 275_830,
  },
  // deepseek-reasoner: input 0.55, hit 0.14, output 2.19 with the reasoning in it.
  // 640 hit, 60 missed, 1,000 out: 60 x 0.55 + 640 x 0.14 + 1,000 x 2.19 = 33 + 89.6 + 2,190 = 2,312.6
  {
    name: 'reasoning inside the completion',
    model: 'deepseek/deepseek-reasoner',
    body: chat({
      prompt_tokens: 700,
      completion_tokens: 1000,
      total_tokens: 1700,
      prompt_cache_hit_tokens: 640,
      prompt_cache_miss_tokens: 60,
      completion_tokens_details: { reasoning_tokens: 900 },
    }),
    nano: 2_312_600,
  },
]

test.for(BILLS)('$model: $name', async ({ model, search = false, body, nano }) => {
  const server = await rawServer(() => answered(body))
  const environment = { apiKey: () => 'sk-published-costs', baseUrl: () => server.url }
  const providers = createProviderSet({ environment })
  const { gateway } = gatewayOf([], { providers, clock: hastyClock, timeoutMs: 60_000_000 })
  const request = requestOf({ search })
  const outcome = await gateway.ask(askFor('a', 0, { modelKey: model, request }))
  expect(outcome).toMatchObject({ kind: 'reply', record: { costUsd: nano / 1e9, costUpperBoundUsd: null } })
  expect(await gateway.traits(model, 'image')).toMatchObject({ traits: { priceSource: '@pydantic/genai-prices' } })
  expect(gateway.spentUsd(model)).toBe(nano / 1e9)
})
