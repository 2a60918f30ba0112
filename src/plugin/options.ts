import type { Rung } from '../model/call.ts'
import { ProbeError } from '../model/errors.ts'
import { parseModelKey } from '../model/model-key.ts'
import type { Price, Provider } from '../providers/provider.ts'
import type { Environment } from './environment.ts'
import { resolveProviders } from './provider-options.ts'

/** Options of `probes()`. An environment variable, where one is named, goes before the option. */
export interface ProbesOptions {
  /** Model keys. `PROBE_MODEL`. Default: `local/tesseract` for images, the simulated `sim/steady` for the other classes. */
  readonly models?: readonly string[]
  /** Samples per fixture and model. `PROBE_SAMPLES`. @default 5 */
  readonly samples?: number
  /** Spend ceiling per model and run, in US dollars. `PROBE_ENVELOPE_USD`. @default 1 */
  readonly envelopeUsd?: number
  /** Folder for result files. `PROBE_OUT`. @default 'results' */
  readonly out?: string
  /** Folder of fixtures, one folder per class inside. `PROBE_FIXTURES`. @default 'fixtures' */
  readonly fixtures?: string
  /** Most calls open at once per provider. `PROBE_CONCURRENCY`. @default 16 */
  readonly concurrency?: number
  /** Serving path of structured samples. `PROBE_RUNG`. @default 'auto' */
  readonly rung?: 'auto' | Rung
  /** Deadline of one attempt in milliseconds, body included. `PROBE_TIMEOUT_MS`. @default 120000 */
  readonly timeoutMs?: number
  /** Folder of the call journal. `PROBE_JOURNAL`. @default '.probes/journal' */
  readonly journal?: string
  /** Output token limit of a request, part of its worst-case price. `PROBE_MAX_OUTPUT_TOKENS`. @default 16384 */
  readonly maxOutputTokens?: number
  /** Pause between the two calls of a caching sample, in milliseconds. `PROBE_CACHE_DELAY_MS`. @default as the provider's cache needs */
  readonly cacheDelayMs?: number
  /** Providers of your own. */
  readonly providers?: readonly Provider[]
  /** Prices by model key, before any other source. */
  readonly prices?: Readonly<Record<string, Price>>
}

/** Resolved options: every one set, frozen, passed on as an argument. `models` null: each class's default. */
export type Settings = Readonly<
  Required<Omit<ProbesOptions, 'models' | 'cacheDelayMs' | 'providers' | 'prices'>> & {
    cacheDelayMs: number | null
    models: readonly string[] | null
    providers: readonly Provider[]
    prices: Readonly<Record<string, Price>>
  }
>

interface Option<T> {
  readonly variable: string
  readonly fallback: T
  readonly allowed: string
  readonly fromText: (text: string) => unknown
  readonly accepts: (value: unknown) => boolean
}

const wholeNumber = (variable: string, fallback: number, most: number): Option<number> => ({
  variable,
  fallback,
  allowed: `a whole number from 1 to ${most}`,
  fromText: (text) => (/^\d+$/.test(text.trim()) ? Number(text) : text),
  accepts: (value) => Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= most,
})

const folder = (variable: string, fallback: string): Option<string> => ({
  variable,
  fallback,
  allowed: 'the path of a folder',
  fromText: (text) => text,
  accepts: (value) => typeof value === 'string' && value.trim() !== '' && !value.includes('\0'),
})

