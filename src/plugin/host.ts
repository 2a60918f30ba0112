import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { PlanReporter } from '../../reporters/plan-reporter.ts'
import { usd } from '../../reporters/words.ts'
import { ProbeReporter } from '../../reporters/probe-reporter.ts'
import { ProgressReporter } from '../../reporters/progress-reporter.ts'
import type { ProgressDisplay } from '../../reporters/progress-display.ts'
import { RunCases, type Vouches } from '../../reporters/run-cases.ts'
import { CallPlan } from '../gateway/plan/call-plan.ts'
import { systemClock } from '../gateway/clock.ts'
import { Gateway } from '../gateway/gateway.ts'
import { fileJournal } from '../gateway/journal/journal.ts'
import { parseLedgerAddress, type LedgerAddress } from '../gateway/redis/address.ts'
import { RedisRun } from '../gateway/redis/redis-run.ts'
import { toNano, toUsd } from '../gateway/money/money.ts'
import { Replay } from '../gateway/journal/replay.ts'
import { ProbeError, SetupError } from '../model/errors.ts'
import { planRun } from '../gateway/plan/run-plan.ts'
import { redactor } from '../gateway/redact.ts'
import { PROBE_CLASSES, type ProbeClass } from '../model/fixture.ts'
import { parseShard } from '../model/shard.ts'
import { secretStripper, type StripSecrets } from '../pool/secrets.ts'
import type { SessionSettings, Undecodable } from '../probe/session.ts'
import { createProviderSet } from '../providers/provider-set.ts'
import { readEnvironment, type Environment } from './environment.ts'
import { currentFlags, DRY_RUN } from './flags.ts'
import { refuseUnknownFixtures } from './named-fixtures.ts'
import { resolveOptions, type ProbesOptions, type Settings } from './options.ts'
import { preflight } from './preflight.ts'
import { findProbeFiles } from './probe-files.ts'

/** What is probed when no model is named: what needs no key. */
const DEFAULT_MODELS: Readonly<Record<ProbeClass, readonly string[]>> = {
  schema: ['sim/steady'],
  grounding: ['sim/steady'],
  caching: ['sim/steady'],
  image: ['local/tesseract'],
}

/** The main-process side of one Vitest: settings, gateway and the rules for its workers. */
export class ProbeHost {
  readonly root: string
  readonly settings: Settings
  readonly gateway: Gateway
  readonly cases: RunCases
  /** Somebody ended the run by a signal. */
  interrupted = false
  readonly stripSecrets: StripSecrets
  /** Most US dollars to spend on a model here: of a shard, its part of the run's envelope. */
  readonly envelopeUsd: number
  readonly #runId = randomUUID()
  /** Of a run that only plans; null: the run is for real. */
  readonly #plan: CallPlan | null
  #checked: readonly string[] = []
  #broken: readonly ProbeError[] = []
  #undecodable: readonly Undecodable[] = []
  readonly #optionProblems: readonly ProbeError[]
  readonly #watch: boolean
  readonly environment: Environment
  readonly #replay: Replay | null

  /**
   * @param watch every save runs again what it touches: one envelope for all of it, and nothing is bought twice.
   * @param spentBefore US dollars spent on a model before the configuration was saved, in the same session.
   */
  constructor(root: string, options: ProbesOptions, watch: boolean, spentBefore?: (modelKey: string) => number) {
    const environment = readEnvironment()
    const flags = currentFlags()
    const { settings, problems } = resolveOptions(options, environment, flags, watch)
    this.root = root
    this.settings = settings
    this.envelopeUsd = envelopeOf(settings)
    this.#watch = watch
    this.environment = environment
    this.#replay = settings.resume || watch ? new Replay(this.path(settings.journal)) : null
    this.#optionProblems = problems
    const address = settings.ledger === null ? null : parseLedgerAddress(settings.ledger)
    const ofProviders = settings.providers.flatMap((provider) => provider.secrets ?? [])
    const secrets = [...environment.keys, ...ofProviders, ...(address?.secrets ?? [])]
    this.stripSecrets = secretStripper(['PROBE_LEDGER'], secrets)
    this.#plan = flags[DRY_RUN] === undefined ? null : new CallPlan()
    this.cases = new RunCases((modelKey, requestHash) => this.gateway.vouches(modelKey, requestHash))
    this.gateway = new Gateway({
      plan: this.#plan,
      providers: createProviderSet({ custom: settings.providers, environment }),
      prices: settings.prices,
      models: new Set(PROBE_CLASSES.flatMap((probeClass) => this.modelsOf(probeClass))),
      redact: redactor(secrets),
      shared: address === null ? null : sharedRun(address, settings),
      envelopeUsd: this.envelopeUsd,
      ...(spentBefore && { spentBefore }),
      concurrency: settings.concurrency,
      timeoutMs: settings.timeoutMs,
      journal: fileJournal(this.path(settings.journal)),
      replay: this.#replay,
      // A shared ledger has counted them when they were bought.
      countReplays: !watch && settings.ledger === null,
    })
  }

  /** A path of the settings, absolute. */
  path(setting: string): string {
    return resolve(this.root, setting)
  }

  modelsOf(probeClass: ProbeClass): readonly string[] {
    return this.settings.models ?? DEFAULT_MODELS[probeClass]
  }

  /** What keeps single fixtures of this run from being measured. */
  get broken(): readonly ProbeError[] {
    return this.#broken
  }

