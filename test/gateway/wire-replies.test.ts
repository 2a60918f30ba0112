import { expect, test } from 'vitest'
import type { Ask } from '../../src/model/call.ts'
import type { LoadedFixture } from '../../src/model/fixture.ts'
import { parseModelKey } from '../../src/model/model-key.ts'
import { proveEnforcement } from '../../src/probe/enforcement.ts'
import { Grader, type GraderJob } from '../../src/probe/grader.ts'
import { recipeOf } from '../../src/probe/recipes/index.ts'
import type { RecipeTools } from '../../src/probe/recipes/recipe.ts'
import { createProviderSet } from '../../src/providers/provider-set.ts'
import { isSample } from '../../src/results/case-meta-check.ts'
import { SETUP_FAILURES } from '../../src/model/sample.ts'
import { gatewayOf } from '../support/gateway.ts'
import { HASTE, hastyClock } from '../support/hasty-clock.ts'
import { answered, rawServer } from '../support/raw-server.ts'
import { enforcedSchema, instanceOf } from '../support/schema-instance.ts'
import { ANTHROPIC } from './wire-replies/anthropic.ts'
import { CACHING } from './wire-replies/caching.ts'
import { GEMINI } from './wire-replies/gemini.ts'
import { GROUNDING } from './wire-replies/grounding.ts'
import { HOSTS } from './wire-replies/hosts.ts'
import { chat, OPENAI_CHAT } from './wire-replies/openai-chat.ts'
import { RESPONSES } from './wire-replies/responses.ts'
import { PRICE, type WireRow } from './wire-replies/row.ts'
import { TRANSPORT } from './wire-replies/transport.ts'

const SCHEMA = {
  type: 'object',
  properties: { total: { type: 'number' } },
  required: ['total'],
  additionalProperties: false,
}
const grader = new Grader()

function fixtureOf(probeClass: NonNullable<WireRow['probeClass']>, prompt = 'What is the total?'): LoadedFixture {
  const asked = { id: 'a', class: probeClass, domain: 'finance', prompt }
  const fixture = probeClass === 'schema' ? { ...asked, schema: SCHEMA, expectedValues: { total: 7 } } : asked
  const metadata = { family: 'probe-suite', difficulty: 'standard', subtype: null, image: null, file: null } as const
  return { ...asked, ...metadata, fixture, hash: '0123456789abcdef' }
}

/** Takes samples of a row's model against a server that sends the row's replies: recipe, gateway, adapter and SDK are real. */
async function measure({ model, probeClass = 'schema', prompt, replies, ignoresSchemas = false }: WireRow) {
  let next = 0
  const server = await rawServer(({ body }) => {
    const wanted = enforcedSchema(body)
    // Whatever else is asked for is free.
    if (wanted !== null && JSON.stringify(wanted) !== JSON.stringify(SCHEMA)) {
      const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
      const content = ignoresSchemas ? 'As you like.' : JSON.stringify(instanceOf(wanted))
      return answered(chat({ content }, 'stop', { usage }))
    }
    return replies![Math.min(next++, replies!.length - 1)]!
  })
  if (replies === null) server.close()
  const { provider } = parseModelKey(model)
  const base = ['gemini', 'deepseek', 'anthropic'].includes(provider) ? server.url : `${server.url}/v1`
  const credentials = { apiKey: () => 'sk-wire-replies', baseUrl: () => base }
  const waitsForEver = replies?.some((reply) => reply === 'silent' || reply === 'stalled')
  const { gateway } = gatewayOf([], {
    providers: createProviderSet({ environment: credentials }),
    prices: { [model]: PRICE },
    timeoutMs: (waitsForEver ? 0.2 : 60) * 1000 * HASTE,
    clock: hastyClock,
  })
  const settings = { maxOutputTokens: 1000, rung: 'auto', cacheDelayMs: 0, runId: 'run' } as const
  const ask = (one: Ask) => gateway.ask(one)
  const grade = (job: GraderJob) => grader.grade(job)
  const tools: RecipeTools = {
    ask,
    grade,
    enforcement: (modelKey) => proveEnforcement(modelKey, { ...settings, probeClass }, { ask, grade }),
    answerKey: async () => null,
  }
  const traits = { ...gateway.facts(model).traits, earlierRuns: [] }
  const loaded = fixtureOf(probeClass, prompt)
  return recipeOf(probeClass).prepare({ modelKey: model, traits, loaded, settings, tools })
}

const rows = [...OPENAI_CHAT, ...RESPONSES, ...GEMINI, ...ANTHROPIC, ...HOSTS, ...CACHING, ...GROUNDING, ...TRANSPORT]

test.for(rows)('$model: $name', async (row) => {
  const take = await measure(row)
  const measured = await take(0)
  if (measured.kind === 'missing') throw new Error(measured.refusal.message)
  const { sample } = measured
  const { costUsd } = sample
  const { usd, ...verdict } = row.verdict
  expect(sample).toMatchObject({ ...verdict, costUsd: usd })
  // Unknown spend is spend: each attempt may have written all of its 1,000 tokens.
  if (costUsd === null) expect(sample.costUpperBoundUsd).toBeGreaterThan(sample.attempts * 0.01)
  else expect(sample).not.toHaveProperty('costUpperBoundUsd')
  // What lies in a result file passes its schema.
  expect([sample, isSample(sample)]).toEqual([sample, true])
  // A fault of the set-up stops the model's run; no other does.
  const stops = (SETUP_FAILURES as readonly unknown[]).includes(sample.failureClass)
  if (stops) expect(await take(1)).toMatchObject({ kind: 'missing', refusal: { code: 'SETUP_FAILED' } })
})
