import { expect, test } from 'vitest'
import { AdaptivePacer } from '../../src/gateway/pace/adaptive-pacer.ts'
import { PaceLog } from '../../src/gateway/pace/pace-log.ts'
import { initialPace } from '../../src/gateway/pace/pace-policy.ts'
import { parseRetryAfter } from '../../src/providers/retry-after.ts'
import { ProviderFault, type Provider } from '../../src/providers/provider.ts'
import { scriptedProvider, type ScriptedCall } from '../../src/providers/scripted.ts'
import { askFor, gatewayOf } from '../support/gateway.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const SECOND = 1000

/** A provider that notes when each call was begun, and what then became of it. */
function observed(
  clock: VirtualClock,
  reply: (call: ScriptedCall) => unknown,
): Provider & { readonly begun: number[] } {
  const begun: number[] = []
  const provider = scriptedProvider({
    async reply(call) {
      begun.push(clock.now())
      return (await reply(call)) as string
    },
  })
  return { ...provider, begun }
}

function refused(retryAfterMs: number | null): never {
  throw new ProviderFault('rate_limited', 'slow down', { billing: { kind: 'none' }, retryAfterMs })
}

const asksFor = (count: number, modelKey = 'scripted/model') =>
  Array.from({ length: count }, (_, index) => askFor('a', index, { modelKey }))

test('what goes on at this moment: open calls, how many there may be, how long a pause still is', async () => {
  const clock = new VirtualClock()
  const answers = Promise.withResolvers<string>()
  const refusal = (): Promise<never> => clock.sleep(SECOND).then(() => refused(7 * SECOND))
  const provider = observed(clock, ({ index }) => (index === 0 ? refusal() : answers.promise))
  const { gateway } = gatewayOf([provider], { concurrency: 4, clock })
  expect(gateway.callsNow('scripted/model')).toBe(null)
  const asks = asksFor(6).map((ask) => gateway.ask(ask))
  await clock.runUntil(clock.sleep(2 * SECOND))
  // The first was refused, so that the limit is halved: three of four are still open.
  expect(gateway.callsNow('scripted/model')).toEqual({ open: 3, limit: 2, retrying: 1, pausedMs: 6 * SECOND })
  answers.resolve('x')
  await clock.runUntil(Promise.all(asks))
  expect(gateway.callsNow('scripted/model')).toMatchObject({ open: 0, retrying: 0, pausedMs: 0 })
})

test('an account begins with twenty calls and doubles them with every clean round trip', async () => {
  const clock = new VirtualClock()
  const provider = observed(clock, () => clock.sleep(SECOND).then(() => 'x'))
  const { gateway } = gatewayOf([provider], { concurrency: 64, clock })
  await clock.runUntil(Promise.all(asksFor(200).map((ask) => gateway.ask(ask))))
  const starts = [0, 1, 2, 3, 4].map((second) => provider.begun.filter((at) => at === second * SECOND).length)
  expect(starts).toEqual([20, 40, 64, 64, 12])
  expect(gateway.pacing('scripted/model')).toEqual({
    bound: 64,
    clean: 200,
    rateLimited: 0,
    strained: 0,
    changes: [
      { at: '1970-01-01T00:00:00.000Z', reason: 'start', limit: 20 },
      { at: '1970-01-01T00:00:01.000Z', reason: 'clean', limit: 64, from: 20 },
    ],
    unlisted: 0,
  })
})

test.for([null, 61 * SECOND, 60 * SECOND, 5 * SECOND])(
  'a model that only refuses is given up after a quarter of an hour or so: Retry-After %s',
  async (retryAfterMs) => {
    const clock = new VirtualClock()
    const provider = observed(clock, () => refused(retryAfterMs))
    const { gateway } = gatewayOf([provider], { concurrency: 16, clock })
    const outcomes = await clock.runUntil(Promise.all(asksFor(300).map((ask) => gateway.ask(ask))))
    expect(outcomes.at(-1)).toMatchObject({ error: { code: 'NOT_ANSWERING' } })
    expect(clock.now() / (60 * SECOND)).toBeLessThan(17)
  },
)

