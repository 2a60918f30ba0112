import { expect, test } from 'vitest'
import type { Ask, CachePolicy, CallOutcome, CallRecord, Usage } from '../../src/model/call.ts'
import type { LoadedFixture } from '../../src/model/fixture.ts'
import { cachingRecipe } from '../../src/probe/recipes/caching.ts'
import { isSample } from '../../src/results/case-meta-check.ts'
import { countRate } from '../../src/stats/rate-table.ts'
import { BLANK_REPLY, NO_USAGE } from '../../src/providers/blank-reply.ts'

const FIXTURE = {
  fixture: { id: 'long', class: 'caching', domain: 'general', prompt: 'A manual. A question.' },
  id: 'long',
  class: 'caching',
  hash: '0123456789abcdef',
  image: null,
} as unknown as LoadedFixture

const POLICY: CachePolicy = { minTokens: 1000, delayMs: 0, absentIsZero: false, source: 's', asOf: '2026-01-01' }

function record(overrides: Partial<CallRecord> = {}): CallRecord {
  return {
    requestHash: 'h',
    startedAt: '2026-01-01T00:00:00.000Z',
    attempts: 1,
    latencyMs: 10,
    costUsd: 0.1,
    costUpperBoundUsd: null,
    replayed: false,
    ...overrides,
  }
}

function reply(usage: Partial<Usage>, overrides: Partial<CallRecord> = {}): CallOutcome {
  const text = { ...BLANK_REPLY, finishReason: 'stop' as const, text: 'an answer' }
  return {
    kind: 'reply',
    reply: { ...text, usage: { ...NO_USAGE, tokensOut: 5, ...usage } },
    record: record(overrides),
  }
}

interface Circumstances {
  readonly runId?: string
  readonly index?: number
  readonly cache?: CachePolicy | null
  readonly loaded?: LoadedFixture
  readonly earlierRuns?: readonly string[]
  readonly modelKey?: string
  readonly cacheDelayMs?: number | null
}

/** Takes sample 0 with these answers, one after the other; tells what was asked. */
async function take(
  answers: CallOutcome[],
  {
    runId = 'run',
    index = 0,
    cache = POLICY,
    loaded = FIXTURE,
    earlierRuns = [],
    modelKey = 'm/x',
    cacheDelayMs = null,
  }: Circumstances = {},
) {
  const asked: Ask[] = []
  const waived: Ask[] = []
  const takeSample = await cachingRecipe.prepare({
    modelKey,
    traits: { priceSource: 'x', simulated: false, nativeRung: 'enforced', answersFromKey: false, cache, earlierRuns },
    loaded,
    settings: { maxOutputTokens: 100, rung: 'auto', cacheDelayMs, runId },
    tools: {
      async ask(ask) {
        if (ask.pair === 'waived') {
          waived.push(ask)
          return { kind: 'refused', error: { code: 'NOT_JOURNALED', message: 'not made' } }
        }
        asked.push(ask)
        return answers[asked.length - 1]!
      },
      grade: async () => null,
      enforcement: () => Promise.reject(new Error('not asked for')),
      answerKey: () => Promise.reject(new Error('not asked for')),
    },
  })
  const measured = await takeSample(index)
  if (measured.kind === 'sample') expect([measured.sample, isSample(measured.sample)]).toEqual([measured.sample, true])
  return { measured, asked, waived }
}

test('a hit: the repeat is byte for byte the first call, its tokens are the measurement, both calls its cost', async () => {
  const { measured, asked } = await take([
    reply({ tokensIn: 3000, cachedTokens: 0 }),
    reply({ tokensIn: 3000, cachedTokens: 2700 }, { latencyMs: 4, costUsd: 0.025, attempts: 2 }),
  ])
  expect(asked.map(({ step }) => step)).toEqual([0, 1])
  expect(asked[1]!.request).toEqual(asked[0]!.request)
  expect(asked[0]!.request.prompt).toMatch(/^\[[0-9a-f]{24}\]\nThe lines up to the empty one /)
  expect(asked[0]!.request.cacheKey).toBe(asked[0]!.request.prompt.slice(1, 25))
  expect(measured).toMatchObject({
    kind: 'sample',
    sample: {
      scored: true,
      failureClass: null,
      cachedTokens: 2700,
      cachedShare: 0.9,
      costUsd: 0.125,
      attempts: 3,
      latencyMs: 4,
    },
  })
})

