import { expect, test } from 'vitest'
import type { JournalEntry } from '../../src/gateway/journal/journal-entry.ts'
import { ProbeError } from '../../src/model/errors.ts'
import { ProviderFault } from '../../src/providers/provider.ts'
import { scriptedProvider } from '../../src/providers/scripted.ts'
import { askFor, CENT, gatewayOf } from '../support/gateway.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const unbilled = { billing: { kind: 'none' } } as const

test('no more calls are open than the bound, and no fewer when there is work', async () => {
  const clock = new VirtualClock()
  let open = 0
  const seen: number[] = []
  const provider = scriptedProvider({
    async reply() {
      seen.push(++open)
      await clock.sleep(10)
      open -= 1
      return 'x'
    },
  })
  const { gateway } = gatewayOf([provider], { concurrency: 3, clock })
  await clock.runUntil(Promise.all([0, 1, 2, 3, 4, 5, 6].map((index) => gateway.ask(askFor('a', index)))))
  expect(Math.max(...seen)).toBe(3)
  expect(clock.now()).toBe(30)
})

test('models of one provider share its slots; a provider’s own bound holds', async () => {
  const clock = new VirtualClock()
  const provider = {
    ...scriptedProvider({ reply: () => clock.sleep(10).then(() => 'x') }),
    maxConcurrency: 1,
  }
  const { gateway } = gatewayOf([provider], { concurrency: 50, clock })
  const asks = ['scripted/one', 'scripted/two'].map((modelKey) => gateway.ask(askFor('a', 0, { modelKey })))
  await clock.runUntil(Promise.all(asks))
  expect(clock.now()).toBe(20)
})

test.for([1, 3])('models of one provider take turns, at %i at once', async (concurrency) => {
  const clock = new VirtualClock()
  const order: string[] = []
  const provider = scriptedProvider({
    async reply({ model }) {
      order.push(model)
      await clock.sleep(10)
      return 'x'
    },
  })
  const { gateway } = gatewayOf([provider], { concurrency, clock })
  const asks = ['a', 'b'].flatMap((model) =>
    [0, 1, 2, 3, 4, 5].map((index) => gateway.ask(askFor('f', index, { modelKey: `scripted/${model}` }))),
  )
  await clock.runUntil(Promise.all(asks))
  // After the first slots neither model is ever more than a round of slots ahead.
  const lead = order.map((_, at) => order.slice(0, at + 1).reduce((sum, model) => sum + (model === 'a' ? 1 : -1), 0))
  expect(Math.max(...lead.map(Math.abs))).toBeLessThanOrEqual(concurrency + 1)
})

test('a fault that time can heal is tried again after a growing pause, eight times in all', async () => {
  const times: number[] = []
  const clock = new VirtualClock(() => 0.5)
  const provider = scriptedProvider({
    reply() {
      times.push(clock.now())
      throw new ProviderFault('overloaded', 'busy', unbilled)
    },
  })
  const { gateway } = gatewayOf([provider], { clock })
  const outcome = await clock.runUntil(gateway.ask(askFor('a', 0)))
  // Half of 1, 2, 4, 8, 16, 30 and 30 seconds, one after the other.
  expect(times).toEqual([0, 500, 1500, 3500, 7500, 15_500, 30_500, 45_500])
  expect(outcome).toMatchObject({ kind: 'fault', failureClass: 'overloaded', record: { attempts: 8, costUsd: 0 } })
})

test('a provider’s own pause is kept; one beyond a minute is not waited for', async () => {
  const clock = new VirtualClock()
  const answers = [12_000, 61_000]
  const provider = scriptedProvider({
    reply({ index }) {
      throw new ProviderFault('rate_limited', 'wait', { ...unbilled, retryAfterMs: answers[index]! })
    },
  })
  const { gateway } = gatewayOf([provider], { clock })
  const outcome = await clock.runUntil(gateway.ask(askFor('a', 0)))
  expect(clock.now()).toBe(12_000)
  expect(outcome).toMatchObject({ kind: 'fault', record: { attempts: 2 } })
})

test('what would only fail again is not tried again', async () => {
  const provider = scriptedProvider({
    reply: () => {
      throw new ProviderFault('bad_response', 'bad request', { ...unbilled, retryable: false })
    },
  })
  const { gateway, clock } = gatewayOf([provider])
  expect(await clock.runUntil(gateway.ask(askFor('a', 0)))).toMatchObject({ record: { attempts: 1 } })
})