test('a model that answers now and then is not given up', async () => {
  const clock = new VirtualClock()
  const provider = observed(clock, ({ index }) => (index % 10 === 9 ? 'x' : refused(30 * SECOND)))
  const { gateway } = gatewayOf([provider], { concurrency: 4, clock })
  const outcomes = await clock.runUntil(Promise.all(asksFor(20).map((ask) => gateway.ask(ask))))
  expect(outcomes.filter(({ kind }) => kind === 'refused')).toEqual([])
  expect(clock.now() / (60 * SECOND)).toBeGreaterThan(20)
})

const AT_NOON = Date.parse('2026-12-02T12:00:00Z')

test.for([
  ['seconds', '7', 7 * SECOND],
  ['an HTTP date', 'Wed, 02 Dec 2026 12:00:09 GMT', 9 * SECOND],
])('a refusal with Retry-After as %s: nothing new is begun on the account before', async ([, header, pauseMs]) => {
  const clock = new VirtualClock()
  const provider = observed(clock, async ({ index }) => {
    await clock.sleep(100)
    return index === 0 ? refused(parseRetryAfter(null, header as string, AT_NOON)) : 'x'
  })
  const { gateway } = gatewayOf([provider], { concurrency: 4, clock })
  const asks = [...asksFor(6), ...asksFor(6, 'scripted/other')].map((ask) => gateway.ask(ask))
  const outcomes = await clock.runUntil(Promise.all(asks))
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(12).fill('reply'))
  const later = provider.begun.filter((at) => at > 0)
  expect(provider.begun).toHaveLength(13)
  expect(later).toHaveLength(9)
  expect(Math.min(...later)).toBe(100 + (pauseMs as number))
  const [, cut] = gateway.pacing('scripted/other')!.changes
  expect(cut).toEqual({ at: '1970-01-01T00:00:00.100Z', reason: 'rate_limited', limit: 2, from: 4, pausedMs: pauseMs })
})

test('an account that has used up a limit rests until it starts afresh, as headers of an answer say', async () => {
  const clock = new VirtualClock()
  const provider = observed(clock, async ({ index }) => {
    await clock.sleep(100)
    return index === 2 ? { text: 'x', accountLimit: { remaining: 0, resetMs: 6 * SECOND } } : 'x'
  })
  const { gateway, journal } = gatewayOf([provider], { concurrency: 3, clock })
  const outcomes = await clock.runUntil(Promise.all(asksFor(6).map((ask) => gateway.ask(ask))))
  // Two slots are free before the third answer is there to tell.
  expect(provider.begun.filter((at) => at <= 100).length).toBeLessThanOrEqual(5)
  expect(provider.begun.at(-1)).toBe(100 + 6 * SECOND)
  expect(gateway.pacing('scripted/model')!.changes.at(-1)).toMatchObject({ reason: 'exhausted', pausedMs: 6 * SECOND })
  // It is no part of what is kept.
  expect(JSON.stringify([outcomes, journal.entries])).not.toContain('accountLimit')
})

test.for([
  ['nothing', undefined],
  ['something left', { remaining: 1, resetMs: 6 * SECOND }],
  ['no reset', { remaining: 0, resetMs: null }],
  ['a reset that never comes', { remaining: 0, resetMs: Number.POSITIVE_INFINITY }],
  ['a reset in the past', { remaining: 0, resetMs: -5 }],
  ['a text', 'soon'],
])('limits that say %s pause nothing', async ([, accountLimit]) => {
  const clock = new VirtualClock()
  const provider = observed(clock, () => clock.sleep(100).then(() => ({ text: 'x', accountLimit })))
  const { gateway } = gatewayOf([provider], { concurrency: 1, clock })
  await clock.runUntil(Promise.all(asksFor(3).map((ask) => gateway.ask(ask))))
  expect(provider.begun).toEqual([0, 100, 200])
})

test('a pause that becomes longer while it lasts is kept to its end', async () => {
  const clock = new VirtualClock()
  const provider = observed(clock, async ({ index }) => {
    await clock.sleep(index === 0 ? 100 : 500)
    const resetMs = index === 0 ? 2 * SECOND : 5 * SECOND
    return index < 2 ? { text: 'x', accountLimit: { remaining: 0, resetMs } } : 'x'
  })
  const { gateway } = gatewayOf([provider], { concurrency: 2, clock })
  await clock.runUntil(Promise.all(asksFor(4).map((ask) => gateway.ask(ask))))
  expect(provider.begun).toEqual([0, 0, 5500, 5500])
  // It is one change in the account of it.
  const [, pause, ...more] = gateway.pacing('scripted/model')!.changes
  expect(pause).toMatchObject({ at: '1970-01-01T00:00:00.100Z', limit: 2, from: 2, pausedMs: 5400 })
  expect(more).toEqual([])
})

