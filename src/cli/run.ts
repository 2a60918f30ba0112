import { fileURLToPath } from 'node:url'
import type { Vitest } from 'vitest/node'
import { EXIT_STATUS, ProbeError, SetupError } from '../model/errors.ts'
import type { ProbeClass } from '../model/fixture.ts'
import { readEnvironment } from '../plugin/environment.ts'
import { DRY_RUN, setFlags, type Flags } from '../plugin/flags.ts'
import { FIXTURE, noFixture } from '../plugin/named-fixtures.ts'
import { resolveOptions } from '../plugin/options.ts'
import { findProbeFiles } from '../plugin/probe-files.ts'
import type { Command, Given } from './command.ts'
import { STATUSES } from './exit-statuses.ts'
import { OPTION_FLAGS } from './option-flags.ts'
import { classFlag } from './shared-flags.ts'
import { configFiles } from './vitest-config.ts'

/** What a folder without a configuration of its own is run with. */
const DEFAULT_CONFIG = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './default.config.ts' : './default.config.js', import.meta.url),
)

export const runCommand: Command = {
  name: 'run',
  summary: 'Measure models: the probe projects of this folder, through Vitest',
  flags: [
    ...OPTION_FLAGS,
    { ...classFlag('Only this probe class'), preset: 'default all that have probe files' },
    { name: FIXTURE, value: 'id', list: true, meaning: 'Only this fixture' },
    { name: DRY_RUN, meaning: 'Only say what would be called and what it may cost; calls nothing' },
  ],
  valueProblems,
  elsewhere: {
    flags: ['reporter', 'outputFile', 'project', 'config', 'watch', 'ui', 'bail', 'testNamePattern', 't'],
    fix: 'flags of Vitest go with Vitest: npx vitest run --project schema --reporter=…',
  },
  examples: [
    'modelrig-probes run --class schema --samples 10',
    'modelrig-probes run --model openai/gpt-5.2,gemini/gemini-2.5-flash --envelope 2 --dry-run',
    'modelrig-probes run --model openai/gpt-5.2 --class schema --samples 10 --envelope 2 --resume',
  ],
  statuses: {
    ...STATUSES,
    [EXIT_STATUS.done]: 'all samples were measured',
    [EXIT_STATUS.checkFailed]: 'a test failed, or the command was wrong; the message names the flag',
    [EXIT_STATUS.setup]:
      'something in the set-up is wrong: all of it is listed, and nothing was called; or a fixture or a probe file cannot be used, and the others were measured',
  },
  run,
}

/**
 * Starts the probe projects of the working directory through Vitest's own API.
 * @throws SetupError for what keeps the run from starting, ProbeError for fixtures that there are none of.
 */
async function run(given: Given): Promise<number> {
  const classes = classesToRun(given.list('class') as readonly ProbeClass[])
  const fixtures = given.list(FIXTURE)
  setFlags({
    ...optionFlags(given),
    ...(given.has(DRY_RUN) && { [DRY_RUN]: '1' }),
    ...(fixtures.length > 0 && { [FIXTURE]: fixtures.join(',') }),
  })
  const { startVitest } = await import('vitest/node')
  const options = {
    run: true,
    watch: false,
    project: [...classes],
    ...(fixtures.length > 0 && { testNamePattern: named(fixtures) }),
    root: process.cwd(),
    ...(configFiles(process.cwd()).length === 0 && { config: DEFAULT_CONFIG }),
  }
  const vitest = await startVitest('test', [], options).catch((error: unknown) => {
    throw withoutPlugin(error) ?? error
  })
  await vitest.close()
  // What a probe file that could not be loaded would have measured, nobody knows; the run has said why.
  if (vitest.state.getTestModules().some((module) => module.errors().length > 0))
    return Number(process.exitCode ?? EXIT_STATUS.checkFailed)
  const unknown = fixtures.filter((id) => !testNames(vitest).has(id))
  if (unknown.length > 0) throw noFixture(unknown, classes)
  if (fixtures.length > 0 && !ranAny(vitest)) throw onlySkipped(fixtures)
  return Number(process.exitCode ?? EXIT_STATUS.done)
}

function optionFlags(given: Given): Flags {
  const set = OPTION_FLAGS.filter(({ name }) => given.has(name))
  return Object.fromEntries(
    set.map(({ name, value, list }) => {
      if (value === undefined) return [name, '1']
      return [name, list ? given.list(name).join(',') : given.one(name)]
    }),
  )
}

/** Values that cannot be used. What is wrong with models alone is a matter of the set-up, where all of them are looked at. */
function valueProblems(given: Given): ProbeError[] {
  const { problems } = resolveOptions({}, readEnvironment({}), optionFlags(given))
  if (!problems.some(({ code }) => code === 'OPTION_INVALID')) return []
  return problems.map(
    ({ code, message, field = '', allowed = '' }) => new ProbeError(code, message, { field, allowed }),
  )
}

/** The chosen classes, or all that have probe files. */
function classesToRun(chosen: readonly ProbeClass[]): readonly ProbeClass[] {
  const there = [...findProbeFiles(process.cwd()).keys()].filter((key) => key !== 'unclear')
  const missing = chosen.filter((probeClass) => !there.includes(probeClass))
  const wanted = chosen.length > 0 ? chosen : there
  if (missing.length === 0 && wanted.length > 0) return wanted
  throw new SetupError((missing.length > 0 ? missing : ['schema' as const]).map(noProbeFile))
}

function noProbeFile(probeClass: ProbeClass): ProbeError {
  const text = `import { probeFixtures } from 'modelrig-probes'; probeFixtures('${probeClass}')`
  return new ProbeError('FIXTURES_EMPTY', `there is no probe file of class ${probeClass} here`, {
    file: 'probes/',
    fix: `add probes/${probeClass}.probe.ts with: ${text}`,
  })
}

/** Tests are named `model > fixture`, in the pattern with spaces. */
function named(ids: readonly string[]): RegExp {
  return new RegExp(`(^| )(${ids.map(escaped).join('|')})$`)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}

function testNames(vitest: Vitest): ReadonlySet<string> {
  const modules = vitest.state.getTestModules()
  return new Set(modules.flatMap(({ children }) => [...children.allTests()].map(({ name }) => name)))
}

function ranAny(vitest: Vitest): boolean {
  const tests = vitest.state.getTestModules().flatMap(({ children }) => [...children.allTests()])
  // What a dry run has asked for is skipped in Vitest's terms, and has a refusal to show.
  return tests.some((test) => test.result().state !== 'skipped' || (test.meta().probe?.refusal ?? null) !== null)
}

function onlySkipped(ids: readonly string[]): ProbeError {
  return new ProbeError(
    'OPTION_INVALID',
    `nothing was measured: ${ids.join(', ')} is skipped, or left out by an "only"`,
    {
      field: `--${FIXTURE}`,
      fix: 'look at probe.skip and probe.only in the probe files',
    },
  )
}

/** The problem of a configuration without the plugin; null for any other error. */
function withoutPlugin(error: unknown): SetupError | null {
  if (!(error instanceof Error) || !/No projects matched/.test(error.message)) return null
  const problem = new ProbeError('OPTION_INVALID', 'the configuration has no probe projects', {
    file: configFiles(process.cwd())[0] ?? 'vitest.config.ts',
    fix: 'add probes() from modelrig-probes/plugin to its plugins',
  })
  return new SetupError([problem])
}
