import { describe, expect, test } from 'vitest'
import type { Ask, CallOutcome } from '../../src/model/call.ts'
import type { LoadedFixture } from '../../src/model/fixture.ts'
import { narrow } from '../../src/probe/narrowing.ts'
import { ProbeCase, type CaseContext } from '../../src/probe/probe-case.ts'
import { BLANK_REPLY } from '../../src/providers/blank-reply.ts'
import { mostSamplesUntil } from '../../src/stats/until.ts'
import { wilson } from '../../src/stats/wilson.ts'
import { seeded } from '../support/seeded.ts'
import { FREE_RECORD } from '../support/free-record.ts'

/** An answer that rests on a search, or does not: what the class `grounding` measures. */
function answered(grounded: boolean): CallOutcome {
  const sources = grounded ? [{ url: 'https://example.com/a', title: null, cited: true }] : []
  const reply = { ...BLANK_REPLY, text: 'an answer', finishReason: 'stop' as const, searched: grounded, sources }
  return { kind: 'reply', reply, record: FREE_RECORD }
}

function casesOf(ids: readonly string[], ask: (ask: Ask) => Promise<CallOutcome>): ProbeCase[] {
  const traits = {
    kind: 'known' as const,
    traits: { priceSource: 'free', simulated: true, answersFromKey: false, nativeRung: 'proven', cache: null },
  }
  const context = {
    settings: { shard: null, until: 0.1, rung: 'auto', maxOutputTokens: 9, cacheDelayMs: null, runId: 'r' },
    ask,
    grade: () => Promise.reject(new Error('nothing to grade')),
    enforcement: () => Promise.reject(new Error('not asked for')),
    answerKey: async () => null,
    traits: async () => traits,
    tell: () => {},
  } as unknown as CaseContext
  return ids.map((id) => {
    const fixture = { id, class: 'grounding', domain: 'general', prompt: id }
    const loaded = { ...fixture, fixture, hash: '0'.repeat(16), family: 'f', difficulty: 'standard', subtype: null }
    return new ProbeCase(context, 'own/x', loaded as unknown as LoadedFixture, {
      samples: 5,
      checks: {},
      thresholds: {},
    })
  })
}

/** Takes the first samples of all cases, then narrows. */
function run(cases: readonly ProbeCase[], target: number, atOnce: number): Promise<void> {
  const first = (probeCase: ProbeCase) => Array.from({ length: probeCase.meta.samplesDue }, (_, index) => index)
  const begun = cases.map((probeCase) => ({
    probeCase,
    taking: first(probeCase).map((index) => probeCase.take(index)),
  }))
  return narrow(begun, { target, atOnce })
}

function successesOf({ meta }: ProbeCase): number {
  return meta.samples.filter(({ grounded }) => grounded === true).length
}

test('each fixture gets as many samples as its own interval needs, with the indexes 0, 1, 2, …', async () => {
  // Alternating, and always right: one half is the widest rate there is.
  const cases = casesOf(['even', 'sure'], async ({ fixtureId, sampleIndex }) =>
    answered(fixtureId === 'sure' || sampleIndex % 2 === 0),
  )
  await run(cases, 0.1, 1)
  const [even, sure] = cases.map(({ meta }) => meta)
  // At 100 %: n = 4 z² = 15.4.
  expect([sure!.samples.length, sure!.samplesDue, sure!.samplesWanted]).toEqual([16, 16, 16])
  expect(even!.samples.length).toBeGreaterThan(90)
  expect(even!.samples.length).toBeLessThanOrEqual(mostSamplesUntil(0.1))
  expect(even!.samples.map(({ index }) => index)).toEqual(even!.samples.map((_, index) => index))
})

test('what comes next goes where the interval is widest', async () => {
  const order: string[] = []
  const cases = casesOf(['even', 'sure'], async ({ fixtureId, sampleIndex }) => {
    if (sampleIndex >= 5) order.push(fixtureId)
    return answered(fixtureId === 'sure' || sampleIndex % 2 === 0)
  })
  await run(cases, 0.1, 1)
  // 5/5 is [56.6, 100]: half of it 21.7 points. 3/5 has 32.5, and gets as narrow as that with 14 samples.
  expect(order.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => 'even'))
  expect(order).toContain('sure')
})

