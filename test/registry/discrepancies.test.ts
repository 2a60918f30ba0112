import { expect, test } from 'vitest'
import type { ProbeClass } from '../../src/model/fixture.ts'
import type { Sample } from '../../src/model/sample.ts'
import type { DeclaredFile } from '../../src/registry/declared-format.ts'
import type { DiscrepancyKind } from '../../src/registry/format.ts'
import { claim, found, MODEL, registryOf, resultOf, samplesOf, declaring } from '../support/registry.ts'
import { IGNORED } from '../support/samples.ts'

type Claims = DeclaredFile['models'][string]

const NATIVE: Partial<Sample> = { rung: 'native' }
const COACHED: Partial<Sample> = { rung: 'json_mode' }
const NO_CONFORM: Partial<Sample> = { schemaConform: false, valueAccuracy: null }
const PLAIN: Partial<Sample> = { schemaConform: null, valueAccuracy: null, rung: null }
const SEARCHED: Partial<Sample> = {
  ...PLAIN,
  searchRequested: true,
  searched: true,
  grounded: true,
  citationCount: 1,
  citations: [{ url: 'https://example.org/', kind: 'native' }],
}
const UNGROUNDED: Partial<Sample> = { grounded: false, citationCount: 0, citations: [] }
const CACHED: Partial<Sample> = {
  ...PLAIN,
  cachedTokens: 4096,
  cachedShare: 0.8,
  primeCachedTokens: 0,
  cacheMarker: 'key',
  tokensIn: 5120,
}
const MISSED: Partial<Sample> = { cachedTokens: 0, cachedShare: 0 }
const IMAGE: Partial<Sample> = { sentImages: [{ sha256: 'aa', mediaType: 'image/png', width: 1, height: 1 }] }
const UNREAD: Partial<Sample> = { valueAccuracy: 0.5 }

interface Case {
  readonly kind: DiscrepancyKind
  readonly class: ProbeClass
  readonly claims: Claims
  readonly all: Partial<Sample>
  readonly wrong: Partial<Sample>
  /** Of 60, over three fixtures: what is confirmed, what is suspected, what is none. */
  readonly confirmed: number
  readonly suspected: number
  readonly absent: number
  /** What takes the mechanism out of every sample. */
  readonly unasked: Partial<Sample>
  readonly samplesKept?: Partial<Sample>
}

const YES = { structuredOutput: [claim(true)] }
const CASES: readonly Case[] = [
  // Below 90 %: 30/60 is; 52/60 is below, and its interval holds 90 %; 54/60 is 90 %.
  {
    kind: 'declared_schema_low_conformance',
    class: 'schema',
    claims: YES,
    all: NATIVE,
    wrong: NO_CONFORM,
    confirmed: 30,
    suspected: 52,
    absent: 54,
    unasked: COACHED,
  },
  // At least 90 %: 60/60 has [94.0 %, 100 %]; 55/60 has [81.9 %, 96.4 %].
  {
    kind: 'undeclared_schema_capable',
    class: 'schema',
    claims: { structuredOutput: [claim(false)] },
    all: NATIVE,
    wrong: NO_CONFORM,
    confirmed: 60,
    suspected: 55,
    absent: 53,
    unasked: COACHED,
  },
  // Below half: 18/60 has [19.9 %, 42.5 %]; 27/60 has [33.1 %, 57.5 %]; 30/60 is half.
  {
    kind: 'schema_served_via_json_mode',
    class: 'schema',
    claims: YES,
    all: NATIVE,
    wrong: { rung: 'json_mode', rungFallback: 'schema_rejected' },
    confirmed: 18,
    suspected: 27,
    absent: 30,
    unasked: { rung: 'json_mode', rungFallback: 'unsupported' },
  },
  {
    kind: 'declared_search_ungrounded',
    class: 'grounding',
    claims: { webSearch: [claim(true)] },
    all: SEARCHED,
    wrong: UNGROUNDED,
    confirmed: 18,
    suspected: 27,
    absent: 30,
    unasked: { searchRequested: false, searched: false, grounded: false, citationCount: 0, citations: [] },
  },
  {
    kind: 'citations_without_declared_search',
    class: 'grounding',
    claims: { webSearch: [claim(false)] },
    all: SEARCHED,
    wrong: UNGROUNDED,
    confirmed: 42,
    suspected: 33,
    absent: 29,
    unasked: {
      searchRequested: false,
      searched: false,
      grounded: false,
      citations: [{ url: 'https://example.org/', kind: 'text' }],
    },
  },
  {
    kind: 'declared_caching_unrealized',
    class: 'caching',
    claims: { promptCaching: [claim(true)] },
    all: CACHED,
    wrong: MISSED,
    confirmed: 18,
    suspected: 27,
    absent: 30,
    unasked: { cacheMarker: null },
  },
  {
    kind: 'declared_vision_unreadable',
    class: 'image',
    claims: { vision: [claim(true)] },
    all: IMAGE,
    wrong: UNREAD,
    confirmed: 18,
    suspected: 27,
    absent: 30,
    unasked: { sentImages: [] },
  },
  {
    kind: 'undeclared_vision_capable',
    class: 'image',
    claims: { vision: [claim(false)] },
    all: IMAGE,
    wrong: UNREAD,
    confirmed: 42,
    suspected: 33,
    absent: 29,
    unasked: { sentImages: [] },
  },
]

