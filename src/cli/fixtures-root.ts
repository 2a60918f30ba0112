import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ProbeError, SetupError } from '../model/errors.ts'
import { readEnvironment } from '../plugin/environment.ts'
import { resolveOptions } from '../plugin/options.ts'
import type { Given } from './command.ts'

/**
 * The absolute folder of fixtures that a command is about: `--fixtures`, or where runs look for them.
 * @throws SetupError when it is not there.
 */
export function fixturesRoot(given: Given): string {
  const root = resolve(given.one('fixtures') ?? resolveOptions({}, readEnvironment()).settings.fixtures)
  if (existsSync(root)) return root
  throw new SetupError([
    new ProbeError('FIXTURES_EMPTY', 'there is no such folder', { file: root, field: '--fixtures' }),
  ])
}
