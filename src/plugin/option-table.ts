import { LEDGER_ALLOWED, parseLedgerAddress } from '../gateway/redis/address.ts'
import type { Rung } from '../model/call.ts'
import { MOST_SAMPLES } from '../model/sample.ts'
import { MOST_SHARDS, parseShard } from '../model/shard.ts'

/** One option that can be set in several places. */
export interface Option<T> {
  readonly variable: string
  /** Flag of the command line, where it has one. */
  readonly flag?: string
  /** The flag is given without a value, and means `1`. */
  readonly bare?: true
  /** The flag can be given several times, or with commas. */
  readonly list?: true
  /** What stands for its value in texts for people. */
  readonly value: string
  /** What it sets, in a line of Markdown that begins in lowercase. */
  readonly meaning: string
  /** The page below `docs/` that says more. */
  readonly page?: string
  readonly fallback: T
  /** What holds where nothing is set, where `fallback` cannot say it. */
  readonly unset?: string
  /** In watch mode, where that is another. */
  readonly watchFallback?: T
  readonly allowed: string
  readonly fromText: (text: string) => unknown
  readonly accepts: (value: unknown) => boolean
  /** Its value can hold a password, and is not shown. */
  readonly secret?: true
}

const wholeNumber = (
  about: Pick<Option<number>, 'variable' | 'flag' | 'value' | 'meaning' | 'fallback'>,
  most: number,
): Option<number> => ({
  ...about,
  allowed: `a whole number from 1 to ${most}`,
  fromText: (text) => (/^\d+$/.test(text.trim()) ? Number(text) : text),
  accepts: (value) => Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= most,
})

const folder = (
  about: Pick<Option<string>, 'variable' | 'flag' | 'meaning' | 'page' | 'fallback'>,
): Option<string> => ({
  ...about,
  value: 'dir',
  allowed: 'the path of a folder',
  fromText: (text) => text,
  accepts: (value) => typeof value === 'string' && value.trim() !== '' && !value.includes('\0'),
})