/** So many of 60 right, as evenly over three fixtures as can be: they do not show that fixtures differ. */
function measured({ class: probeClass, all, wrong }: Case, right: number, more: Partial<Sample> = {}) {
  const share = (index: number): number => Math.floor((right + index) / 3)
  const own = (index: number): Sample[] => samplesOf(share(index), 20, { ...all, ...more }, { ...wrong, ...more })
  return resultOf(probeClass, { a: own(0), b: own(1), c: own(2) })
}

async function of(one: Case, right: number, more: Partial<Sample> = {}) {
  const all = await found(measured(one, right, more), one.claims)
  return all.find(({ kind }) => kind === one.kind)
}

test.for(CASES)('$kind is confirmed where the interval lies on one side and it was asked for', async (one) => {
  const finding = await of(one, one.confirmed)
  expect(finding).toMatchObject({
    status: 'confirmed',
    class: one.class,
    successes: one.confirmed,
    n: 60,
    rate: one.confirmed / 60,
    fixtures: 3,
    settledBy: null,
    files: ['r.json'],
    mechanism: { exercised: 60, of: 60 },
    claim: { source: 'https://vendor.example/model', as_of: '2026-01-01' },
  })
  const [low, high] = finding!.interval!.ci95
  expect(finding!.comparison === 'below' ? high < finding!.threshold : low >= finding!.threshold).toBe(true)
  expect(finding!.message).toContain(`${one.confirmed}/60`)
  expect(finding!.message).toMatch(/^[A-Z].*\. [A-Z].*\. Confirmed/)
})

test.for(CASES)(
  '$kind is suspected where the interval holds the threshold, with the n that would settle it',
  async (one) => {
    const finding = await of(one, one.suspected)
    expect(finding).toMatchObject({ status: 'suspected', successes: one.suspected, n: 60 })
    expect(finding!.settledBy).toBeGreaterThan(60)
    expect(finding!.message).toMatch(/\. Suspected: the interval holds the threshold; about \d+ samples at this rate/)
  },
)

test.for(CASES)('$kind is not found where the rate is on the other side', async (one) => {
  expect(await of(one, one.absent)).toBeUndefined()
})

