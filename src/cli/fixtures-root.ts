import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ProbeError, SetupError } from '../model/errors.ts'
import { readEnvironment } from '../plugin/environment.ts'
import { resolveOptions } from '../plugin/options.ts'
import type { Given } from './command.ts'

/**
 * The absolute folder of fixtures that a command is about: `--fixtures`, or where runs look for them.
 * @throws SetupError when it is not there, or no folder.
 */
export function fixturesRoot(given: Given): string {
  const root = resolve(given.one('fixtures') ?? resolveOptions({}, readEnvironment()).settings.fixtures)
  const there = statSync(root, { throwIfNoEntry: false })
  if (there?.isDirectory()) return root
  const message = there === undefined ? 'there is no such folder' : 'is no folder'
  const fix = 'name the folder that holds one folder per class'
  throw new SetupError([new ProbeError('FIXTURES_EMPTY', message, { file: root, field: '--fixtures', fix })])
}
