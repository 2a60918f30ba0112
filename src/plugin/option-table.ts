import { LEDGER_ALLOWED, parseLedgerAddress } from '../gateway/redis/address.ts'
import type { Rung } from '../model/call.ts'
import { MOST_SHARDS, parseShard } from '../model/shard.ts'

/** One option that can be set in several places. */
export interface Option<T> {
  readonly variable: string
  /** Flag of the command line, where it has one. */
  readonly flag?: string
  /** The flag is given without a value, and means `1`. */
  readonly bare?: true
  readonly fallback: T
  /** In watch mode, where that is another. */
  readonly watchFallback?: T
  readonly allowed: string
  readonly fromText: (text: string) => unknown
  readonly accepts: (value: unknown) => boolean
  /** Its value can hold a password, and is not shown. */
  readonly secret?: true
}

const wholeNumber = (variable: string, fallback: number, most: number, flag?: string): Option<number> => ({
  variable,
  ...(flag !== undefined && { flag }),
  fallback,
  allowed: `a whole number from 1 to ${most}`,
  fromText: (text) => (/^\d+$/.test(text.trim()) ? Number(text) : text),
  accepts: (value) => Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= most,
})

const folder = (variable: string, fallback: string, flag?: string): Option<string> => ({
  variable,
  ...(flag !== undefined && { flag }),
  fallback,
  allowed: 'the path of a folder',
  fromText: (text) => text,
  accepts: (value) => typeof value === 'string' && value.trim() !== '' && !value.includes('\0'),
})

/** Every option that the environment can set. */
export const OPTIONS = {
  models: {
    variable: 'PROBE_MODEL',
    flag: 'model',
    fallback: null as readonly string[] | null,
    allowed: 'model keys like openai/gpt-5.2, in the variable separated by commas',
    fromText: (text: string) => [...new Set(text.split(',').map((key) => key.trim()))],
    accepts: (value: unknown) =>
      Array.isArray(value) && value.length > 0 && value.every((key) => typeof key === 'string'),
  },
  samples: wholeNumber('PROBE_SAMPLES', 5, 10_000, 'samples'),
  until: {
    variable: 'PROBE_UNTIL',
    flag: 'until',
    fallback: null as number | null,
    allowed: 'half the width of an interval, from 0.01 to 0.4, like 0.05',
    fromText: (text: string) => (/^0?\.\d+$/.test(text.trim()) ? Number(text) : text),
    accepts: (value: unknown) => typeof value === 'number' && value >= 0.01 && value <= 0.4,
  },
  envelopeUsd: {
    variable: 'PROBE_ENVELOPE_USD',
    flag: 'envelope',
    fallback: 1,
    watchFallback: 0.25,
    allowed: 'an amount in US dollars from 0 to 1000000, like 2.50',
    fromText: (text: string) => (/^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text),
    accepts: (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1_000_000,
  },
  out: folder('PROBE_OUT', 'results', 'out'),
  fixtures: folder('PROBE_FIXTURES', 'fixtures', 'fixtures'),
  concurrency: wholeNumber('PROBE_CONCURRENCY', 16, 10_000, 'concurrency'),
  rung: {
    variable: 'PROBE_RUNG',
    flag: 'rung',
    fallback: 'auto' as 'auto' | Rung,
    allowed: 'auto, native, json_mode',
    fromText: (text: string) => text,
    accepts: (value: unknown) => value === 'auto' || value === 'native' || value === 'json_mode',
  },
  shard: {
    variable: 'PROBE_SHARD',
    flag: 'shard',
    fallback: null as string | null,
    allowed: `i/n like 2/4: i from 1 to n, n at most ${MOST_SHARDS}`,
    fromText: (text: string) => text.trim(),
    accepts: (value: unknown) => typeof value === 'string' && parseShard(value) !== null,
  },
  ledger: {
    variable: 'PROBE_LEDGER',
    fallback: null as string | null,
    allowed: LEDGER_ALLOWED,
    fromText: (text: string) => text.trim(),
    accepts: (value: unknown) => typeof value === 'string' && parseLedgerAddress(value) !== null,
    secret: true,
  },
  resume: {
    variable: 'PROBE_RESUME',
    flag: 'resume',
    bare: true as const,
    fallback: false,
    allowed: '1, or 0',
    fromText: (text: string) => (text === '1' ? true : text === '0' ? false : text),
    accepts: (value: unknown) => typeof value === 'boolean',
  },
  // Node's own fetch gives up after five minutes without headers.
  timeoutMs: wholeNumber('PROBE_TIMEOUT_MS', 120_000, 300_000),
  journal: folder('PROBE_JOURNAL', '.probes/journal'),
  maxOutputTokens: wholeNumber('PROBE_MAX_OUTPUT_TOKENS', 16_384, 1_000_000),
  cacheDelayMs: {
    variable: 'PROBE_CACHE_DELAY_MS',
    fallback: null as number | null,
    allowed: 'a whole number from 0 to 600000',
    fromText: (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : text),
    accepts: (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 600_000,
  },
} satisfies Record<string, Option<unknown>>