test.for(CASES)('$kind is never confirmed by samples that did not ask for it', async (one) => {
  const unasked = { ...one, wrong: one.kind === 'schema_served_via_json_mode' ? {} : one.wrong }
  const right = one.kind === 'citations_without_declared_search' ? 60 : one.confirmed
  const finding = await of(unasked, right, one.unasked)
  expect(finding).toMatchObject({ status: 'suspected', mechanism: { exercised: 0, of: 60 } })
  expect(finding!.settledBy).toBeGreaterThan(1)
  expect(finding!.message).toMatch(/\. Suspected: in no sample is it on record that/)
})

test.for(CASES)('$kind is about models of which the opposite is not declared', async (one) => {
  const field = Object.keys(one.claims)[0] as keyof Claims
  const value = (one.claims[field] as { value: boolean }[])[0]!.value
  const other = { ...one, claims: { [field]: [claim(!value)] } as Claims }
  expect(await of(other, one.confirmed)).toBeUndefined()
})

test('JSON that does not conform was not compared, and shows of no image that it is unreadable', async () => {
  const vision = { vision: [claim(true)] }
  const odd = samplesOf(0, 20, IMAGE, NO_CONFORM)
  expect(await found(resultOf('image', { a: odd }), vision)).toEqual([])
  // Text that is no JSON holds nothing that could have been compared, and has read nothing.
  const prose = samplesOf(0, 20, IMAGE, { ...NO_CONFORM, parseOk: false, output: 'I see no image.' })
  const [finding] = await found(resultOf('image', { a: odd, b: prose }), vision)
  expect(finding).toMatchObject({ kind: 'declared_vision_unreadable', status: 'confirmed', successes: 0, n: 20 })
  expect(finding!.mechanism).toMatchObject({ exercised: 20, of: 20 })
})

test('only samples that asked count where some did', async () => {
  const asked = samplesOf(0, 20, NATIVE, NO_CONFORM)
  const coached = samplesOf(20, 20, COACHED, {}).map((one, index) => ({ ...one, index: 20 + index }))
  const [finding] = await found(resultOf('schema', { a: [...asked, ...coached] }), YES)
  expect(finding).toMatchObject({ kind: 'declared_schema_low_conformance', status: 'confirmed', successes: 0, n: 20 })
})

test('fixtures that differ are clusters: what samples alone would decide stays open', async () => {
  // 4 of 20 fixtures never conform: 80/100 has Wilson [71.1 %, 86.7 %]. The variance over clusters is 20/19 x 80 / 100², 5.263
  // times that of independent samples: Wilson at 0.8 and 19 is [57.8 %, 92.1 %].
  const fixtures = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`f${index}`, samplesOf(index < 4 ? 0 : 5, 5, NATIVE, NO_CONFORM)]),
  )
  const [finding] = await found(resultOf('schema', fixtures), YES)
  expect(finding).toMatchObject({ status: 'suspected', interval: { basis: 'fixtures' }, mayNotCarryOver: false })
  expect(finding!.interval!.ci95[0]).toBeCloseTo(0.578, 3)
  expect(finding!.interval!.ci95[1]).toBeCloseTo(0.921, 3)
})

test('one fixture confirms for itself, and it is said that others may differ', async () => {
  const all = await found(resultOf('grounding', { a: samplesOf(0, 20, SEARCHED, UNGROUNDED) }), {
    webSearch: [claim(true)],
  })
  expect(all[0]).toMatchObject({ status: 'confirmed', fixtures: 1, mayNotCarryOver: true })
  expect(all[0]!.message).toContain('not that it holds on others of their kind')
})

test('who forces JSON mode is given it: that is no finding', async () => {
  const result = resultOf('schema', { a: samplesOf(20, 20, COACHED, {}) }, { of: { rung: 'json_mode' } })
  const all = await found(result, YES)
  expect(all.map(({ kind }) => kind)).not.toContain('schema_served_via_json_mode')
})

const UNDECLARED = CASES.filter(({ kind }) => kind.includes('undeclared') || kind.includes('without_declared'))
/** A word on something else: the declared layer has the model. */
const SILENT: Claims = { jsonMode: [claim(true)] }

