import type { Plugin, TestProjectInlineConfiguration } from 'vitest/config'
import type { Reporter, Vitest } from 'vitest/node'
import { describeProblem, EXIT_STATUS, SetupError } from '../model/errors.ts'
import { PROBE_CLASSES, type ProbeClass } from '../model/fixture.ts'
import { createProbePool, POOL_NAME } from '../pool/pool.ts'
import { ProbeHost } from './host.ts'
import { takeOverSignals } from './interrupt.ts'
import type { ProbesOptions } from './options.ts'
import { progressDisplay } from './progress.ts'
import { probeFilePatterns } from './probe-files.ts'
import { vitestProblem } from './vitest-version.ts'
import { watchFixtures } from './watch-fixtures.ts'

/** Vitest gives each project its own group, so that all files of a project reach its worker in one request. */
const FIRST_GROUP = 10
/** More test cases than any run has: the gateway alone decides how many calls are open. */
const ALL_AT_ONCE = 1_000_000

/**
 * The Vitest plugin: adds the projects `schema`, `grounding`, `caching` and `image` for the probe files below
 * `probes/`, runs them in a pool whose calls are made and paid for in the main process, and writes results.
 * A configuration without projects of its own keeps its tests, as the project `unit`.
 */
export function probes(options: ProbesOptions = {}): Plugin {
  return {
    name: 'modelrig-probes',
    config({ test }) {
      const own = test?.projects === undefined ? [{ extends: true as const, test: { name: 'unit' } }] : []
      return { test: { projects: [...own, ...PROBE_CLASSES.map(probeProject)] } }
    },
    async configureVitest({ vitest, project }) {
      const probeClass = PROBE_CLASSES.find((name) => name === project.name)
      if (probeClass === undefined) return
      const host = await hostOf(vitest, options)
      const pool = createProbePool({
        settings: host.sessionSettings(probeClass),
        gateway: host.gateway,
        hear: host.cases.hear,
        stripSecrets: host.stripSecrets,
      })
      // Whatever the command line or the configuration around it says: one worker takes all probe files at once, n
      // samples are taken inside a case, and files of other projects stay where they are.
      Object.assign(project.config, {
        ...probeFilePatterns(probeClass),
        pool: POOL_NAME,
        poolRunner: pool,
        environment: 'node',
        isolate: false,
        maxWorkers: 1,
        maxConcurrency: ALL_AT_ONCE,
        setupFiles: [],
        testTimeout: 0,
        retry: 0,
      })
    },
  }
}

const HOSTS = Symbol.for('modelrig-probes.hosts')
const slots = globalThis as { [HOSTS]?: WeakMap<Vitest, Hosted> }

interface Hosted {
  /** Null: Vitest has closed it, since its configuration was saved, and asks for another. */
  host: Promise<ProbeHost> | null
  /** Of all hosts so far: US dollars spent on a model. */
  spentUsd: (modelKey: string) => number
}

/**
 * The one host of a Vitest. Projects that extend the configuration evaluate it again, each with a plugin of its
 * own, even with a copy of this module: yet there may be but one envelope and one reporter.
 */
function hostOf(vitest: Vitest, options: ProbesOptions): Promise<ProbeHost> {
  const all = (slots[HOSTS] ??= new WeakMap())
  let hosted = all.get(vitest)
  if (hosted === undefined) {
    outliveLostOutput()
    all.set(vitest, (hosted = { host: null, spentUsd: () => 0 }))
  }
  hosted.host ??= openHost(vitest, options, hosted)
  return hosted.host
}

function probeProject(probeClass: ProbeClass, index: number): TestProjectInlineConfiguration {
  const sequence = { groupOrder: FIRST_GROUP + index }
  return { extends: true, test: { name: probeClass, ...probeFilePatterns(probeClass), sequence } }
}

async function openHost(vitest: Vitest, options: ProbesOptions, hosted: Hosted): Promise<ProbeHost> {
  const unfit = vitestProblem(vitest.version)
  if (unfit !== null) {
    process.exitCode = EXIT_STATUS.setup
    throw new SetupError([unfit])
  }
  const host = new ProbeHost(vitest.config.root, options, vitest.config.watch, hosted.spentUsd)
  // Vitest asks whoever ever listened, also those of servers that are gone.
  let closing: Promise<void> | null = null
  vitest.onClose(() => (closing ??= closeHost(host, hosted)))
  const classes = vitest.config.mergeReports ? [] : await checkSetup(vitest, host)
  for (const notice of host.notices(classes)) vitest.logger.log(notice)
  for (const problem of host.broken) vitest.logger.error(describeProblem(problem))
  showProgress(vitest, host)
  vitest.config.reporters.push(host.reporter() as never)
  // In watch mode Vitest itself reads Ctrl-C from the keyboard, and cancels. Otherwise: not before the run begins, when
  // Vitest and the servers of all projects have their listeners in place.
  if (vitest.config.watch) watchFixtures(vitest, host.path(host.settings.fixtures), host.settings.renderForm)
  else {
    vitest.config.reporters.push({
      onTestRunStart: () =>
        vitest.onClose(
          takeOverSignals(
            () => cancelRun(vitest, host),
            () => host.gateway.abandon(),
          ),
        ),
    } satisfies Reporter as never)
  }
  return host
}

function closeHost({ gateway }: ProbeHost, hosted: Hosted): Promise<void> {
  hosted.host = null
  hosted.spentUsd = (modelKey) => gateway.spentUsd(modelKey)
  return gateway.close()
}

function showProgress(vitest: Vitest, host: ProbeHost): void {
  if (host.plansOnly || vitest.config.mergeReports) return
  const display = progressDisplay(vitest, host.environment, host.settings)
  if (display === null) return
  const reporter = host.progressReporter(display)
  vitest.config.reporters.push(reporter as never)
  vitest.onClose(() => reporter.close())
}

/**
 * A reader or a terminal that went away (`| head`, a window that is closed), or a log on a disk that is full, must not take the
 * results with it: what is printed is worth less than what was paid for.
 */
function outliveLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

function cancelRun(vitest: Vitest, host: ProbeHost): void {
  host.interrupted = true
  // Not by way of the workers: they may not have begun, and would only interrupt what they begin.
  host.gateway.end()
  vitest.logger.error(
    'interrupted: waiting for calls in flight; interrupt again to leave at once. What is bought is kept: --resume, or PROBE_RESUME=1, goes on',
  )
  void vitest.cancelCurrentRun('keyboard-input')
}

async function checkSetup(vitest: Vitest, host: ProbeHost): Promise<readonly ProbeClass[]> {
  try {
    return await host.check((probeClass) => vitest.matchesProjectFilter(probeClass))
  } catch (error) {
    if (error instanceof SetupError) process.exitCode = EXIT_STATUS.setup
    await host.gateway.close()
    throw error
  }
}
