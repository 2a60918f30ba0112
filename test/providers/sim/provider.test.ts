import { expect, test } from 'vitest'
import type { AnswerKey, CallRequest, ModelReply } from '../../../src/model/call.ts'
import { ProviderFault, type Rehearsal } from '../../../src/providers/provider.ts'
import { SIM_PROFILES } from '../../../src/providers/sim/profiles.ts'
import { createSimProvider } from '../../../src/providers/sim/provider.ts'
import { requestOf } from '../../support/gateway.ts'

const KEY: AnswerKey = { right: '{"a":1}', wrongValues: '{"a":2}', nonConforming: '{"b":1}' }
const STRUCTURED = requestOf({ answerSchema: { type: 'object' } })
const N = 4000

const BASE = { probeClass: 'schema', fixtureHash: '0123456789abcdef', step: 0, attempt: 1, answerKey: KEY } as const
/** Longer than any simulated reply takes. */
const DEADLINE_MS = 2000

/** What N calls of a model come to: a reply each, or its fault. */
async function outcomesOf(
  profile: string,
  request: CallRequest,
  about: Partial<Rehearsal> = {},
): Promise<(ModelReply | ProviderFault)[]> {
  const sim = createSimProvider()
  // Past the last call: the process that would be killed is this one.
  const model = profile === 'crash' ? `crash:${N + 1}` : profile
  const signal = AbortSignal.timeout(DEADLINE_MS)
  const calls = Array.from({ length: N }, (_, sampleIndex) =>
    sim
      .call(request, { model, signal, rehearsal: { ...BASE, sampleIndex, ...about } })
      .catch((fault: ProviderFault) => fault),
  )
  return Promise.all(calls)
}

/** The same with the classes of faults alone. */
async function samplesOf(...asked: Parameters<typeof outcomesOf>): Promise<(ModelReply | string)[]> {
  const outcomes = await outcomesOf(...asked)
  return outcomes.map((outcome) => (outcome instanceof ProviderFault ? outcome.failureClass : outcome))
}

/** Whether token counts can be what they say. */
function possible({ usage: { tokensIn, tokensOut, cachedTokens } }: ModelReply): boolean {
  if (tokensIn === null || tokensOut === null || cachedTokens === null) return false
  return tokensIn > 0 && tokensOut >= 0 && cachedTokens >= 0 && cachedTokens <= tokensIn
}

/** Share of samples for which something holds, with four standard errors of a share around it. */
function shareOf<T>(
  samples: readonly T[],
  holds: (sample: T, index: number) => boolean,
): { rate: number; within: number } {
  const rate = samples.filter(holds).length / samples.length
  return { rate, within: 4 * Math.sqrt(Math.max(rate * (1 - rate), 1e-9) / samples.length) }
}

function expectRate(share: { rate: number; within: number }, declared: number): void {
  expect(Math.abs(share.rate - declared)).toBeLessThanOrEqual(share.within)
}

const textOf = (sample: ModelReply | string): string => (typeof sample === 'string' ? '' : sample.text)
const conforms = (text: string): boolean => text === KEY.right || text === KEY.wrongValues
const parses = (sample: ModelReply | string): boolean =>
  typeof sample !== 'string' && sample.finishReason === 'stop' && Object.values(KEY).includes(sample.text)

const ANSWERING = Object.entries(SIM_PROFILES).filter(([name]) => name !== 'outage')

test.for(ANSWERING)('%s has the true rates it declares', async ([name, profile]) => {
  const structured = (await samplesOf(name, STRUCTURED)).filter((sample) => typeof sample !== 'string')
  const texts = structured.map(textOf)
  expectRate(shareOf(structured, parses), profile.parse)
  expectRate(shareOf(texts, conforms), profile.conform)
  expectRate(
    shareOf(texts.filter(conforms), (text) => text === KEY.right),
    profile.values,
  )

  const search = requestOf({ search: true })
  const lookedUp = (await samplesOf(name, search, { probeClass: 'grounding', answerKey: null })) as ModelReply[]
  const replies = lookedUp.filter((sample) => typeof sample !== 'string')
  expectRate(
    shareOf(replies, ({ searched, sources }) => searched && sources.length > 0),
    profile.grounded,
  )

  const caching = requestOf({ prompt: 'word '.repeat(2000), cacheKey: 'k' })
  const repeats = (await samplesOf(name, caching, { probeClass: 'caching', step: 1 })).filter(
    (one) => typeof one !== 'string',
  )
  expectRate(
    shareOf(repeats, (one) => !possible(one)),
    profile.miscounted,
  )
  expectRate(
    shareOf(repeats.filter(possible), ({ usage }) => (usage.cachedTokens ?? 0) > 0),
    profile.cacheHit,
  )
})