test.for<[string, number | null, number, boolean]>([
  ['more than the first call', 150, 151, true],
  ['what the first call read already', 150, 150, false],
  ['less than the first call', 150, 64, false],
  ['something, after a first call that did not say', null, 64, true],
  ['nothing, after a first call that did not say', null, 0, false],
])('a repeat that reads %s', async ([, primeCachedTokens, cachedTokens, hit]) => {
  const { measured } = await take([
    reply({ tokensIn: 3000, cachedTokens: primeCachedTokens }),
    reply({ tokensIn: 3000, cachedTokens }),
  ])
  if (measured.kind !== 'sample') throw new Error('no sample')
  expect(measured.sample).toMatchObject({ scored: true, cachedTokens, primeCachedTokens })
  expect(countRate('cacheHit', [measured.sample])).toEqual({ successes: hit ? 1 : 0, n: 1 })
})

test('how the calls were tied to a cache is told, whatever came of them', async () => {
  const marked = (usage: Partial<Usage>): CallOutcome => {
    const plain = reply(usage) as Extract<CallOutcome, { kind: 'reply' }>
    return { ...plain, reply: { ...plain.reply, cacheMarker: 'breakpoint' } }
  }
  const prime = marked({ tokensIn: 3000, cachedTokens: 0 })
  const refused = { kind: 'refused', error: { code: 'INTERRUPTED', message: 'stopped' } } as const
  for (const answers of [[prime, prime], [marked({ tokensIn: 9 })], [prime, refused]]) {
    expect((await take(answers)).measured).toMatchObject({ sample: { cacheMarker: 'breakpoint' } })
  }
})

test('a miss is scored as such', async () => {
  const { measured } = await take([
    reply({ tokensIn: 3000, cachedTokens: 0 }),
    reply({ tokensIn: 3000, cachedTokens: 0 }),
  ])
  expect(measured).toMatchObject({ sample: { scored: true, cachedTokens: 0, cachedShare: 0 } })
})

test('a prompt is filled up to half above the documented minimum, and no further than it needs', async () => {
  const answers = () => [reply({ tokensIn: 3000, cachedTokens: 3000 })]
  const promptFor = async (minTokens: number | null, prompt: string) => {
    const loaded = { ...FIXTURE, fixture: { ...FIXTURE.fixture, prompt } }
    const { asked } = await take(answers(), { cache: minTokens === null ? null : { ...POLICY, minTokens }, loaded })
    return asked[0]!.request.prompt.slice('[]\n'.length + 24)
  }
  // 1,000 tokens and a half above, at five bytes a token.
  const filled = await promptFor(1000, 'Why?')
  expect(filled).toMatch(/\n\nWhy\?$/)
  expect(filled.length).toBeGreaterThan(7500)
  expect(filled.length).toBeLessThan(7700)
  expect((await promptFor(4096, 'Why?')).length).toBeGreaterThan(4096 * 1.5 * 5)
  const long = 'word '.repeat(1500)
  expect(await promptFor(1000, long)).toBe(long)
  // Seven and a half thousand bytes, in characters of three.
  const wide = '長'.repeat(2500)
  expect(await promptFor(1000, wide)).toBe(wide)
  expect(await promptFor(null, 'Why?')).toBe('Why?')
})

test('samples, models and runs have prefixes of their own', async () => {
  const answers = () => [reply({ tokensIn: 3000, cachedTokens: 3000 })]
  const prompts = [
    (await take(answers())).asked[0]!.request.prompt,
    (await take(answers(), { index: 1 })).asked[0]!.request.prompt,
    (await take(answers(), { runId: 'other run' })).asked[0]!.request.prompt,
    (await take(answers(), { modelKey: 'm/y' })).asked[0]!.request.prompt,
    (await take(answers(), { loaded: { ...FIXTURE, hash: 'fedcba9876543210' } })).asked[0]!.request.prompt,
  ]
  expect(new Set(prompts.map((prompt) => prompt.slice(0, 2 + 24))).size).toBe(5)
})

test.for<[string, number, Circumstances]>([
  ['as long as its cache needs', 2000, { cache: { ...POLICY, delayMs: 2000 } }],
  ['as long as the run says, whatever its cache needs', 70, { cache: { ...POLICY, delayMs: 2000 }, cacheDelayMs: 70 }],
  ['not at all where the run says so', 0, { cache: { ...POLICY, delayMs: 2000 }, cacheDelayMs: 0 }],
  ['five seconds where nothing is known of its cache', 5000, { cache: null }],
])('between its two calls a sample waits %s', async ([, ms, circumstances]) => {
  const miss = reply({ tokensIn: 3000, cachedTokens: 0 })
  const { asked, waived } = await take([miss, miss], circumstances)
  expect(asked.map(({ pair, delayMs }) => [pair, delayMs])).toEqual([
    ['first', undefined],
    ['second', ms],
  ])
  expect(waived).toEqual([])
})

