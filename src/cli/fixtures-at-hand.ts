import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadFixtureFolder } from '../fixtures/load.ts'
import { describeProblem } from '../model/errors.ts'
import { PROBE_CLASSES, type LoadedFixture } from '../model/fixture.ts'
import { readEnvironment } from '../plugin/environment.ts'
import { resolveOptions } from '../plugin/options.ts'
import type { Given } from './command.ts'
import { fixturesRoot } from './fixtures-root.ts'

/** Looked up by the hash in a result: what was measured was checked then. */
const MEASURED = { has: () => true }

/**
 * The fixtures of all classes in `--fixtures`, or where runs look for them, to look up what was measured by its hash: none
 * where nobody named a folder and that one is not there.
 * @throws SetupError when the folder that was named is not there.
 */
export function fixturesIfAny(given: Given): readonly LoadedFixture[] {
  const root = fixturesRootIfAny(given)
  return root === null ? [] : fixturesIn(root)
}

/**
 * The folder of these; null: nobody named one, and the usual one is not there.
 * @throws SetupError when the folder that was named is not there.
 */
export function fixturesRootIfAny(given: Given): string | null {
  const named = given.one('fixtures') !== undefined
  const usual = resolve(resolveOptions({}, readEnvironment()).settings.fixtures)
  return named || existsSync(usual) ? fixturesRoot(given) : null
}

/** The fixtures of all classes in a folder, to look up what was measured by its hash. What is wrong with others is told. */
export function fixturesIn(root: string): readonly LoadedFixture[] {
  return PROBE_CLASSES.flatMap((probeClass) => {
    const { fixtures, problems } = loadFixtureFolder(root, probeClass, MEASURED)
    for (const problem of problems) console.error(describeProblem(problem))
    return fixtures
  })
}
