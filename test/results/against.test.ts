import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Sample } from '../../src/model/sample.ts'
import { against, type Comparable } from '../../src/results/against.ts'
import { checkFile, readPublished } from '../../src/results/check-file.ts'
import { tallyOf } from '../../src/stats/tally.ts'
import { sample } from '../support/samples.ts'

const RIGHT = sample(0)
const OFF = sample(0, { valueAccuracy: 0.5 })
const BROKEN = sample(0, { schemaConform: false, valueAccuracy: null })
const LOST = sample(0, { scored: false, failureClass: 'network', parseOk: false, schemaConform: null })

const times = (count: number, one: Sample): Sample[] => Array.from({ length: count }, () => one)
const conformant = (successes: number, n: number): Sample[] => [
  ...times(successes, RIGHT),
  ...times(n - successes, BROKEN),
]

function file(raw: Record<string, Sample[]>, overrides: Partial<Comparable> = {}): Comparable {
  const hashes = Object.keys(raw).map((id) => [id, '0123456789abcdef'])
  const about = { file: 'f.json', modelKey: 'm/x', probeClass: 'schema' as const }
  const tallies = new Map(Object.entries(raw).map(([id, samples]) => [id, tallyOf(samples)]))
  return { ...about, fixtureHashes: Object.fromEntries(hashes) as Record<string, string>, tallies, ...overrides }
}

test('a rate outside the published interval is told, and decides nothing', () => {
  const held = against(file({ a: conformant(3, 5), b: conformant(5, 5) }), file({ a: conformant(5, 5), c: [RIGHT] }))
  expect(held).toMatchObject({ shared: ['a'], onlyFresh: ['b'], onlyPublished: ['c'], evidence: [] })
  const row = held.rows.find(({ rate }) => rate === 'conform')
  // Wilson of 5 of 5 begins at 56.6 %.
  expect(row).toMatchObject({ inside: true, fresh: { successes: 3, n: 5 }, published: { successes: 5, n: 5 } })
  const outside = against(file({ a: conformant(2, 5) }), file({ a: conformant(5, 5) }))
  expect(outside.rows.find(({ rate }) => rate === 'conform')).toMatchObject({ inside: false })
  expect(outside.evidence).toEqual([])
})

test('five fixtures that all fell by three of five are evidence together', () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const of = (successes: number) => file(Object.fromEntries(ids.map((id) => [id, conformant(successes, 5)])))
  const { evidence, pooled } = against(of(2), of(5))
  // Of each: 7 of 10 passed, E = 3.5, V = 5·5·7·3 / (100·9) = 7/12. Over five: V = 35/12, below 5, so the correction is on:
  // z = (7.5 - 0.5) / √(35/12) = 4.0988, and p = 0.0000415.
  expect(evidence).toMatchObject([{ rate: 'conform', fixtureId: null, level: 0.04 }])
  expect(evidence[0]!.p).toBeCloseTo(0.0000415, 7)
  expect(pooled.map(({ rate, level }) => [rate, Number(level.toFixed(6))])).toEqual([
    ['conform', 0.04],
    ['values', 0.005],
  ])
})

test('one fixture alone can be evidence, where all together are not', () => {
  const others = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`f${index}`, conformant(10, 20)]))
  const fresh = file({ ...others, g: conformant(3, 20), h: conformant(18, 20) })
  const { evidence } = against(fresh, file({ ...others, g: conformant(18, 20), h: conformant(3, 20) }))
  expect(evidence.map(({ rate, fixtureId }) => [rate, fixtureId])).toEqual([
    ['conform', 'g'],
    ['conform', 'h'],
  ])
})

test('values that went wrong are evidence although the form is kept', () => {
  const { evidence } = against(file({ a: times(40, OFF) }), file({ a: times(40, RIGHT) }))
  expect(evidence.map(({ rate }) => rate)).toEqual(['values', 'values'])
})

test('what was spoiled is held against nobody', () => {
  const { rows } = against(file({ a: [RIGHT, LOST, LOST] }), file({ a: [RIGHT] }))
  expect(rows.find(({ rate }) => rate === 'conform')).toMatchObject({ fresh: { successes: 1, n: 1 } })
})

const PUBLISHED = file({ a: [RIGHT] }, { file: 'p.json' })