test('a pair from the journal is waited for by nobody', async () => {
  const miss = reply({ tokensIn: 3000, cachedTokens: 0 }, { replayed: true })
  const { asked } = await take([miss, miss], { earlierRuns: ['before'], cache: { ...POLICY, delayMs: 2000 } })
  expect(asked.map(({ replay, pair, delayMs }) => [replay, pair, delayMs])).toEqual([
    ['only', undefined, undefined],
    ['only', undefined, undefined],
  ])
})

test.for<[string, Partial<Usage>, string]>([
  ['a prefix below the minimum', { tokensIn: 900, cachedTokens: 0 }, 'cache_prefix_below_minimum'],
  ['a prefix just above it', { tokensIn: 1200, cachedTokens: 0 }, 'cache_prefix_below_minimum'],
  // 5 % of 3,000 are 150.
  [
    'a first call of which more was served from cache than every prompt shares',
    { tokensIn: 3000, cachedTokens: 151 },
    'cache_contaminated',
  ],
  ['a first call that does not say how large it is', { tokensIn: null, cachedTokens: 0 }, 'cache_not_reported'],
])('%s never buys the repeat', async ([, usage, failureClass]) => {
  const { measured, asked, waived } = await take([reply(usage)])
  expect(asked).toHaveLength(1)
  // What was held for it is free again.
  expect(waived).toMatchObject([{ step: 1, request: asked[0]!.request }])
  expect(measured).toMatchObject({
    kind: 'sample',
    refusal: null,
    sample: { scored: false, failureClass, costUsd: 0.1 },
  })
})

test('an unreported figure is not zero: the sample is not scored', async () => {
  const { measured } = await take([reply({ tokensIn: 3000 }), reply({ tokensIn: 3000 })])
  expect(measured).toMatchObject({ sample: { scored: false, failureClass: 'cache_not_reported', costUsd: 0.2 } })
})

test('where a format leaves zeros out, absent is a miss', async () => {
  const cache = { ...POLICY, absentIsZero: true }
  const { measured } = await take([reply({ tokensIn: 3000 }), reply({ tokensIn: 3000 })], { cache })
  expect(measured).toMatchObject({ sample: { scored: true, cachedTokens: 0 } })
})

test('a fault of either call is kept with everything that was paid', async () => {
  const fault = (costs: Partial<CallRecord>): CallOutcome => ({
    kind: 'fault',
    failureClass: 'timeout',
    detail: 'slow',
    record: record(costs),
  })
  const bound = { costUsd: null, costUpperBoundUsd: 0.5 }
  expect((await take([fault(bound)])).measured).toMatchObject({
    sample: { failureClass: 'timeout', costUpperBoundUsd: 0.5 },
  })
  expect((await take([reply({ tokensIn: 3000, cachedTokens: 0 }), fault(bound)])).measured).toMatchObject({
    sample: { scored: false, failureClass: 'timeout', costUsd: null, costUpperBoundUsd: 0.6 },
  })
})

test('a first call whose repeat is refused is kept, paid for and not scored', async () => {
  const error = { code: 'ENVELOPE_EXCEEDED', message: 'reached', spentUsd: 1, envelopeUsd: 1 } as const
  const { measured } = await take([reply({ tokensIn: 3000, cachedTokens: 0 }), { kind: 'refused', error }])
  expect(measured).toMatchObject({
    kind: 'sample',
    refusal: error,
    sample: { scored: false, failureClass: null, failureDetail: 'reached', costUsd: 0.1 },
  })
})

test('a repeat that was cut or refused by the model still shows its cache', async () => {
  const cut = reply({ tokensIn: 3000, cachedTokens: 2700 }) as Extract<CallOutcome, { kind: 'reply' }>
  const { measured } = await take([
    reply({ tokensIn: 3000, cachedTokens: 0 }),
    { ...cut, reply: { ...cut.reply, finishReason: 'length' } },
  ])
  expect(measured).toMatchObject({
    sample: { scored: true, parseOk: false, failureClass: 'truncated', cachedTokens: 2700 },
  })
})
