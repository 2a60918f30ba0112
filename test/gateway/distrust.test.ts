import type { CallOutcome } from '../../src/model/call.ts'
import { expect, test } from 'vitest'
import { redactor } from '../../src/gateway/redact.ts'
import { FREE, ProviderFault } from '../../src/providers/provider.ts'
import { scriptedProvider } from '../../src/providers/scripted.ts'
import { askFor, CENT, gatewayOf } from '../support/gateway.ts'

const unbilled = { billing: { kind: 'none' } } as const

test.for<[string, object]>([
  ['negative cost', { reportedCostUsd: -1 }],
  ['NaN cost', { reportedCostUsd: Number.NaN }],
  ['infinite cost', { reportedCostUsd: Number.POSITIVE_INFINITY }],
  ['negative counts', { usage: { tokensIn: -5, tokensOut: -5 } }],
  ['fractions of tokens', { usage: { tokensIn: 1.5, tokensOut: 1 } }],
  ['more cached than read', { usage: { tokensIn: 10, tokensOut: 1, cachedTokens: 4_000_000 } }],
  ['counts as bigint', { usage: { tokensIn: 10n, tokensOut: 1n } }],
  ['no usage', { usage: undefined }],
])('figures that make no sense are settled at the worst case: %s', async ([, part]) => {
  const provider = scriptedProvider({
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 1 },
    reply: () => ({ text: 'x', ...part }) as never,
  })
  const { gateway, clock } = gatewayOf([provider])
  // 11 bytes of prompt, 1,024 tokens around it, 100 of output, at a millionth of a dollar.
  expect(await clock.runUntil(gateway.ask(askFor('a', 0)))).toMatchObject({
    kind: 'reply',
    record: { costUsd: null, costUpperBoundUsd: 0.001135 },
  })
})

test.for<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a text that is none', { text: 5 }],
  ['no text', {}],
])('a reply that is %s is unreadable and may have been paid for', async ([, reply]) => {
  const provider = { ...scriptedProvider({ reply: () => 'x' }), price: () => CENT, call: async () => reply as never }
  const { gateway, clock } = gatewayOf([provider])
  expect(await clock.runUntil(gateway.ask(askFor('a', 0)))).toMatchObject({
    kind: 'fault',
    failureClass: 'bad_response',
    record: { costUsd: null, costUpperBoundUsd: 0.04 },
  })
})

test.for<[string, unknown, number]>([
  ['an object without a text', Object.create(null), 0.04],
  ['undefined', undefined, 0.04],
  [
    'a fault without billing',
    Object.assign(new ProviderFault('network', 'cut', unbilled), { billing: undefined }),
    0.08,
  ],
])('a provider that throws %s, at once or later, costs its sample and nothing else', async ([, thrown, bound]) => {
  for (const call of [
    () => {
      throw thrown
    },
    () => Promise.reject(thrown as Error),
  ]) {
    const provider = { ...scriptedProvider({ reply: () => 'x' }), price: () => CENT, call }
    const { gateway, clock, journal } = gatewayOf([provider])
    const outcome = await clock.runUntil(gateway.ask(askFor('a', 0)))
    expect(outcome).toMatchObject({ kind: 'fault', record: { costUsd: null, costUpperBoundUsd: bound } })
    expect(journal.entries).toHaveLength(1)
  }
})

test('what a reply carries beyond its type does not travel', async () => {
  const extra = { text: 'x', finishReason: 'constructor', rung: 'other', servedModel: 7, more: () => 'a function' }
  const { gateway, clock } = gatewayOf([scriptedProvider({ reply: () => extra as never })])
  const outcome = await clock.runUntil(gateway.ask(askFor('a', 0)))
  expect(structuredClone(outcome)).toEqual(outcome)
  expect(outcome).toMatchObject({ reply: { finishReason: 'other', rung: null, servedModel: null } })
  expect(outcome).not.toHaveProperty('reply.more')
})

const IMAGE = { bytes: new Uint8Array([1]), mediaType: 'image/png', sha256: 'ab' }