test('no more than so many samples are waited for at a time, beyond the first', async () => {
  let open = 0
  let most = 0
  const cases = casesOf(['a'], async ({ sampleIndex }) => {
    open += 1
    if (sampleIndex >= 5) most = Math.max(most, open)
    await new Promise(setImmediate)
    open -= 1
    return answered(sampleIndex % 2 === 0)
  })
  await run(cases, 0.05, 6)
  expect(most).toBe(6)
})

test('with many calls open no more are asked for than the interval needs', async () => {
  // At 100 % 16 samples are enough, and 11 beyond the first 5 can be asked for at once.
  const cases = casesOf(['sure', 'also'], async () => answered(true))
  await run(cases, 0.1, 50)
  expect(cases.map(({ meta }) => meta.samples.length)).toEqual([16, 16])
})

test('what is open of one fixture is not taken for open of another', async () => {
  let held: (() => void) | null = null
  const cases = casesOf(['slow', 'quick'], async ({ fixtureId, sampleIndex }) => {
    if (fixtureId === 'slow' && sampleIndex === 0) await new Promise<void>((resolve) => (held = resolve))
    return answered(true)
  })
  const done = run(cases, 0.1, 3)
  while (cases[1]!.meta.samples.length < 16) await new Promise(setImmediate)
  held!()
  await done
  expect(cases.map(({ meta }) => meta.samples.length)).toEqual([16, 16])
})

describe('it ends', () => {
  const fault: CallOutcome = { kind: 'fault', failureClass: 'network', detail: 'cut', record: FREE_RECORD }
  const refused: CallOutcome = { kind: 'refused', error: { code: 'ENVELOPE_EXCEEDED', message: 'no more' } }

  test('for a fixture whose samples are refused, and goes on with the others', async () => {
    const cases = casesOf(['poor', 'rich'], async ({ fixtureId, sampleIndex }) =>
      fixtureId === 'poor' && sampleIndex >= 7 ? refused : answered(sampleIndex % 2 === 0),
    )
    await run(cases, 0.1, 1)
    const [poor, rich] = cases.map(({ meta }) => meta)
    expect([poor!.samples.length, poor!.samplesDue, poor!.refusal?.code]).toEqual([7, 8, 'ENVELOPE_EXCEEDED'])
    expect(rich!.samples.length).toBeGreaterThan(90)
  })

  test('when as many samples as there were at first are faults in a row', async () => {
    const cases = casesOf(['dying', 'well'], async ({ fixtureId, sampleIndex }) =>
      fixtureId === 'dying' && sampleIndex >= 8 ? fault : answered(sampleIndex % 2 === 0),
    )
    await run(cases, 0.1, 1)
    const [dying, well] = cases.map(({ meta }) => meta.samples)
    expect(dying).toHaveLength(13)
    expect(well!.length).toBeGreaterThan(90)
  })

  test('where the first samples show nothing', async () => {
    const cases = casesOf(['dead'], async () => fault)
    await run(cases, 0.1, 4)
    expect(cases[0]!.meta.samples).toHaveLength(5)
  })

  test('with the most samples that a rate can need, of a plan', async () => {
    const planned: CallOutcome = { kind: 'refused', error: { code: 'DRY_RUN', message: 'planned' } }
    let asked = 0
    const cases = casesOf(['a', 'b'], async () => ((asked += 1), planned))
    await run(cases, 0.1, 4)
    expect(asked).toBe(2 * 93)
  })
})

test('simulated with six calls open: the interval covers about as often as it promises', async () => {
  for (const rate of [0.5, 0.7, 0.9]) {
    const random = seeded(Math.round(rate * 1000))
    let covered = 0
    const runs = 400
    for (let one = 0; one < runs; one += 1) {
      const cases = casesOf(['a', 'b'], async () => answered(random() < rate))
      await run(cases, 0.15, 6)
      for (const probeCase of cases) {
        const [low, high] = wilson(successesOf(probeCase), probeCase.meta.samples.length)!
        expect(high - low).toBeLessThanOrEqual(0.3)
        if (low <= rate && rate <= high) covered += 1
      }
    }
    expect(covered / (2 * runs), `${rate}`).toBeGreaterThan(0.9)
    expect(covered / (2 * runs), `${rate}`).toBeLessThan(0.99)
  }
})
