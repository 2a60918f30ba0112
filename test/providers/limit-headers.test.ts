import { expect, test } from 'vitest'
import { accountLimitFrom } from '../../src/providers/limit-headers.ts'

const NOW = Date.parse('2026-11-30T10:00:00Z')
const limitOf = (headers: Record<string, string>) => accountLimitFrom(new Headers(headers), NOW)
const resetOf = (reset: string) =>
  limitOf({ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': reset })?.resetMs

test.for<[reset: string, ms: number | null]>([
  ['6s', 6000],
  ['120ms', 120],
  ['1m30s', 90_000],
  ['6m0s', 360_000],
  ['2m59.56s', 179_560],
  ['1h2m3s', 3_723_000],
  ['1d', 86_400_000],
  ['1s500ms', 1500],
  ['0s', 0],
  [' 6s ', 6000],
  ['8.64s', 8640],
  ['20', 20_000],
  ['0.5', 500],
  ['2026-11-30T10:00:12Z', 12_000],
  ['2026-11-30T10:00:00.250Z', 250],
  ['2026-11-30T11:00:12+01:00', 12_000],
  ['2026-11-30T09:59:00Z', 0],
  ['', null],
  ['soon', null],
  ['s', null],
  ['6 s', null],
  ['-6s', null],
  ['6s1m', null],
  ['1e3s', null],
  // A moment of some clock, and no number of seconds.
  ['1764496812', null],
  ['1764496812000', null],
  ['2026-11-30', null],
  ['2026-13-45T10:00:00Z', null],
])('a reset of "%s"', ([reset, ms]) => {
  expect(resetOf(reset)).toBe(ms)
})

test.for<[remaining: string]>([['-1'], ['none'], [''], ['0.5'], ['1e3'], ['99999999999999999']])(
  'that "%s" is left says nothing',
  ([remaining]) => {
    const headers = { 'x-ratelimit-remaining-requests': remaining, 'x-ratelimit-reset-requests': '6s' }
    expect(limitOf(headers)).toBeNull()
  },
)

test('of several limits the one of which least is left counts, and of those used up the one that takes longest', () => {
  expect(
    limitOf({
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '1s',
      'x-ratelimit-remaining-tokens': '149984',
      'x-ratelimit-reset-tokens': '6m0s',
    }),
  ).toEqual({ remaining: 59, resetMs: 1000 })
  expect(
    limitOf({
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': '2026-11-30T10:00:02Z',
      'anthropic-ratelimit-input-tokens-remaining': '0',
      'anthropic-ratelimit-input-tokens-reset': '2026-11-30T10:00:09Z',
      'anthropic-ratelimit-output-tokens-remaining': '8000',
      'anthropic-ratelimit-output-tokens-reset': '2026-11-30T10:00:30Z',
      'anthropic-ratelimit-tokens-remaining': '0',
    }),
  ).toEqual({ remaining: 0, resetMs: 9000 })
})

test('a limit may say how much is left alone; nothing said is nothing', () => {
  expect(limitOf({ 'x-ratelimit-remaining-tokens': '0' })).toEqual({ remaining: 0, resetMs: null })
  expect(limitOf({ 'x-ratelimit-reset-tokens': '6s' })).toBeNull()
  expect(limitOf({ 'content-type': 'application/json' })).toBeNull()
})
