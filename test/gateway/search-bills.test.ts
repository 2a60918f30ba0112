import { expect, test } from 'vitest'
import { worstCase } from '../../src/gateway/money/price.ts'
import { createProviderSet } from '../../src/providers/provider-set.ts'
import { askFor, gatewayOf, requestOf } from '../support/gateway.ts'
import { hastyClock } from '../support/hasty-clock.ts'
import { answered, rawServer } from '../support/raw-server.ts'
import { messageBody, responsesBody } from '../support/search-bodies.ts'

const SEARCH = requestOf({ search: true })

const responses = (searches: number) => responsesBody(searches, { input_tokens: 9000, output_tokens: 200 })
const message = (searches: number) =>
  messageBody({ input_tokens: 9000, output_tokens: 200, server_tool_use: { web_search_requests: searches } })
const generated = (modelVersion: string, searches: number) => ({
  candidates: [
    {
      content: { role: 'model', parts: [{ text: 'yes' }] },
      finishReason: 'STOP',
      ...(searches > 0 && {
        groundingMetadata: { webSearchQueries: Array.from({ length: searches }, (_, index) => `query ${index}`) },
      }),
    },
  ],
  usageMetadata: { promptTokenCount: 9000, candidatesTokenCount: 200 },
  modelVersion,
})
const chat = (usage: object) => ({
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'yes' } }],
  usage: { prompt_tokens: 9000, completion_tokens: 200, ...usage },
})

/** A gateway for a model whose tokens cost nothing, so that what is left is what searches cost. */
function gatewayAt(model: string, address = 'http://127.0.0.1:9') {
  const environment = { apiKey: () => 'sk-search-bills', baseUrl: () => address }
  const prices = { [model]: { inputUsdPerMTok: 0, outputUsdPerMTok: 0 } }
  const providers = createProviderSet({ environment })
  const { gateway } = gatewayOf([], { providers, prices, clock: hastyClock, timeoutMs: 60_000_000 })
  return gateway
}

async function billOf(model: string, body: unknown) {
  const server = await rawServer(() => answered(body))
  const gateway = gatewayAt(model, server.url)
  const outcome = await gateway.ask(askFor('a', 0, { modelKey: model, request: SEARCH }))
  if (outcome.kind !== 'reply') throw new Error(JSON.stringify(outcome))
  expect(gateway.spentUsd(model)).toBe(outcome.record.costUsd ?? outcome.record.costUpperBoundUsd)
  return outcome.record
}

/** Model, a reply after three searches, their price in US dollars, the most that one call can be billed. */
test.for<[string, unknown, number, number]>([
  ['openai/gpt-5.2', responses(3), 0.03, 0.1],
  ['xai/grok-4', responses(3), 0.015, 0.05],
  ['anthropic/claude-haiku-4-5', message(3), 0.03, 0.05],
  // A grounded prompt is one bill, whatever it looked up.
  ['gemini/gemini-2.5-flash', generated('gemini-2.5-flash', 3), 0.035, 0.035],
  ['gemini/gemini-2.0-flash', generated('gemini-2.0-flash', 3), 0.035, 0.035],
  ['gemini/gemini-3.5-flash', generated('gemini-3.5-flash', 3), 0.042, 0.14],
])('searches of %s are held for and billed', async ([model, body, usd, mostUsd]) => {
  expect(worstCase(gatewayAt(model).facts(model).pricing, SEARCH) / 1e9).toBe(mostUsd)
  expect(await billOf(model, body)).toMatchObject({ costUsd: usd, costUpperBoundUsd: null })
})

test.for<[string, unknown]>([
  ['openai/gpt-5.2', responses(0)],
  ['xai/grok-4', responses(0)],
  ['anthropic/claude-haiku-4-5', message(0)],
  ['gemini/gemini-2.5-flash', generated('gemini-2.5-flash', 0)],
])('an answer of %s without a search costs none', async ([model, body]) => {
  expect(await billOf(model, body)).toMatchObject({ costUsd: 0 })
})

test('searches of openrouter/any are held for, and billed as it says itself', async () => {
  const model = 'openrouter/any/model'
  // Five results at $4 a thousand; how many searches there were it does not tell.
  const held = worstCase(gatewayAt(model).facts(model).pricing, SEARCH) / 1e9
  expect(held).toBeGreaterThanOrEqual(0.02)
  expect(await billOf(model, chat({ cost: 0.0234 }))).toMatchObject({ costUsd: 0.0234 })
  expect(await billOf(model, chat({}))).toMatchObject({ costUsd: null, costUpperBoundUsd: held })
})

test('a call without a search holds nothing for one', () => {
  for (const model of ['openai/gpt-5.2', 'xai/grok-4', 'openrouter/any/model', 'gemini/gemini-2.5-flash']) {
    expect(worstCase(gatewayAt(model).facts(model).pricing, requestOf())).toBe(0)
  }
})