/** What a fault is at a real provider: its class, what may have been billed, and whether another attempt can help. */
const AS_AT_PROVIDERS = {
  rate_limited: ['rate_limited', 'none'],
  overloaded: ['overloaded', 'none'],
  server_error: ['server_error', 'none'],
  reset: ['network', 'unknown'],
  hang: ['timeout', 'unknown'],
  cut_body: ['bad_response', 'unknown'],
} as const

test.for(Object.entries(SIM_PROFILES))(
  'faults of %s come as often as declared',
  async ([name, { faults, retryAfterS }]) => {
    const outcomes = await outcomesOf(name, STRUCTURED)
    const met = outcomes.filter((outcome) => outcome instanceof ProviderFault)
    for (const [fault, share] of Object.entries(faults)) {
      const [failureClass, billing] = AS_AT_PROVIDERS[fault as keyof typeof AS_AT_PROVIDERS]
      const own = outcomes.map((outcome) => outcome instanceof ProviderFault && outcome.failureClass === failureClass)
      expectRate(
        shareOf(own, (one) => one),
        share,
      )
      const first = met.find((one) => one.failureClass === failureClass)
      const told = fault === 'rate_limited' || fault === 'overloaded'
      const retryAfterMs = told && retryAfterS !== null ? retryAfterS * 1000 : null
      expect(first).toMatchObject({ billing: { kind: billing }, retryable: true, retryAfterMs })
    }
    const declared = new Set(
      Object.keys(faults).map((fault) => AS_AT_PROVIDERS[fault as keyof typeof AS_AT_PROVIDERS][0]),
    )
    expect(new Set(met.map(({ failureClass }) => failureClass))).toEqual(declared)
  },
)

test('another attempt has its own chance', async () => {
  const first = await samplesOf('flaky', STRUCTURED)
  const second = await samplesOf('flaky', STRUCTURED, { attempt: 2 })
  const faulty = first.flatMap((sample, index) => (typeof sample === 'string' ? [second[index]] : []))
  expect(faulty.some((sample) => typeof sample !== 'string')).toBe(true)
  // A sample that is answered says the same whichever attempt got through.
  const both = first.flatMap((sample, index) =>
    typeof sample === 'string' || typeof second[index] === 'string' ? [] : [[sample, second[index]]],
  )
  expect(both.length).toBeGreaterThan(N / 2)
  for (const [one, other] of both) expect(other).toEqual(one)
})

test('a first call is never served from cache', async () => {
  const caching = requestOf({ prompt: 'word '.repeat(2000), cacheKey: 'k' })
  const primes = (await samplesOf('perfect', caching, { probeClass: 'caching' })) as ModelReply[]
  expect(new Set(primes.map(({ usage }) => usage.cachedTokens))).toEqual(new Set([0]))
})

test('tokens are counted: four bytes each, a thousand an image', async () => {
  const image = { bytes: new Uint8Array([1]), mediaType: 'image/png', sha256: 'x' } as const
  const request = requestOf({ prompt: 'ééé!!', answerSchema: { type: 'object' }, images: [image] })
  const [reply] = (await samplesOf('perfect', request)) as ModelReply[]
  // 8 bytes of prompt and 17 of {"type":"object"}; 7 of the answer.
  expect(reply!.usage).toMatchObject({ tokensIn: 7 + 1000, tokensOut: 2, cachedTokens: 0 })
})