test('an error that no adapter has classified is an unreadable reply that may have been paid for', async () => {
  const provider = scriptedProvider({
    price: CENT,
    reply: () => {
      throw new TypeError('undefined is not a function')
    },
  })
  const { gateway, clock } = gatewayOf([provider])
  expect(await clock.runUntil(gateway.ask(askFor('a', 0)))).toMatchObject({
    kind: 'fault',
    failureClass: 'bad_response',
    detail: 'undefined is not a function',
    record: { attempts: 4, costUsd: null, costUpperBoundUsd: 0.04 },
  })
})

test('a fault of the set-up stops the model at once, and only that model', async () => {
  const provider = scriptedProvider({
    reply({ model }) {
      if (model === 'locked') throw new ProviderFault('auth', 'wrong key', unbilled)
      return 'x'
    },
  })
  const { gateway, clock } = gatewayOf([provider], { concurrency: 1 })
  const locked = { modelKey: 'scripted/locked' }
  const [first, second, other] = await clock.runUntil(
    Promise.all([
      gateway.ask(askFor('a', 0, locked)),
      gateway.ask(askFor('a', 1, locked)),
      gateway.ask(askFor('a', 0)),
    ]),
  )
  expect(first).toMatchObject({ kind: 'fault', failureClass: 'auth', record: { attempts: 1 } })
  expect(second).toMatchObject({ kind: 'refused', error: { code: 'SETUP_FAILED' } })
  expect(second).toHaveProperty('error.message', expect.stringContaining('wrong key'))
  expect(other).toMatchObject({ kind: 'reply' })
})

test('an interrupted gateway finishes what is in flight, retries nothing and sends nothing new', async () => {
  const clock = new VirtualClock()
  const provider = scriptedProvider({
    async reply({ index }) {
      await clock.sleep(100)
      if (index === 1) throw new ProviderFault('overloaded', 'busy', unbilled)
      return 'x'
    },
  })
  const { gateway } = gatewayOf([provider], { concurrency: 2, clock })
  const asks = [0, 1, 2].map((index) => gateway.ask(askFor('a', index)))
  clock.after(50, () => gateway.interrupt())
  const [done, failed, waiting] = await clock.runUntil(Promise.all(asks))
  expect(done).toMatchObject({ kind: 'reply' })
  expect(failed).toMatchObject({ kind: 'fault', failureClass: 'overloaded', record: { attempts: 1 } })
  expect(waiting).toMatchObject({ kind: 'refused', error: { code: 'INTERRUPTED' } })
  expect(await gateway.ask(askFor('b', 0))).toMatchObject({ kind: 'refused', error: { code: 'INTERRUPTED' } })
  expect(clock.now()).toBe(100)
})

test('after an interruption a watched run can go on; a set-up fault still stops it', async () => {
  const provider = scriptedProvider({
    reply({ model }) {
      if (model === 'locked') throw new ProviderFault('auth', 'wrong key', unbilled)
      return 'x'
    },
  })
  const { gateway, clock } = gatewayOf([provider])
  const locked = { modelKey: 'scripted/locked' }
  await clock.runUntil(Promise.all([gateway.ask(askFor('a', 0)), gateway.ask(askFor('a', 0, locked))]))
  gateway.interrupt()
  gateway.resume()
  expect(await clock.runUntil(gateway.ask(askFor('a', 1)))).toMatchObject({ kind: 'reply' })
  expect(await clock.runUntil(gateway.ask(askFor('a', 1, locked)))).toMatchObject({ error: { code: 'SETUP_FAILED' } })
})

test('a gateway that is ended stays so, whatever begins afterwards', async () => {
  const { gateway } = gatewayOf([scriptedProvider({ reply: () => 'x' })])
  gateway.end()
  gateway.resume()
  expect(await gateway.ask(askFor('a', 0))).toMatchObject({ kind: 'refused', error: { code: 'INTERRUPTED' } })
})

test('what nobody waits for any more is not sent', async () => {
  const clock = new VirtualClock()
  let calls = 0
  const provider = scriptedProvider({ reply: () => clock.sleep(10).then(() => `answer ${++calls}`) })
  const { gateway } = gatewayOf([provider], { concurrency: 1, clock })
  const gone = new AbortController()
  const abandoned = [0, 1, 2].map((index) => gateway.ask(askFor('a', index), gone.signal))
  const other = gateway.ask(askFor('b', 3))
  clock.after(5, () => gone.abort())
  const outcomes = await clock.runUntil(Promise.all([...abandoned, other]))
  expect(outcomes.map(({ kind }) => kind)).toEqual(['reply', 'refused', 'refused', 'reply'])
  expect(calls).toBe(2)
})