/** Every option that the environment can set. */
export const OPTIONS = {
  models: {
    variable: 'PROBE_MODEL',
    flag: 'model',
    list: true as const,
    value: 'key',
    meaning: 'models to measure, by keys like `openai/gpt-5.2`',
    fallback: null as readonly string[] | null,
    unset: '`local/tesseract` for `image`, else `sim/steady`',
    allowed: 'model keys like openai/gpt-5.2, in the variable separated by commas',
    fromText: (text: string) => [...new Set(text.split(',').map((key) => key.trim()))],
    accepts: (value: unknown) =>
      Array.isArray(value) && value.length > 0 && value.every((key) => typeof key === 'string'),
  },
  samples: wholeNumber(
    {
      variable: 'PROBE_SAMPLES',
      flag: 'samples',
      value: 'n',
      meaning: 'samples per fixture and model',
      fallback: 5,
    },
    MOST_SAMPLES,
  ),
  until: {
    variable: 'PROBE_UNTIL',
    flag: 'until',
    value: 'width',
    meaning: 'go on, after the first samples, until the 95 % interval of each fixture is within ± this, like `0.05`',
    page: 'sampling.md',
    fallback: null as number | null,
    unset: 'a fixed number of samples',
    allowed: 'half the width of an interval, from 0.01 to 0.2, like 0.05',
    fromText: (text: string) => (/^0?\.\d+$/.test(text.trim()) ? Number(text) : text),
    accepts: (value: unknown) => typeof value === 'number' && value >= 0.01 && value <= 0.2,
  },
  envelopeUsd: {
    variable: 'PROBE_ENVELOPE_USD',
    flag: 'envelope',
    value: 'usd',
    meaning: 'most US dollars to spend per model and run',
    page: 'money.md',
    fallback: 1,
    watchFallback: 0.25,
    allowed: 'an amount in US dollars from 0 to 1000000, like 2.50',
    fromText: (text: string) => (/^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text),
    accepts: (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1_000_000,
  },
  out: folder({
    variable: 'PROBE_OUT',
    flag: 'out',
    meaning: 'folder of result files',
    page: 'results.md',
    fallback: 'results',
  }),
  fixtures: folder({
    variable: 'PROBE_FIXTURES',
    flag: 'fixtures',
    meaning: 'folder of fixtures, one folder per class inside',
    page: 'fixtures.md',
    fallback: 'fixtures',
  }),
  concurrency: wholeNumber(
    {
      variable: 'PROBE_CONCURRENCY',
      flag: 'concurrency',
      value: 'n',
      meaning: 'most calls open at once per provider',
      fallback: 16,
    },
    10_000,
  ),
  rung: {
    variable: 'PROBE_RUNG',
    flag: 'rung',
    value: 'rung',
    meaning:
      'how structure is asked for: `native` (the server enforces the schema), `json_mode` (the prompt asks), or `auto`',
    page: 'classes.md',
    fallback: 'auto' as 'auto' | Rung,
    allowed: 'auto, native, json_mode',
    fromText: (text: string) => text,
    accepts: (value: unknown) => value === 'auto' || value === 'native' || value === 'json_mode',
  },
  shard: {
    variable: 'PROBE_SHARD',
    flag: 'shard',
    value: 'i/n',
    meaning: 'take only this part of the samples, like `2/4`; `merge` unites the result files',
    page: 'sharding.md',
    fallback: null as string | null,
    unset: 'the whole run',
    allowed: `i/n like 2/4: i from 1 to n, n at most ${MOST_SHARDS}`,
    fromText: (text: string) => text.trim(),
    accepts: (value: unknown) => typeof value === 'string' && parseShard(value) !== null,
  },
  ledger: {
    variable: 'PROBE_LEDGER',
    value: 'address',
    meaning: 'Redis in which all shards share one envelope, `redis://host:port/db`',
    page: 'sharding.md',
    fallback: null as string | null,
    unset: 'an envelope of its own',
    allowed: LEDGER_ALLOWED,
    fromText: (text: string) => text.trim(),
    accepts: (value: unknown) => typeof value === 'string' && parseLedgerAddress(value) !== null,
    secret: true,
  },
  resume: {
    variable: 'PROBE_RESUME',
    flag: 'resume',
    bare: true as const,
    value: '1',
    meaning: 'answer what is in the call journal from there, and buy the rest',
    page: 'money.md',
    fallback: false,
    allowed: '1, or 0',
    fromText: (text: string) => (text === '1' ? true : text === '0' ? false : text),
    accepts: (value: unknown) => typeof value === 'boolean',
  },
  // Node's own fetch gives up after five minutes without headers.
  timeoutMs: wholeNumber(
    {
      variable: 'PROBE_TIMEOUT_MS',
      value: 'ms',
      meaning: 'deadline of one attempt, in milliseconds',
      fallback: 120_000,
    },
    300_000,
  ),
  journal: folder({
    variable: 'PROBE_JOURNAL',
    meaning: 'folder of the call journal',
    page: 'money.md',
    fallback: '.probes/journal',
  }),
  progress: {
    variable: 'PROBE_PROGRESS',
    value: 'auto|off',
    meaning: 'whether a run shows how far it is: `auto`, or `off`',
    page: 'progress.md',
    fallback: 'auto' as 'auto' | 'off',
    allowed: 'auto, off',
    fromText: (text: string) => text.trim(),
    accepts: (value: unknown) => value === 'auto' || value === 'off',
  },
  maxOutputTokens: wholeNumber(
    {
      variable: 'PROBE_MAX_OUTPUT_TOKENS',
      value: 'n',
      meaning: 'output limit of a request, part of its worst-case price',
      fallback: 16_384,
    },
    1_000_000,
  ),
  cacheDelayMs: {
    variable: 'PROBE_CACHE_DELAY_MS',
    value: 'ms',
    meaning: 'pause between the two calls of a caching sample, in milliseconds',
    page: 'classes.md',
    fallback: null as number | null,
    unset: "as the provider's cache needs",
    allowed: 'a whole number from 0 to 600000',
    fromText: (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : text),
    accepts: (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 600_000,
  },
} satisfies Record<string, Option<unknown>>

export type OptionName = keyof typeof OPTIONS

/** Options that only the plugin takes, and what they are. */
export const PLUGIN_OPTIONS = {
  providers: 'providers of your own',
  prices: 'prices by model key, before any other source',
  renderForm: 'draws the PNG of an image fixture when its form is saved, in watch mode ([more](money.md#watch-mode))',
}
