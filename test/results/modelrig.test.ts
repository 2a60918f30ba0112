import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { offPrice, verifyOldResult, type OldResult, type OldSample } from '../../src/results/modelrig.ts'

const PUBLISHED = new URL('../../../shared/modelrig/results', import.meta.url).pathname

const old = (overrides: Partial<OldSample> = {}): OldSample => ({
  parseOk: true,
  schemaConform: true,
  valueAccuracy: 1,
  grounded: null,
  citationCount: null,
  cachedTokens: null,
  tokensIn: 100,
  tokensOut: 50,
  costUsd: 0.25,
  latencyMs: 900,
  failureClass: null,
  ...overrides,
})
const LOST = old({
  parseOk: false,
  schemaConform: false,
  valueAccuracy: null,
  tokensIn: 0,
  tokensOut: 0,
  costUsd: 0,
  failureClass: 'network',
})

/** Ten of ten conform: by the formula the upper end is a rounding error below 1. A lost call counts against the model. */
function ours(): OldResult {
  const head = { modelKey: 'm/x', class: 'schema' as const, date: '2026-01-02T03:04:05.678Z', harnessVersion: '0.0.1' }
  return {
    ...head,
    fixtureHashes: { a: '0123456789abcdef', b: 'fedcba9876543210' },
    stats: [
      {
        fixtureId: 'a',
        samples: 10,
        parseRate: 1,
        conformRate: 1,
        valueAccuracyMean: 1,
        conformCi95: [0.7224672001371107, 0.9999999999999999],
        meanCostUsd: 0.25,
      },
      {
        fixtureId: 'b',
        samples: 4,
        parseRate: 0.75,
        conformRate: 0.5,
        valueAccuracyMean: 0.75,
        conformCi95: [0.15003898915214947, 0.8499610108478506],
        meanCostUsd: 0.1875,
      },
    ],
    totalCostUsd: 3.25,
    raw: {
      a: Array.from({ length: 10 }, () => old()),
      // A value without conformity counts in this format.
      b: [old(), old({ valueAccuracy: 0.5 }), old({ schemaConform: false, valueAccuracy: 0.75 }), LOST],
    },
  }
}

const pathsOf = (value: unknown): string[] => verifyOldResult(value).findings.map(({ path }) => path)

test('a file of that format is counted by its own rules', () => {
  expect(verifyOldResult(ours()).findings).toEqual([])
})

/** Every number of a file, with a way to change it. */
function numbersOf(file: object): { path: string; value: number; set: (to: number) => void }[] {
  return Object.entries(file).flatMap(([key, value]: [string, unknown]) => {
    const set = (to: number): void => void Object.assign(file, { [key]: to })
    if (typeof value === 'number') return [{ path: `/${key}`, value, set }]
    if (typeof value !== 'object' || value === null) return []
    return numbersOf(value).map((one) => ({ ...one, path: `/${key}${one.path}` }))
  })
}

/** The number with its last digit, or its only one, changed. */
function otherDigit(value: number): number {
  const text = String(value)
  const [mantissa = '', exponent] = text.split('e')
  const digit = Number(mantissa.at(-1))
  for (const step of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const other = `${mantissa.slice(0, -1)}${(digit + step) % 10}${exponent === undefined ? '' : `e${exponent}`}`
    if (Number(other) !== value) return Number(other)
  }
  throw new Error(`${text} has no other last digit`)
}

test.for(['stats', 'totalCostUsd'] as const)('a changed last digit is named, of every number in %s', (field) => {
  const result = ours()
  const numbers = numbersOf(result).filter(({ path }) => path.startsWith(`/${field}`))
  expect(numbers.length).toBe(field === 'stats' ? 14 : 1)
  for (const { path, value, set } of numbers) {
    set(otherDigit(value))
    expect(pathsOf(result)).toContain(path)
    set(value)
  }
})

test.for<[string, (result: OldResult) => unknown, string]>([
  ['a sample is dropped', (r) => r.raw['a']!.pop(), '/stats/0/samples'],
  ['a sample is doubled', (r) => r.raw['a']!.push(old()), '/stats/0/samples'],
  ['a cost', (r) => (r.raw['b']![0]!.costUsd = 0.26), '/stats/1/meanCostUsd'],
  ['an accuracy', (r) => (r.raw['b']![1]!.valueAccuracy = 0.6), '/stats/1/valueAccuracyMean'],
  ['a lost call is left out', (r) => r.raw['b']!.pop(), '/stats/1/conformRate'],
  ['a lost call conforms', (r) => (r.raw['b']![3]!.schemaConform = true), '/raw/b/3/schemaConform'],
  ['a row is dropped', (r) => r.stats.pop(), '/stats'],
  ['a row is doubled', (r) => r.stats.push(r.stats[0]!), '/stats/2'],
  ['a row without samples', (r) => delete r.raw['a'], '/stats/0'],
  ['an unknown fixture', (r) => delete r.fixtureHashes['a'], '/raw/a'],
  ['a hash that is none', (r) => (r.fixtureHashes['a'] = 'x'), '/fixtureHashes/a'],
  ['an interval with exact ends', (r) => (r.stats[0]!.conformCi95 = [0.7224672001371107, 1]), '/stats/0/conformCi95/1'],
])('named: %s', ([, tamper, path]) => {
  const result = ours()
  tamper(result)
  expect(pathsOf(result)).toContain(path)
})

test('tokens at another price than all others are remarked upon', () => {
  const result = ours()
  // 0.002 per token of input, 0.001 per token of output.
  const priced = Array.from({ length: 30 }, (_, index) => {
    const tokensIn = 100 + index
    const tokensOut = 50 + ((index * 7) % 11)
    return old({ tokensIn, tokensOut, costUsd: tokensIn * 0.002 + tokensOut * 0.001 })
  })
  result.raw = { a: priced }
  expect(offPrice(result)).toEqual([])
  priced[17]!.tokensIn = 118
  expect(offPrice(result).map(({ path }) => path)).toEqual(['/raw/a/17'])
})

const published = existsSync(PUBLISHED)
  ? readdirSync(PUBLISHED, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'))
  : []
const read = (file: string): OldResult => JSON.parse(readFileSync(join(PUBLISHED, file), 'utf8')) as OldResult

/** No number of a file follows from these. */
const TELLS_NOTHING = /\/(tokensIn|tokensOut|latencyMs|cachedTokens|citationCount)$/

test.runIf(published.length > 0)('published files verify untouched, and any digit that is changed is named', () => {
  expect(published.length).toBeGreaterThanOrEqual(6)
  for (const file of published) {
    const result = read(file)
    expect([file, verifyOldResult(result).findings]).toEqual([file, []])
    const numbers = numbersOf(result).filter(({ path }) => !TELLS_NOTHING.test(path))
    expect(numbers.length).toBeGreaterThan(8)
    for (const { path, value, set } of numbers) {
      // A digit of a sample's cost can be lost in the mean: the first is not.
      set(path.startsWith('/raw') ? (value === 0 ? 0.001 : value / 2) : otherDigit(value))
      const named = pathsOf(result)
      expect([file, path, named.length > 0]).toEqual([file, path, true])
      if (!path.startsWith('/raw')) expect(named).toContain(path)
      set(value)
    }
  }
})
