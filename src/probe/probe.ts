import { join, relative } from 'node:path'
import { describe, test } from 'vitest'
import { resolveFixture } from '../fixtures/load.ts'
import { fixtureProblems } from '../fixtures/validate.ts'
import type { CaseMeta } from '../model/case-meta.ts'
import { ProbeError, SetupError } from '../model/errors.ts'
import { PROBE_CLASSES, type LoadedFixture, type ProbeClass } from '../model/fixture.ts'
import { printable } from '../model/printable.ts'
import { thresholdLine } from '../stats/threshold-line.ts'
import { withoutStack } from './case-errors.ts'
import { plainFixture } from './plain-fixture.ts'
import { ProbeCase } from './probe-case.ts'
import { checkOptions, demandsOf, type ProbeOptions } from './probe-options.ts'
import type { AnswerTo, TypedFixture } from './typed-fixture.ts'
import { currentSession, type ProbeSession } from './session.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Set on the test cases of `probe()`. */
    probe?: CaseMeta
  }
}

/** Registers one fixture as a test case per model. */
export interface ProbeFunction {
  /**
   * @param fixture as written in a fixture file; images are looked for in the fixtures folder of its class.
   * @throws SetupError with every problem of the fixture.
   */
  <const Schema>(fixture: TypedFixture<Schema>, options?: ProbeOptions<AnswerTo<Schema>>): void
  /** Registers the case but takes no sample. */
  readonly skip: <const Schema>(fixture: TypedFixture<Schema>, options?: ProbeOptions<AnswerTo<Schema>>) => void
  /** Of this file, only the cases registered so are run. */
  readonly only: <const Schema>(fixture: TypedFixture<Schema>, options?: ProbeOptions<AnswerTo<Schema>>) => void
}

type Mode = 'run' | 'skip' | 'only'

/** Registers a fixture that stands in the probe file. */
export const probe: ProbeFunction = Object.assign(probeAs('run'), { skip: probeAs('skip'), only: probeAs('only') })

function probeAs(mode: Mode): ProbeFunction['skip'] {
  return (fixture, options) => probeInline(fixture, options as ProbeOptions | undefined, mode)
}

/**
 * Registers every JSON fixture of a class. A fixture that cannot be used becomes a failing test that says why,
 * beside the good ones.
 * @param filter keeps the fixtures it answers true for.
 */
export function probeFixtures(
  probeClass: ProbeClass,
  filter: (fixture: LoadedFixture) => boolean = () => true,
  options: ProbeOptions = {},
): void {
  const session = requireSession()
  if (!PROBE_CLASSES.includes(probeClass)) {
    const allowed = PROBE_CLASSES.join(', ')
    throw new SetupError([new ProbeError('OPTION_INVALID', `there is no class "${String(probeClass)}"`, { allowed })])
  }
  if (typeof filter !== 'function') {
    const fix = 'options come third: probeFixtures(probeClass, () => true, options)'
    throw new SetupError([new ProbeError('OPTION_INVALID', 'is no function', { ...FILTER, fix })])
  }
  checkOptions(options, probeClass)
  const { fixtures, problems } = session.fixturesOf(probeClass)
  const wanted = fixtures.filter((loaded) => isKept(filter, loaded))
  // Vitest calls a group without cases a failure of its own.
  const models = wanted.length > 0 ? new Set(options.models ?? session.settings.models) : []
  for (const modelKey of models) {
    describe(modelKey, () => {
      for (const loaded of wanted) registerCase(session, modelKey, loaded, options, 'run')
    })
  }
  if (wanted.length === 0 && problems.length === 0) {
    const folder = join(session.settings.fixturesDir, probeClass)
    const fix = 'put fixtures there, name another folder with PROBE_FIXTURES, or let the filter keep one'
    throw new SetupError([new ProbeError('FIXTURES_EMPTY', 'no fixture is left to probe', { file: folder, fix })])
  }
  for (const problem of problems) {
    const file = problem.file === undefined ? probeClass : relative(process.cwd(), problem.file)
    test(printable(`${file}: ${problem.field ?? problem.code}`), () => {
      throw withoutStack(problem)
    })
  }
}

const FILTER = { file: 'probeFixtures()', field: 'filter', allowed: 'a function that answers true or false' }

/** @throws SetupError for a filter that is none: a promise would keep, and buy, every fixture. */
function isKept(filter: (fixture: LoadedFixture) => unknown, loaded: LoadedFixture): boolean {
  const kept = filter(loaded)
  if (typeof kept !== 'object' || kept === null || !('then' in kept)) return Boolean(kept)
  throw new SetupError([new ProbeError('OPTION_INVALID', `answers ${loaded.id} with a promise`, FILTER)])
}

function probeInline(fixture: unknown, options: ProbeOptions = {}, mode: Mode): void {
  const session = requireSession()
  const plain = plainFixture(fixture)
  const place = `probe(${typeof plain?.id === 'string' ? plain.id : 'a fixture'})`
  const problems = fixtureProblems(plain, place)
  if (problems.length > 0) throw new SetupError(problems)
  checkOptions(options, plain.class)
  const folder = join(session.settings.fixturesDir, plain.class)
  const loaded = resolveFixture(plain, { folder, file: null })
  if (Array.isArray(loaded)) throw new SetupError(loaded)
  for (const modelKey of new Set(options.models ?? session.settings.models)) {
    describe(modelKey, () => registerCase(session, modelKey, loaded as LoadedFixture, options, mode))
  }
}

function registerCase(
  session: ProbeSession,
  modelKey: string,
  loaded: LoadedFixture,
  options: ProbeOptions,
  mode: Mode,
): void {
  const drafted = new ProbeCase(session, modelKey, loaded, demandsOf(options, session.settings.samples))
  session.draft(drafted)
  const define = mode === 'run' ? test.concurrent : test.concurrent[mode]
  // No time limit of Vitest's: the gateway keeps a deadline for every call.
  define(loaded.id, { timeout: 0, meta: { probe: drafted.meta } }, async ({ task, skip, annotate }) => {
    const probeCase = await session.caseOf(task.id, drafted)
    task.meta.probe = probeCase.meta
    await probeCase.finished()
    if (probeCase.plannedOnly) skip('planned only: nothing was called')
    for (const judged of await probeCase.measured()) {
      if (judged.verdict === 'inconclusive') await annotate(thresholdLine(judged), 'warning')
    }
  })
}

function requireSession(): ProbeSession {
  const session = currentSession()
  if (session === null) {
    throw new ProbeError('NOT_IN_PROBE_POOL', 'probe() was called outside a probe project', {
      fix: 'add probes() from modelrig-probes/plugin to the plugins of vitest.config.ts and keep probe files in probes/',
    })
  }
  return session
}