test.for<[string, (ask: Record<string, unknown>) => unknown]>([
  ['null', () => null],
  ['no request', (ask) => ({ ...ask, request: undefined })],
  ['a class that leaves its folder', (ask) => ({ ...ask, probeClass: '/../../pwned' })],
  ['a fixture id that is none', (ask) => ({ ...ask, fixtureId: '../x' })],
  ['no run', (ask) => ({ ...ask, runId: undefined })],
  ['a run that is a path', (ask) => ({ ...ask, runId: '../x' })],
  ['a delay without end', (ask) => ({ ...ask, delayMs: 1e9 })],
  ['a negative delay', (ask) => ({ ...ask, delayMs: -1 })],
  [
    'a heap of images',
    (ask) => ({ ...ask, request: { ...(ask['request'] as object), images: Array.from({ length: 17 }, () => IMAGE) } }),
  ],
  ['a negative index', (ask) => ({ ...ask, sampleIndex: -1 })],
  ['an endless index', (ask) => ({ ...ask, sampleIndex: 1e9 })],
  ['a prompt in parts', (ask) => ({ ...ask, request: { ...(ask['request'] as object), prompt: [{ type: 'text' }] } })],
  ['a negative limit', (ask) => ({ ...ask, request: { ...(ask['request'] as object), maxOutputTokens: -1e13 } })],
  ['no limit', (ask) => ({ ...ask, request: { ...(ask['request'] as object), maxOutputTokens: null } })],
  ['images that are none', (ask) => ({ ...ask, request: { ...(ask['request'] as object), images: ['x'] } })],
])('a forged ask is refused and nothing is sent: %s', async ([, forge]) => {
  let calls = 0
  const { gateway, clock } = gatewayOf([scriptedProvider({ reply: () => (calls++, 'x') })])
  const ask = forge(askFor('a', 0) as unknown as Record<string, unknown>)
  expect(await clock.runUntil(gateway.ask(ask as never))).toMatchObject({ kind: 'refused' })
  expect(calls).toBe(0)
})

test('models that the user did not choose are called only if they cost nothing', async () => {
  const paid = scriptedProvider({ name: 'paid', price: CENT, reply: () => 'x' })
  const free = scriptedProvider({ name: 'free', reply: () => 'x' })
  const { gateway, clock } = gatewayOf([paid, free], { models: new Set(['paid/chosen']) })
  const kindOf = async (modelKey: string) => (await clock.runUntil(gateway.ask(askFor('a', 0, { modelKey })))).kind
  expect([await kindOf('paid/chosen'), await kindOf('free/any'), await kindOf('paid/other')]).toEqual([
    'reply',
    'reply',
    'refused',
  ])
  expect(() => gateway.facts('paid/other')).toThrow(expect.objectContaining({ code: 'MODEL_NOT_CHOSEN' }))
})

test.for<[string, unknown]>([
  ['negative', { inputUsdPerMTok: 1, outputUsdPerMTok: 1, perCallUsd: -0.01 }],
  ['NaN', { inputUsdPerMTok: Number.NaN, outputUsdPerMTok: 1 }],
  ['a text', { inputUsdPerMTok: '1', outputUsdPerMTok: 1 }],
  ['incomplete', {}],
])('a price that is %s is refused', ([, price]) => {
  const provider = { ...scriptedProvider({ reply: () => 'x' }), price: () => price as never }
  const { gateway } = gatewayOf([provider])
  expect(() => gateway.facts('scripted/x')).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }))
})

test('where one model of a server has a price, its others are not free', () => {
  const own = { ...scriptedProvider({ name: 'near', reply: () => 'x' }), price: () => FREE, simulated: false }
  const prices = { 'near/chosen': { inputUsdPerMTok: 1, outputUsdPerMTok: 1 } }
  const { gateway } = gatewayOf([own], { prices, models: new Set(['near/chosen']) })
  expect(gateway.facts('near/chosen').pricing.paid).toBe(true)
  expect(() => gateway.facts('near/dear')).toThrow(expect.objectContaining({ code: 'PRICE_MISSING' }))
  expect(gatewayOf([own]).gateway.facts('near/dear').pricing.paid).toBe(false)
})

test('a key that a provider echoes, in a reply or an error, is taken out before anything is kept', async () => {
  const provider = scriptedProvider({
    reply({ index }) {
      if (index === 1) throw new ProviderFault('auth', 'wrong key sk-canary-1', unbilled)
      return { text: 'you sent sk-canary-1', servedModel: 'sk-canary-1', rawFinishReason: 'sk-canary-1' }
    },
  })
  const redact = redactor(['sk-canary-1'])
  const { gateway, clock, journal } = gatewayOf([provider], { redact, concurrency: 1 })
  const outcomes = await clock.runUntil(Promise.all([0, 1, 2].map((index) => gateway.ask(askFor('a', index)))))
  expect(JSON.stringify([outcomes, journal.entries])).not.toContain('canary')
  expect(outcomes[0]).toMatchObject({ reply: { text: 'you sent [redacted]' } })
})