test.for(UNDECLARED)('$kind is found where nothing is on record, and it is told apart from a no', async (one) => {
  const silent = { ...one, claims: SILENT }
  const confirmed = await of(silent, one.confirmed)
  expect(confirmed).toMatchObject({ status: 'confirmed', settledBy: null, n: 60, mechanism: { exercised: 60 } })
  expect(confirmed!.claim).toMatchObject({ value: null, source: null, as_of: null })
  expect(confirmed!.message).toMatch(
    /^No claim of [a-z ]+ is on record, neither that it is there nor that it is not\. /,
  )
  const denied = await of(one, one.confirmed)
  expect(denied!.claim.value).toBe(false)
  expect(denied!.message).toMatch(/^[A-Z][a-z ]+ is declared not to be there \(https:/)
  const suspected = await of(silent, one.suspected)
  expect(suspected).toMatchObject({ status: 'suspected', claim: { value: null } })
  expect(suspected!.settledBy).toBeGreaterThan(60)
  const unasked = await of(silent, one.confirmed, one.unasked)
  expect(unasked?.status ?? 'suspected').toBe('suspected')
})

test('a rate that is the threshold is settled by no number of samples', async () => {
  const [finding] = await found(resultOf('schema', { a: samplesOf(54, 60, NATIVE, NO_CONFORM) }), SILENT)
  expect(finding).toMatchObject({ kind: 'undeclared_schema_capable', status: 'suspected', settledBy: null })
  expect(finding!.message).toMatch(/the interval holds the threshold; no number of samples that a run can take would/)
})

test.for<[string, boolean | null, string, 'confirmed' | 'suspected']>([
  ['showed that schemas are ignored', false, 'schema_not_enforced', 'confirmed'],
  ['refused its schema', false, 'schema_rejected', 'confirmed'],
  ['was answered by halves', null, 'enforcement_unproven', 'suspected'],
  ['was sent no schema', false, 'unsupported', 'suspected'],
])('a canary that %s is taken for what it showed of JSON mode', async ([, enforced, rungFallback, status]) => {
  const canary = { ...IGNORED, enforced }
  const samples = samplesOf(20, 20, { ...COACHED, rungFallback }, {})
  const all = await found(resultOf('schema', { a: samples }, { of: { canary } }), YES)
  const served = all.find(({ kind }) => kind === 'schema_served_via_json_mode')
  const exercised = status === 'confirmed' ? 20 : 0
  expect(served).toMatchObject({ status, successes: 0, n: 20, mechanism: { exercised, of: 20 } })
})

test('that schemas are ignored is on record where the canary is', async () => {
  const samples = samplesOf(20, 20, { ...COACHED, rungFallback: 'schema_not_enforced' }, {})
  const all = await found(resultOf('schema', { a: samples }), YES)
  const served = all.find(({ kind }) => kind === 'schema_served_via_json_mode')
  expect(served).toMatchObject({ status: 'suspected', mechanism: { exercised: 0, of: 20 } })
})

test('no number of samples settles what the adapter of the provider never asks for', async () => {
  const result = resultOf('schema', { a: samplesOf(60, 60, { ...COACHED, rungFallback: 'unsupported' }, {}) })
  const settled = async (nativeRung: 'none' | 'unproven', claims: Claims) => {
    const adapter = { classes: ['schema' as const], nativeRung, cacheMinTokens: null }
    const { models } = await registryOf({ 'r.json': result }, declaring(claims), { adapter })
    return models[MODEL]!.discrepancies.map(({ status, settledBy, message }) => [status, settledBy, message])
  }
  for (const claims of [YES, SILENT])
    expect(await settled('none', claims)).toEqual([
      [
        'suspected',
        null,
        expect.stringMatching(/; the adapter of the provider cannot ask for that, so that no number/),
      ],
    ])
  // None of 6 is below half beyond doubt, and of 5 not yet.
  expect(await settled('unproven', YES)).toEqual([['suspected', 6, expect.stringContaining('about 6 samples')]])
})

test('of a model that the declared layer does not have nothing is found', async () => {
  const result = resultOf('schema', { a: samplesOf(60, 60, NATIVE, {}) })
  const registry = await registryOf({ 'r.json': result }, declaring(YES, 'openai/another'))
  expect(registry.models['openai/made-up']).toMatchObject({ declared: null, discrepancies: [] })
})

test('the vendor’s claim stands, and that others differ is told', async () => {
  const other = claim(false, { source: 'a map', as_of: '2026-01-20', by: 'price_map' as const })
  const [finding] = await found(resultOf('schema', { a: samplesOf(0, 20, NATIVE, NO_CONFORM) }), {
    structuredOutput: [other, claim(true)],
  })
  expect(finding).toMatchObject({ kind: 'declared_schema_low_conformance', claim: { value: true } })
  expect(finding!.message).toContain('sources differ on that')
})

/** Fixtures of which every third always hits, and the others never. */
const thirds = (count: number, samples: number) =>
  found(
    resultOf(
      'caching',
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `f${at}`,
          samplesOf(at % 3 === 0 ? samples : 0, samples, CACHED, MISSED),
        ]),
      ),
    ),
    { promptCaching: [claim(true)] },
  )