test('closing waits for calls in flight and journals them', async () => {
  const clock = new VirtualClock()
  const provider = scriptedProvider({ price: CENT, reply: () => clock.sleep(10).then(() => 'x') })
  const { gateway, journal } = gatewayOf([provider], { concurrency: 1, clock })
  const asks = [0, 1].map((index) => gateway.ask(askFor('a', index)))
  clock.after(5, () => undefined)
  await clock.runUntil(clock.sleep(5))
  await clock.runUntil(gateway.close())
  expect(journal.entries).toHaveLength(1)
  expect((await Promise.all(asks)).map(({ kind }) => kind)).toEqual(['reply', 'refused'])
})

test('a call whose retry waits when the run is interrupted keeps its fault', async () => {
  const clock = new VirtualClock()
  const provider = scriptedProvider({
    reply: () => {
      throw new ProviderFault('rate_limited', 'slow down', { ...unbilled, retryAfterMs: 10_000 })
    },
  })
  const { gateway, journal } = gatewayOf([provider], { clock })
  const ask = gateway.ask(askFor('a', 0))
  clock.after(5000, () => gateway.interrupt())
  expect(await clock.runUntil(ask)).toMatchObject({
    kind: 'fault',
    failureClass: 'rate_limited',
    refusal: { code: 'INTERRUPTED' },
    record: { attempts: 1 },
  })
  // Nor does anything come of it when its time would have come.
  await clock.runUntil(clock.sleep(20_000))
  expect(journal.entries).toHaveLength(1)
})

test('an answer is in the journal before anybody has it', async () => {
  const provider = scriptedProvider({ price: CENT, reply: () => 'the answer' })
  const written: string[] = []
  const journal = {
    appendAtOnce() {},
    async append(entry: { readonly outcome: { readonly kind: string } }) {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
      written.push(entry.outcome.kind)
    },
    async close() {},
  }
  const { gateway, clock } = gatewayOf([provider], { journal })
  const outcome = gateway.ask(askFor('a', 3)).then(({ kind }) => [kind, ...written])
  expect(await clock.runUntil(outcome)).toEqual(['reply', 'reply'])
})

test('when the journal cannot be written, the answer in hand is kept and nothing more is bought', async () => {
  let calls = 0
  const provider = scriptedProvider({ price: CENT, reply: () => (calls++, 'x') })
  const journal = {
    appendAtOnce() {},
    append: () => Promise.reject(new ProbeError('JOURNAL_UNWRITABLE', 'disk full')),
    async close() {},
  }
  const { gateway, clock } = gatewayOf([provider], { journal, concurrency: 1 })
  const [first, second] = await clock.runUntil(Promise.all([0, 1].map((index) => gateway.ask(askFor('a', index)))))
  expect(first).toMatchObject({ kind: 'reply' })
  expect(second).toMatchObject({ kind: 'refused', error: { code: 'JOURNAL_UNWRITABLE' } })
  expect(calls).toBe(1)
})

test('who leaves at once leaves written down what was answered and what is in flight', async () => {
  const clock = new VirtualClock()
  const provider = scriptedProvider({
    price: CENT,
    reply: ({ index }) => (index < 2 ? 'x' : clock.sleep(1e9).then(() => 'late')),
  })
  const written: JournalEntry[] = []
  const journal = {
    append: () => new Promise<void>(() => {}),
    appendAtOnce: (entry: JournalEntry) => void written.push(entry),
    async close() {},
  }
  const { gateway } = gatewayOf([provider], { journal, clock })
  for (const index of [0, 1, 2]) void gateway.ask(askFor('a', index))
  await clock.runUntil(clock.sleep(10))
  gateway.abandon()
  expect(written.map(({ sampleIndex, outcome: { kind, record } }) => [sampleIndex, kind, record.costUsd])).toEqual([
    [0, 'reply', 0.01],
    [1, 'reply', 0.01],
    [2, 'fault', null],
  ])
  expect(written[2]!.outcome.record.costUpperBoundUsd).toBe(0.01)
})

