import type { Rung } from '../model/call.ts'
import { didYouMean } from '../model/closest.ts'
import { ProbeError } from '../model/errors.ts'
import { parseModelKey } from '../model/model-key.ts'
import type { Price, Provider } from '../providers/provider.ts'
import type { Environment } from './environment.ts'
import type { Flags } from './flags.ts'
import { checkedRenderForm, type RenderForm } from './form-renderer.ts'
import { OPTIONS, PLUGIN_OPTIONS, type Option, type OptionName } from './option-table.ts'
import { resolveProviders } from './provider-options.ts'

/** Options of `probes()`. An environment variable, where one is named, goes before the option. */
export interface ProbesOptions {
  /** Model keys. `PROBE_MODEL`. Default: `local/tesseract` for images, the simulated `sim/steady` for the other classes. */
  readonly models?: readonly string[]
  /** Samples per fixture and model. `PROBE_SAMPLES`. @default 5 */
  readonly samples?: number
  /**
   * Samples each fixture, after its first `samples`, until the 95 % intervals of the rates its class is judged by are
   * within ± this much. `PROBE_UNTIL`. @default a fixed number of samples
   */
  readonly until?: number
  /** Spend ceiling per model and run, in US dollars. `PROBE_ENVELOPE_USD`. @default 1; in watch mode 0.25, for the whole session */
  readonly envelopeUsd?: number
  /** Folder for result files. `PROBE_OUT`. @default 'results' */
  readonly out?: string
  /** Folder of fixtures, one folder per class inside. `PROBE_FIXTURES`. @default 'fixtures' */
  readonly fixtures?: string
  /** Most calls open at once per provider. `PROBE_CONCURRENCY`. @default 16 */
  readonly concurrency?: number
  /** Serving path of structured samples. `PROBE_RUNG`. @default 'auto' */
  readonly rung?: 'auto' | Rung
  /** Part of the run to measure here, `i/n`: the others are measured elsewhere. `PROBE_SHARD`. @default all of it */
  readonly shard?: string
  /** Redis in which all shards of a run share one envelope: `redis://host:port/db`. `PROBE_LEDGER`. @default an envelope of one’s own */
  readonly ledger?: string
  /** Answers what is in the call journal from there, and buys the rest. `PROBE_RESUME` (1). @default false */
  readonly resume?: boolean
  /** Deadline of one attempt in milliseconds, body included. `PROBE_TIMEOUT_MS`. @default 120000 */
  readonly timeoutMs?: number
  /** Folder of the call journal. `PROBE_JOURNAL`. @default '.probes/journal' */
  readonly journal?: string
  /** Whether a run shows how far it is. `PROBE_PROGRESS`. @default 'auto' */
  readonly progress?: 'auto' | 'off'
  /** Output token limit of a request, part of its worst-case price. `PROBE_MAX_OUTPUT_TOKENS`. @default 16384 */
  readonly maxOutputTokens?: number
  /** Pause between the two calls of a caching sample, in milliseconds. `PROBE_CACHE_DELAY_MS`. @default as the provider's cache needs */
  readonly cacheDelayMs?: number
  /** Providers of your own. */
  readonly providers?: readonly Provider[]
  /** Prices by model key, before any other source. */
  readonly prices?: Readonly<Record<string, Price>>
  /** Draws the PNG of an image fixture from its form, in watch mode, whenever the form is saved. @default saved forms are only told of */
  readonly renderForm?: RenderForm
}

/** Resolved options: every one set, frozen, passed on as an argument. `models` null: each class's default. */
export type Settings = Readonly<
  Required<
    Omit<
      ProbesOptions,
      'models' | 'until' | 'cacheDelayMs' | 'shard' | 'ledger' | 'providers' | 'prices' | 'renderForm'
    >
  > & {
    until: number | null
    cacheDelayMs: number | null
    shard: string | null
    ledger: string | null
    models: readonly string[] | null
    providers: readonly Provider[]
    prices: Readonly<Record<string, Price>>
    renderForm: RenderForm | null
  }
>

const OPTIONS_PLACE = 'probes() options'
const FLAGS_PLACE = 'command line'
const NAMES = Object.keys(OPTIONS) as OptionName[]
const VARIABLES: ReadonlySet<string> = new Set(NAMES.map((name) => OPTIONS[name].variable))
const OTHER_NAMES: readonly string[] = Object.keys(PLUGIN_OPTIONS)