test.for([
  ['auto', 'native'],
  ['native', 'native'],
  ['json_mode', 'json_mode'],
] as const)('asked on %s it answers on %s', async ([rung, served]) => {
  const [reply] = (await samplesOf('perfect', { ...STRUCTURED, rung })) as ModelReply[]
  expect(reply).toMatchObject({ rung: served, rungFallback: null, text: KEY.right, servedModel: 'perfect' })
})

test('without a key of its own kind of wrong answer, the right one is given', async () => {
  const only = { right: '{"a":1}', wrongValues: null, nonConforming: null }
  const texts = (await samplesOf('careless', STRUCTURED, { answerKey: only })).map(textOf)
  const right = shareOf(texts, (text) => text === only.right)
  expectRate(right, SIM_PROFILES['careless']!.parse)
})

test('what it says of an answer’s end goes with the answer', async () => {
  const replies = (await samplesOf('careless', STRUCTURED)) as ModelReply[]
  const ends = (holds: (text: string) => boolean) =>
    new Set(replies.filter(({ text }) => holds(text)).map((reply) => `${reply.finishReason} ${reply.rawFinishReason}`))
  // One answer in ten does not parse, in five ways: about eighty of each.
  expect(ends((text) => text === 'I cannot help with that.')).toEqual(new Set(['refusal refusal']))
  expect(ends((text) => text === '{"a"')).toEqual(new Set(['length length']))
  expect(ends(conforms)).toEqual(new Set(['stop stop']))
  expect(ends((text) => text === '')).toEqual(new Set(['stop stop']))
})

test.for<[string, Partial<Rehearsal>]>([
  ['class', { probeClass: 'image' }],
  ['fixture', { fixtureHash: 'fedcba9876543210' }],
  ['step', { step: 1 }],
])('a call of another %s has chances of its own', async ([, about]) => {
  const one = (await samplesOf('careless', STRUCTURED)).map(textOf)
  const other = (await samplesOf('careless', STRUCTURED, about)).map(textOf)
  // Right 0.42, wrong 0.28, not conforming 0.2, each unreadable way 0.02: two that are apart agree on 0.3 of all.
  const agree = 0.42 ** 2 + 0.28 ** 2 + 0.2 ** 2 + 5 * 0.02 ** 2
  expectRate(
    shareOf(one, (text, index) => text === other[index]),
    agree,
  )
})

test('an abort ends the wait at no cost', async () => {
  const rehearsal = {
    probeClass: 'schema',
    fixtureHash: 'h',
    sampleIndex: 0,
    step: 0,
    attempt: 1,
    answerKey: KEY,
  } as const
  const call = createSimProvider().call(STRUCTURED, { model: 'steady', signal: AbortSignal.abort(), rehearsal })
  await expect(call).rejects.toMatchObject({ failureClass: 'timeout', billing: { kind: 'none' } })
})

test('an answer that is cut claims to be whole', async () => {
  const cut = (await samplesOf('garbled', STRUCTURED)).filter((one) => typeof one !== 'string' && one.text === '{"a"')
  expect(cut.length).toBeGreaterThan(100)
  for (const one of cut) expect(one).toMatchObject({ finishReason: 'stop' })
})

test('counts that cannot be are of three kinds', async () => {
  const replies = (await samplesOf('miscounted', STRUCTURED)) as ModelReply[]
  const kinds = replies
    .filter((reply) => !possible(reply))
    .map(({ usage: { tokensIn, cachedTokens } }) =>
      tokensIn === null ? 'absent' : tokensIn < 0 ? 'negative' : cachedTokens! > tokensIn ? 'cached beyond input' : '',
    )
  expect(new Set(kinds)).toEqual(new Set(['absent', 'negative', 'cached beyond input']))
})

test.for([
  ['crash', /needs the call at which the process is killed, as in crash:20/],
  ['crash:0', /needs the call at which/],
  ['crashes:3', /there is no simulated model "crashes:3"; there are steady, .*; did you mean crash\?$/],
  ['nothing-like-it', /there is no simulated model "nothing-like-it"; .* as in steady:7$/],
] as const)('sim/%s is no model', ([model, objection]) => {
  expect(createSimProvider().rejectModel!(model)).toMatch(objection)
  expect(createSimProvider().rejectModel!('crash:1')).toBe(null)
})