test('in caching, too, fixtures are clusters', async () => {
  // 2 of 6 fixtures always hit: 20/60 has Wilson [22.7 %, 45.9 %]. The variance over clusters is 6/5 x (400/3) / 60², 12 times
  // that of independent samples: Wilson at 1/3 and 5 is [8.7 %, 72.5 %].
  const [finding] = await thirds(6, 10)
  expect(finding).toMatchObject({ status: 'suspected', successes: 20, n: 60, interval: { basis: 'fixtures' } })
  expect(finding!.interval!.ci95[0]).toBeCloseTo(0.087, 3)
  expect(finding!.interval!.ci95[1]).toBeCloseTo(0.725, 3)
  expect(finding!.message).toContain('20/60 33.3% [8.7%, 72.5%] over 6 fixtures, below 50%.')
})

test('where fixtures differ more fixtures would settle it, and more samples of the same ones do not', async () => {
  const [few] = await thirds(6, 10)
  const [many] = await thirds(6, 100)
  const due = few!.settledByFixtures!
  expect(few!.message).toContain(`about ${few!.settledBy} samples at this rate, of ${due} fixtures, would settle it`)
  expect(few!.settledBy! / due).toBeCloseTo(10, 0)
  expect(many).toMatchObject({ status: 'suspected', n: 600, settledByFixtures: due })
  expect((await thirds(due, 10))[0]).toMatchObject({ status: 'confirmed', settledBy: null, settledByFixtures: null })
  expect((await thirds(Math.floor(due / 2), 10))[0]).toMatchObject({ status: 'suspected' })
})

test('where fixtures do not differ beyond luck the same ones will do', async () => {
  const alike = { a: samplesOf(9, 20, CACHED, MISSED), b: samplesOf(9, 20, CACHED, MISSED) }
  const [finding] = await found(resultOf('caching', alike), { promptCaching: [claim(true)] })
  expect(finding).toMatchObject({ status: 'suspected', fixtures: 2, settledByFixtures: null })
  expect(finding!.settledBy).toBeGreaterThan(40)
})

test('an interval beyond the threshold of which the exact test is not sure is told as that', async () => {
  // Of 20 at 90 % each, 15 or fewer are right in 4.3 % of cases: more than the 2.5 % that are asked for.
  const [finding] = await found(resultOf('schema', { a: samplesOf(15, 20, NATIVE, NO_CONFORM) }), YES)
  expect(finding!.message).toContain(
    '15/20 75.0% [53.1%, 88.8%], below 90%. Suspected: the exact binomial test over samples',
  )
})