test('what is asked within a pause that nobody waits for is begun at its end', async () => {
  const clock = new VirtualClock()
  const accountLimit = { remaining: 0, resetMs: 6 * SECOND }
  const provider = observed(clock, () => ({ text: 'x', accountLimit }))
  const { gateway } = gatewayOf([provider], { concurrency: 1, clock })
  await clock.runUntil(gateway.ask(askFor('a', 0)))
  await clock.runUntil(clock.sleep(SECOND))
  await clock.runUntil(gateway.ask(askFor('a', 1)))
  expect(provider.begun).toEqual([0, 6 * SECOND])
})

test('a provider in trouble that says when to come back is asked no sooner, and no sooner than the backoff', async () => {
  const clock = new VirtualClock(() => 0.5)
  const pauses = [12 * SECOND, 100]
  const provider = observed(clock, ({ index }) => {
    if (index === 2) return 'x'
    throw new ProviderFault('overloaded', 'busy', { billing: { kind: 'none' }, retryAfterMs: pauses[index]! })
  })
  const { gateway } = gatewayOf([provider], { clock })
  await clock.runUntil(gateway.ask(askFor('a', 0)))
  // The backoff of the second is half of two seconds.
  expect(provider.begun).toEqual([0, 12 * SECOND, 13 * SECOND])
})

test('when the limit falls below what is open, the calls end and the rest go on', async () => {
  const clock = new VirtualClock()
  let [open, most] = [0, 0]
  const provider = observed(clock, async ({ index }) => {
    open += 1
    if (clock.now() > 0) most = Math.max(most, open)
    await clock.sleep(index === 0 ? 10 : 10 * SECOND)
    open -= 1
    return index === 0 ? refused(null) : 'x'
  })
  const { gateway } = gatewayOf([provider], { concurrency: 8, clock })
  const outcomes = await clock.runUntil(Promise.all(asksFor(20).map((ask) => gateway.ask(ask))))
  expect(outcomes.every(({ kind }) => kind === 'reply')).toBe(true)
  // Seven were open when the limit became four: nothing new until four of them had ended.
  expect(provider.begun.filter((at) => at > 0 && at < 10 * SECOND)).toEqual([])
  expect(most).toBeLessThanOrEqual(7)
})

test('after a pause the models of an account take turns', async () => {
  const clock = new VirtualClock()
  const order: string[] = []
  const provider = observed(clock, async ({ index, model }) => {
    await clock.sleep(100)
    if (index === 0) return refused(5 * SECOND)
    order.push(model)
    return 'x'
  })
  const { gateway } = gatewayOf([provider], { concurrency: 2, clock })
  const asks = ['scripted/a', 'scripted/b'].flatMap((modelKey) => asksFor(8, modelKey).map((ask) => gateway.ask(ask)))
  await clock.runUntil(Promise.all(asks))
  const lead = order.map((_, at) => order.slice(0, at + 1).reduce((sum, one) => sum + (one === 'a' ? 1 : -1), 0))
  expect(order).toHaveLength(16)
  expect(Math.max(...lead.map(Math.abs))).toBeLessThanOrEqual(3)
})

test('a gateway that is closed within a pause waits for nothing more', async () => {
  const clock = new VirtualClock()
  const provider = observed(clock, () => refused(50 * SECOND))
  const { gateway } = gatewayOf([provider], { concurrency: 1, clock })
  const asks = asksFor(3).map((ask) => gateway.ask(ask))
  await clock.runUntil(clock.sleep(SECOND))
  await clock.runUntil(gateway.close())
  const kinds = (await Promise.all(asks)).map(({ kind }) => kind)
  expect(kinds).toEqual(['fault', 'refused', 'refused'])
  // No alarm is left.
  await expect(clock.runUntil(new Promise(() => {}))).rejects.toThrow('nothing is left that could happen')
  expect(clock.now()).toBe(SECOND)
})