test.for([
  ['in an address', (key: string) => encodeURIComponent(key)],
  ['in JSON', (key: string) => JSON.stringify(key).slice(1, -1)],
  ['in base64', (key: string) => Buffer.from(`${key}`).toString('base64')],
] as const)('a key is taken out as it stands %s too', async ([, form]) => {
  const key = 'sk-canary/"1"+é'
  const provider = scriptedProvider({ reply: () => `told: ${form(key)}` })
  const { gateway, clock } = gatewayOf([provider], { redact: redactor([key]) })
  const outcome = await clock.runUntil(gateway.ask(askFor('a', 0)))
  expect(outcome).toMatchObject({ reply: { text: expect.stringMatching(/^told: \[redacted\]=*$/) } })
})

test('the answer key of an ask reaches providers that answer from it alone, and never the journal or the hash', async () => {
  const answerKey = { right: 'secret-right', wrongValues: null, nonConforming: null }
  const seen: unknown[] = []
  const real = scriptedProvider({ name: 'real', reply: (call) => (seen.push(call), 'x') })
  const simulated = {
    ...scriptedProvider({ name: 'played', reply: (call) => (seen.push(call), 'x') }),
    answersFromKey: true,
  }
  const { gateway, clock, journal } = gatewayOf([real, simulated])
  const ask = (modelKey: string) => clock.runUntil(gateway.ask(askFor('a', 3, { modelKey, answerKey })))
  const withKey = await ask('real/x')
  const without = await clock.runUntil(gateway.ask(askFor('a', 3, { modelKey: 'real/x' })))
  expect(JSON.stringify(seen)).not.toContain('secret-right')
  expect(withKey).toMatchObject({ kind: 'reply', record: { requestHash: hashOf(without) } })
  await ask('played/x')
  expect(seen.at(-1)).toMatchObject({
    rehearsal: { fixtureHash: '0123456789abcdef', sampleIndex: 3, step: 0, attempt: 1, answerKey },
  })
  expect(JSON.stringify(journal.entries)).not.toContain('secret-right')
})

test.for([5, {}, { right: 1, wrongValues: null, nonConforming: null }])('%j is no answer key', async (answerKey) => {
  const { gateway, clock } = gatewayOf([scriptedProvider({ reply: () => 'x' })])
  const outcome = await clock.runUntil(gateway.ask(askFor('a', 0, { answerKey: answerKey as never })))
  expect(outcome).toMatchObject({ kind: 'refused', error: { code: 'OPTION_INVALID' } })
})

test('traits are told without a call, and of a model that cannot be used the reason', async () => {
  const policy = { minTokens: 5, delayMs: 1, absentIsZero: false, source: 's', asOf: '2026-01-01' }
  const provider = {
    ...scriptedProvider({ reply: () => 'x' }),
    cachePolicy: () => policy,
    nativeRung: 'unproven',
  } as const
  const { gateway } = gatewayOf([provider])
  const traits = {
    priceSource: 'scripted',
    simulated: true,
    nativeRung: 'unproven',
    answersFromKey: false,
    cache: policy,
    earlierRuns: [],
  }
  expect(await gateway.traits('scripted/x', 'schema')).toEqual({ kind: 'traits', traits })
  expect(await gateway.traits('scripted/x', 'no class')).toEqual({ kind: 'traits', traits })
  const told = await Promise.all([gateway.traits('nobody/x', 'schema'), gateway.traits({}, {})])
  expect(told).toMatchObject([{ error: { code: 'PROVIDER_UNKNOWN' } }, { error: { code: 'MODEL_KEY_INVALID' } }])
})

function hashOf(outcome: CallOutcome): string | null {
  return outcome.kind === 'reply' ? outcome.record.requestHash : null
}

test('a source that repeats a key is told without it, and stays what it was', async () => {
  const sources = [
    { url: 'https://a.test/?k=sk-canary-1', title: 'Page of sk-canary-1', cited: true },
    { url: 'https://b.test/', title: null, cited: false },
  ]
  const provider = scriptedProvider({ reply: () => ({ text: 'x', searched: true, sources }) })
  const { gateway, clock } = gatewayOf([provider], { redact: redactor(['sk-canary-1']) })
  expect(await clock.runUntil(gateway.ask(askFor('a', 0)))).toMatchObject({
    reply: {
      sources: [
        { url: 'https://a.test/?k=[redacted]', title: 'Page of [redacted]', cited: true },
        { url: 'https://b.test/', title: null, cited: false },
      ],
    },
  })
})