test.for<[string, Comparable, RegExp]>([
  [
    'another hash',
    file({ a: [RIGHT] }, { fixtureHashes: { a: 'ffffffffffffffff' } }),
    /a \(ffffffffffffffff, published 0123/,
  ],
  ['no shared fixture', file({ b: [RIGHT] }), /shares no fixture with p\.json/],
  ['another class', file({ a: [RIGHT] }, { probeClass: 'image' }), /is image, and that of p\.json schema/],
  ['no scored sample', file({ a: [LOST] }), /no scored sample/],
])('refused: %s', ([, fresh, message]) => {
  expect(() => against(fresh, PUBLISHED)).toThrow(
    expect.objectContaining({ code: 'AGAINST_REFUSED', file: 'f.json', message: expect.stringMatching(message) }),
  )
})

/** Numbers from 0 to 1, the same in every run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Share of reruns that are called different: 20 fixtures with true rates of 0.5 to 0.98, 5 samples each. */
function shareOfFailures(drop: number, reruns: number, seed: number): number {
  const next = random(seed)
  const take = (rate: number): Sample[] =>
    Array.from({ length: 5 }, () => (next() >= rate ? BROKEN : next() < 0.9 ? RIGHT : OFF))
  let failures = 0
  for (let run = 0; run < reruns; run += 1) {
    const rates = Array.from({ length: 20 }, (_, index) => [`f${index}`, 0.5 + 0.48 * next()] as const)
    const sampled = (less: number) => file(Object.fromEntries(rates.map(([id, rate]) => [id, take(rate - less)])))
    const published = sampled(0)
    if (against(sampled(drop), published).evidence.length > 0) failures += 1
  }
  return failures / reruns
}

test('honest reruns fail in at most 5 % of cases, and a model that fell is found out', { timeout: 120_000 }, () => {
  const shares = [0, 0.2, 0.25].map((drop) => shareOfFailures(drop, 1000, 20_261_130))
  console.log(`called different: honest ${shares[0]}, 20 points less ${shares[1]}, 25 points less ${shares[2]}`)
  expect(shares[0]).toBeLessThanOrEqual(0.05)
  expect(shares[1]).toBeGreaterThanOrEqual(0.83)
  expect(shares[2]).toBeGreaterThanOrEqual(0.94)
  const [honest, fell, fellFar] = shares.map((share) => `${Number((share * 100).toFixed(1))} %`)
  const told = readFileSync(new URL('../../docs/verifying.md', import.meta.url), 'utf8').replaceAll('\n', ' ')
  expect(told).toContain(`${honest} of honest reruns failed, ${fell} of those`)
  expect(told).toContain(`by 20 points, and ${fellFar} of those whose had fallen by 25`)
})

test('the change that is told to show 4 times in 5 does, at the level of its own test', () => {
  const next = random(7)
  const ids = Array.from({ length: 20 }, (_, index) => `f${index}`)
  const run = (conform: number, values: number) => {
    const one = (): Sample => (next() >= conform ? BROKEN : next() < values ? RIGHT : OFF)
    return file(Object.fromEntries(ids.map((id) => [id, Array.from({ length: 5 }, one)])))
  }
  for (const [position, fallen] of [(d: number) => run(0.8 - d, 0.85), (d: number) => run(0.8, 0.85 - d)].entries()) {
    let told = 0
    for (let again = 0; again < 200; again += 1)
      told += against(run(0.8, 0.85), run(0.8, 0.85)).pooled[position]!.detectable! / 200
    let seen = 0
    for (let again = 0; again < 400; again += 1) {
      const { p, level } = against(fallen(told), run(0.8, 0.85)).pooled[position]!
      if (p <= level) seen += 1 / 400
    }
    expect([position, told, seen > 0.76]).toEqual([position, told, true])
  }
})

const SHARED = new URL('../../../shared/modelrig/results/', import.meta.url).pathname
const OUTAGE = `${SHARED}fireworks-gpt-oss-120b/schema-2026-08-08.json`
const STEADY = `${SHARED}openai-gpt-5.2/schema-2026-08-19.json`

test.runIf(existsSync(SHARED))(
  'published files are held against each other, without what the network spoiled',
  async () => {
    const published = await readPublished(OUTAGE)
    const report = await checkFile(STEADY, { published })
    expect(report).toMatchObject({ ok: true, error: null, findings: [] })
    // Two of its 50 calls came back, on two fixtures; all the rest was the network's.
    const measured = report.against!.rows.filter(({ rate, inside }) => rate === 'conform' && inside !== null)
    expect(measured.map(({ published: { n, rate } }) => [n, rate])).toEqual([
      [1, 1],
      [1, 1],
    ])
  },
)