test('a quarter of an hour after its first attempt a call is not tried again', async () => {
  const clock = new VirtualClock()
  const provider = observed(clock, () => refused(60 * SECOND))
  const { gateway } = gatewayOf([provider], { clock })
  const outcome = await clock.runUntil(gateway.ask(askFor('a', 0)))
  expect(outcome).toMatchObject({ kind: 'fault', failureClass: 'rate_limited', record: { attempts: 16 } })
  expect(clock.now()).toBe(15 * 60 * SECOND)
  const slow = observed(clock, () => clock.sleep(59 * SECOND).then(() => refused(60 * SECOND)))
  const other = gatewayOf([slow], { clock }).gateway
  const before = clock.now()
  // Each attempt takes 119 seconds with its pause: the eighth begins after 833, the ninth would after 952.
  expect(await clock.runUntil(other.ask(askFor('a', 0)))).toMatchObject({ record: { attempts: 8 } })
  expect(slow.begun.at(-1)! - before).toBe(833 * SECOND)
})

test('a long storm of changes is listed up to a bound, and then counted', async () => {
  const clock = new VirtualClock()
  const provider = observed(clock, async ({ index }) => {
    await clock.sleep(5 * SECOND)
    return index % 2 === 0 ? refused(SECOND) : 'x'
  })
  const { gateway } = gatewayOf([provider], { concurrency: 2, clock })
  await clock.runUntil(Promise.all(asksFor(400).map((ask) => gateway.ask(ask))))
  const { changes, unlisted, clean, rateLimited } = gateway.pacing('scripted/model')!
  expect(changes).toHaveLength(200)
  expect(unlisted).toBeGreaterThan(0)
  expect([clean, rateLimited]).toEqual([400, 400])
})

test('changes beyond the bound are counted one by one', () => {
  const two = initialPace(2)
  const one = { ...two, limit: 1 }
  const log = new PaceLog(one, 0)
  for (let round = 0; round < 150; round += 1) {
    log.note({ kind: 'clean' }, one, two, round)
    log.note({ kind: 'rate_limited', retryAfterMs: null }, two, one, round)
  }
  // The start and three hundred others.
  expect(log.report()).toMatchObject({ unlisted: 101, clean: 150, rateLimited: 150 })
  expect(log.report().changes).toHaveLength(200)
})

test('a model that was never called has no pace', () => {
  expect(gatewayOf([]).gateway.pacing('sim/steady')).toBeNull()
})

test.for([0, -3, 0.5, 1.9, Number.NaN])(
  'a provider that can take %d calls at once takes one',
  async (maxConcurrency) => {
    const clock = new VirtualClock()
    const provider = observed(clock, () => clock.sleep(100).then(() => 'x'))
    const { gateway } = gatewayOf([{ ...provider, maxConcurrency }], { clock })
    await clock.runUntil(Promise.all(asksFor(3).map((ask) => gateway.ask(ask))))
    expect(provider.begun).toEqual([0, 100, 200])
  },
)

test('nobody is woken within a pause', async () => {
  const clock = new VirtualClock()
  const pacer = new AdaptivePacer(2, clock)
  const woken: number[] = []
  await pacer.acquire(() => {})
  await pacer.acquire(() => {})
  expect(await pacer.acquire(() => woken.push(clock.now()))).toBe(false)
  pacer.release({ kind: 'rate_limited', retryAfterMs: 5 * SECOND })
  pacer.release({ kind: 'clean' })
  await clock.runUntil(clock.sleep(10 * SECOND))
  expect(woken).toEqual([5 * SECOND])
})

test('a clock that is set back within a pause makes it no longer', async () => {
  const clock = new VirtualClock()
  let setBackMs = 0
  const now = () => clock.now() + 1e12 - setBackMs
  const pacer = new AdaptivePacer(4, { now, after: (ms, call) => clock.after(ms, call), random: clock.random })
  expect(await pacer.acquire(() => {})).toBe(true)
  pacer.release({ kind: 'rate_limited', retryAfterMs: 5 * SECOND })
  expect(await pacer.acquire(() => {})).toBe(false)
  setBackMs = 3_600_000
  expect(await pacer.acquire(() => {})).toBe(true)
})