  /** What the user should know before the first call. */
  notices(classes: readonly ProbeClass[]): string[] {
    if (classes.length === 0) return []
    const bound = `watch: all runs of this session together spend at most ${usd(this.envelopeUsd)} per model`
    return [...this.#defaultsNotice(classes), ...(this.#watch ? [`${bound}; unchanged requests are replayed`] : [])]
  }

  #defaultsNotice(classes: readonly ProbeClass[]): string[] {
    if (this.settings.models !== null) return []
    const byModel = Map.groupBy(classes, (probeClass) => DEFAULT_MODELS[probeClass].join(', '))
    const each = [...byModel].map(([models, own]) => `${own.join(', ')}: ${models}${shownAs(models)}`)
    return [`no model is named; by default ${each.join('; ')}`]
  }

  /** Tells of the run at its end: what it measured, or what it would do. */
  reporter(): ProbeReporter | PlanReporter {
    const { out, envelopeUsd: runEnvelopeUsd, concurrency } = this.settings
    const { envelopeUsd } = this
    const interrupted = (): boolean => this.interrupted
    const brokenCodes = this.#broken.map(({ code }) => code)
    const plan = this.#plan
    if (plan !== null) {
      const journal = this.path(this.settings.journal)
      const spentUsd = (modelKey: string): number => this.gateway.spentUsd(modelKey)
      const isMost = this.settings.until !== null
      const about = { journal, envelopeUsd, spentUsd, concurrency, isMost }
      return new PlanReporter({ plan: () => planRun(plan.calls, about), interrupted, brokenCodes })
    }
    const tornLines = async (modelKey: string, probeClass: ProbeClass): Promise<number> =>
      (await this.#replay?.torn(modelKey, probeClass)) ?? 0
    const pacing = (modelKey: string) => this.gateway.pacing(modelKey)
    const spentUsd = (modelKey: string): number => this.gateway.spentUsd(modelKey)
    const vouches: Vouches = (modelKey, requestHash) => this.gateway.vouches(modelKey, requestHash)
    const options = {
      out: this.path(out),
      summaryFile: this.environment.summaryFile,
      envelopeUsd,
      runEnvelopeUsd,
      interrupted,
      brokenCodes,
      pacing,
      tornLines,
      vouches,
      spentUsd,
    }
    return new ProbeReporter(options, this.cases)
  }

  /** Whether runs only say what they would do. */
  get plansOnly(): boolean {
    return this.#plan !== null
  }

  /** Tells of the run while it goes. */
  progressReporter(display: ProgressDisplay): ProgressReporter {
    const { envelopeUsd, gateway } = this
    return new ProgressReporter({
      display,
      envelopeUsd,
      tally: this.cases.tally,
      spentUsd: (modelKey) => gateway.spentUsd(modelKey),
      callsNow: (modelKey) => gateway.callsNow(modelKey),
      clock: systemClock,
    })
  }

  /** What the workers of a class are told. */
  sessionSettings(probeClass: ProbeClass): SessionSettings {
    const { samples, until, concurrency, shard, maxOutputTokens, rung, cacheDelayMs, fixtures } = this.settings
    const models = this.modelsOf(probeClass)
    const about = {
      runId: this.#runId,
      fixturesDir: this.path(fixtures),
      checkedFixtures: this.#checked,
      undecodable: this.#undecodable,
    }
    const asked = { samples, until, concurrency, shard, maxOutputTokens, rung, cacheDelayMs }
    return { probeClass, models, ...asked, ...about }
  }

  /**
   * Checks the set-up of the classes that are about to run, before any call. Broken fixtures keep no other from being measured:
   * they are `broken`.
   * @returns those classes.
   * @throws SetupError with every problem, and with what is in order, where nothing can be measured as it was asked for;
   * ProbeError for fixtures that were chosen by name, and are not there.
   */
  async check(selected: (probeClass: ProbeClass) => boolean): Promise<readonly ProbeClass[]> {
    const files = findProbeFiles(this.root)
    const unclear = (files.get('unclear') ?? []).map(unclearFile)
    const classes = [...files.keys()].filter((key): key is ProbeClass => key !== 'unclear' && selected(key))
    if (classes.length === 0 && unclear.length === 0) return []
    const { problems, broken, undecodable, inOrder, checked } = await preflight({
      classes,
      fixturesDir: this.path(this.settings.fixtures),
      journal: this.path(this.settings.journal),
      results: this.path(this.settings.out),
      modelsOf: (probeClass) => this.modelsOf(probeClass),
      gateway: this.gateway,
    })
    this.#checked = checked
    this.#broken = broken
    this.#undecodable = undecodable
    const fatal = [...this.#optionProblems, ...unclear, ...problems]
    // In watch mode the next save may mend them.
    const nothingLeft = !this.#watch && checked.length === 0 && broken.length > 0
    if (fatal.length > 0 || nothingLeft) throw new SetupError([...fatal, ...broken], inOrder)
    refuseUnknownFixtures(currentFlags(), { root: this.root, fixturesDir: this.path(this.settings.fixtures), classes })
    return classes
  }
}

function sharedRun(address: LedgerAddress, { envelopeUsd, shard }: Settings): RedisRun {
  return new RedisRun(address, toNano(envelopeUsd), shard === null ? null : parseShard(shard))
}

/** All of it where the shards share a ledger. Else an equal part for each, rounded down to whole nano-dollars: together they never exceed the whole. */
function envelopeOf({ envelopeUsd, shard, ledger }: Settings): number {
  const parts = shard === null || ledger !== null ? 1 : (parseShard(shard)?.of ?? 1)
  return toUsd(Math.floor(toNano(envelopeUsd) / parts))
}

function shownAs(models: string): string {
  return models.startsWith('sim/') ? ' (simulated)' : ''
}

function unclearFile(file: string): ProbeError {
  return new ProbeError('OPTION_INVALID', 'cannot tell which class it probes', {
    file,
    fix: 'put it in probes/<class>/ or name it <class>.probe.ts, class one of schema, grounding, caching, image',
  })
}