const OPTIONS = {
  models: {
    variable: 'PROBE_MODEL',
    fallback: null as readonly string[] | null,
    allowed: 'model keys like openai/gpt-5.2, in the variable separated by commas',
    fromText: (text: string) => [...new Set(text.split(',').map((key) => key.trim()))],
    accepts: (value: unknown) =>
      Array.isArray(value) && value.length > 0 && value.every((key) => typeof key === 'string'),
  },
  samples: wholeNumber('PROBE_SAMPLES', 5, 10_000),
  envelopeUsd: {
    variable: 'PROBE_ENVELOPE_USD',
    fallback: 1,
    allowed: 'an amount in US dollars from 0 to 1000000, like 2.50',
    fromText: (text: string) => (/^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text),
    accepts: (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1_000_000,
  },
  out: folder('PROBE_OUT', 'results'),
  fixtures: folder('PROBE_FIXTURES', 'fixtures'),
  concurrency: wholeNumber('PROBE_CONCURRENCY', 16, 10_000),
  rung: {
    variable: 'PROBE_RUNG',
    fallback: 'auto' as 'auto' | Rung,
    allowed: 'auto, native, json_mode',
    fromText: (text: string) => text,
    accepts: (value: unknown) => value === 'auto' || value === 'native' || value === 'json_mode',
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

const OPTIONS_PLACE = 'probes() options'
const NAMES = Object.keys(OPTIONS) as (keyof typeof OPTIONS)[]
const VARIABLES: ReadonlySet<string> = new Set(NAMES.map((name) => OPTIONS[name].variable))
/** Part of the interface, not of this version: passing over them could cost money twice. */
const NOT_YET: ReadonlySet<string> = new Set(['PROBE_RESUME', 'PROBE_SHARD', 'PROBE_LEDGER'])
const OTHER_NAMES: readonly string[] = ['providers', 'prices']

/**
 * Environment before plugin options before defaults. Nothing wrong is passed over: each bad value is a problem
 * that names its source, and stands at its default in the settings.
 */
export function resolveOptions(
  given: ProbesOptions,
  environment: Environment,
): { readonly settings: Settings; readonly problems: readonly ProbeError[] } {
  const problems: ProbeError[] = []
  const resolved: Record<string, unknown> = {}
  if (typeof given !== 'object' || given === null) {
    problems.push(new ProbeError('OPTION_INVALID', `${String(given)} is not an object`, { file: OPTIONS_PLACE }))
  }
  const options = typeof given === 'object' && given !== null ? given : {}
  for (const name of NAMES) resolved[name] = resolveOne(name, options, environment, problems)
  const place = environment.probe['PROBE_MODEL'] === undefined ? OPTIONS_PLACE : 'environment'
  const models = resolved['models'] as readonly string[] | null
  const good = models?.filter((key) => isModelKey(key, place, problems))
  resolved['models'] = good === undefined ? null : [...new Set(good)]
  for (const name of Object.keys(options)) {
    if (name in OPTIONS || OTHER_NAMES.includes(name)) continue
    problems.push(unknownName(name, OPTIONS_PLACE, [...NAMES, ...OTHER_NAMES]))
  }
  for (const name of Object.keys(environment.probe)) {
    if (!VARIABLES.has(name))
      problems.push(NOT_YET.has(name) ? notYet(name) : unknownName(name, 'environment', [...VARIABLES]))
  }
  const settings = { ...resolved, ...resolveProviders(options.providers, options.prices, problems) } as Settings
  return { settings: Object.freeze(settings), problems }
}

function resolveOne(
  name: keyof typeof OPTIONS,
  options: ProbesOptions,
  environment: Environment,
  problems: ProbeError[],
): unknown {
  const option: Option<unknown> = OPTIONS[name]
  const text = environment.probe[option.variable]
  const [value, field, file] =
    text === undefined ? [options[name], name, OPTIONS_PLACE] : [option.fromText(text), option.variable, 'environment']
  if (value === undefined) return option.fallback
  if (option.accepts(value)) return value
  const shown = typeof value === 'string' ? `"${value}"` : String(value)
  problems.push(new ProbeError('OPTION_INVALID', `${shown} is not allowed`, { file, field, allowed: option.allowed }))
  return option.fallback
}

function isModelKey(key: string, place: string, problems: ProbeError[]): boolean {
  try {
    parseModelKey(key)
    return true
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error
    const { code, message, allowed, fix } = error
    const field = place === 'environment' ? 'PROBE_MODEL' : 'models'
    problems.push(
      new ProbeError(code, message, { file: place, field, ...(allowed && { allowed }), ...(fix && { fix }) }),
    )
    return false
  }
}

function unknownName(name: string, file: string, known: readonly string[]): ProbeError {
  return new ProbeError('OPTION_INVALID', 'is not an option', { file, field: name, allowed: known.join(', ') })
}

function notYet(name: string): ProbeError {
  const fix = 'unset it'
  return new ProbeError('OPTION_INVALID', 'is not supported in this version', { file: 'environment', field: name, fix })
}