test('a journal entry says whose answer it is and rebuilds it', async () => {
  const { gateway, clock, journal } = gatewayOf([scriptedProvider({ price: CENT, reply: () => 'the answer' })])
  const outcome = await clock.runUntil(gateway.ask(askFor('a', 3)))
  expect(journal.entries).toEqual([
    {
      v: 1,
      runId: 'run',
      modelKey: 'scripted/model',
      probeClass: 'image',
      fixtureId: 'a',
      fixtureHash: '0123456789abcdef',
      sampleIndex: 3,
      step: 0,
      outcome,
    },
  ])
  expect(outcome).toMatchObject({
    reply: { text: 'the answer', servedModel: 'model' },
    record: { replayed: false, startedAt: '1970-01-01T00:00:00.000Z' },
  })
})

test('while a retry waits, what it may cost is held: no later round takes it', async () => {
  const clock = new VirtualClock()
  const counts: Record<string, number> = {}
  const provider = scriptedProvider({
    price: CENT,
    async reply({ request, index }) {
      await clock.sleep(1)
      if (index === 0) throw new ProviderFault('rate_limited', 'wait', { ...unbilled, retryAfterMs: 1000 })
      counts[request.prompt] = (counts[request.prompt] ?? 0) + 1
      return 'x'
    },
  })
  const { gateway } = gatewayOf([provider], { concurrency: 1, envelopeUsd: 0.045, clock })
  const asks = ['a', 'b'].flatMap((id) => [0, 1, 2, 3, 4].map((index) => gateway.ask(askFor(id, index))))
  await clock.runUntil(Promise.all(asks))
  expect(counts).toEqual({ 'prompt of a': 2, 'prompt of b': 2 })
})

test('a retry whose money is held goes before an ask that waits for money', async () => {
  const clock = new VirtualClock()
  const usage = { tokensIn: 0, tokensOut: 0, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null }
  const provider = scriptedProvider({
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 0 },
    reply({ request, index }) {
      if (index === 0) throw new ProviderFault('rate_limited', 'wait', { ...unbilled, retryAfterMs: 1000 })
      return { text: request.prompt.slice(0, 5), usage }
    },
  })
  // The cheap ask holds 1,024 millionths and a bit; the dear one fits only when nothing is held.
  const dear = { request: { ...askFor('dear', 0).request, prompt: 'dear '.repeat(200) } }
  const { gateway } = gatewayOf([provider], { concurrency: 1, envelopeUsd: 0.0021, clock })
  const cheap = gateway.ask(askFor('cheap', 1))
  clock.after(10, () => undefined)
  await clock.runUntil(clock.sleep(5))
  const outcomes = await clock.runUntil(Promise.all([cheap, gateway.ask(askFor('dear', 0, dear))]))
  expect(outcomes.map(({ kind }) => kind)).toEqual(['reply', 'reply'])
})

test('a call that cost more than its worst case raises the worst case of later ones', async () => {
  const provider = scriptedProvider({ price: CENT, reply: () => ({ text: 'x', reportedCostUsd: 0.03 }) })
  const { gateway, clock } = gatewayOf([provider], { concurrency: 1, envelopeUsd: 0.1 })
  const outcomes = await clock.runUntil(Promise.all([0, 1, 2, 3, 4].map((index) => gateway.ask(askFor('a', index)))))
  expect(outcomes.map(({ kind }) => kind)).toEqual(['reply', 'reply', 'reply', 'refused', 'refused'])
  expect(gateway.spentUsd('scripted/model')).toBe(0.09)
})

test('facts are told without a call; a price of the user goes before the provider’s', () => {
  const provider = scriptedProvider({ price: CENT, reply: () => 'x' })
  const own = { inputUsdPerMTok: 1, outputUsdPerMTok: 2 }
  const { gateway } = gatewayOf([provider], { prices: { 'scripted/mine': own } })
  expect(gateway.facts('scripted/other')).toMatchObject({
    pricing: { source: 'scripted', paid: true },
    traits: { priceSource: 'scripted', simulated: true, nativeRung: 'enforced', answersFromKey: false, cache: null },
  })
  expect(gateway.facts('scripted/mine')).toMatchObject({ pricing: { source: 'user' } })
  expect(() => gateway.facts('nobody/x')).toThrow(expect.objectContaining({ code: 'PROVIDER_UNKNOWN' }))
  expect(() => gateway.facts('no-slash')).toThrow(expect.objectContaining({ code: 'MODEL_KEY_INVALID' }))
  expect(() => gateway.facts('local/other')).toThrow(expect.objectContaining({ code: 'MODEL_UNKNOWN' }))
})