/**
 * Command line before environment before plugin options before defaults. Nothing wrong is passed over: each bad value is a problem
 * that names its source, and stands at its default in the settings.
 */
export function resolveOptions(
  given: ProbesOptions,
  environment: Environment,
  flags: Flags = {},
  watch: boolean = false,
): { readonly settings: Settings; readonly problems: readonly ProbeError[] } {
  const problems: ProbeError[] = []
  const resolved: Record<string, unknown> = {}
  if (typeof given !== 'object' || given === null) {
    problems.push(new ProbeError('OPTION_INVALID', `${String(given)} is not an object`, { file: OPTIONS_PLACE }))
  }
  const options = typeof given === 'object' && given !== null ? given : {}
  const sources = { options, environment, flags, watch }
  for (const name of NAMES) resolved[name] = resolveOne(name, sources, problems)
  const place = placeOf('models', sources)
  const models = resolved['models'] as readonly string[] | null
  const good = models?.filter((key) => isModelKey(key, place, problems))
  resolved['models'] = good === undefined ? null : [...new Set(good)]
  for (const name of Object.keys(options)) {
    if (name in OPTIONS || OTHER_NAMES.includes(name)) continue
    problems.push(unknownName(name, OPTIONS_PLACE, [...NAMES, ...OTHER_NAMES]))
  }
  for (const name of Object.keys(environment.probe)) {
    if (!VARIABLES.has(name)) problems.push(unknownName(name, 'environment', [...VARIABLES]))
  }
  if (resolved['until'] !== null && resolved['shard'] !== null) {
    const message =
      'cannot be combined with a shard: how many samples a fixture needs shows only when all of them are seen'
    problems.push(new ProbeError('OPTION_INVALID', message, placeOf('until', sources)))
  }
  const providers = resolveProviders(options.providers, options.prices, problems)
  const renderForm = checkedRenderForm(options.renderForm, OPTIONS_PLACE, problems)
  const settings = { ...resolved, ...providers, renderForm } as Settings
  return { settings: Object.freeze(settings), problems }
}

/** Where options are set, first what goes first. */
interface Sources {
  readonly flags: Flags
  readonly environment: Environment
  readonly options: ProbesOptions
  readonly watch: boolean
}

/** The place that sets an option, and the name it has there. */
function placeOf(name: OptionName, { flags, environment }: Sources): { file: string; field: string } {
  const { flag, variable }: Option<unknown> = OPTIONS[name]
  if (flag !== undefined && flags[flag] !== undefined) return { file: FLAGS_PLACE, field: `--${flag}` }
  return environment.probe[variable] === undefined
    ? { file: OPTIONS_PLACE, field: name }
    : { file: 'environment', field: variable }
}

function resolveOne(name: OptionName, sources: Sources, problems: ProbeError[]): unknown {
  const option: Option<unknown> = OPTIONS[name]
  const { flag = '', variable, fromText, accepts, allowed, secret } = option
  const fallback = sources.watch ? (option.watchFallback ?? option.fallback) : option.fallback
  const text = sources.flags[flag] ?? sources.environment.probe[variable]
  const value = text === undefined ? sources.options[name] : fromText(text)
  if (value === undefined) return fallback
  if (accepts(value)) return value
  const shown = secret ? 'what it is set to' : typeof value === 'string' ? `"${value}"` : String(value)
  const place = placeOf(name, sources)
  problems.push(new ProbeError('OPTION_INVALID', `${shown} is not allowed`, { ...place, allowed }))
  return fallback
}

function isModelKey(key: string, place: { file: string; field: string }, problems: ProbeError[]): boolean {
  try {
    parseModelKey(key)
    return true
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error
    const { code, message, allowed, fix } = error
    problems.push(new ProbeError(code, message, { ...place, ...(allowed && { allowed }), ...(fix && { fix }) }))
    return false
  }
}

function unknownName(name: string, file: string, known: readonly string[]): ProbeError {
  return new ProbeError('OPTION_INVALID', 'is not an option', {
    file,
    field: name,
    allowed: known.join(', '),
    ...didYouMean(name, known),
  })
}
