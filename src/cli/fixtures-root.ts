import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ProbeError, SetupError } from '../model/errors.ts'
import type { Environment } from '../plugin/environment.ts'
import { resolveOptions } from '../plugin/options.ts'
import { oneText, type FlagTexts } from './flag-texts.ts'

/**
 * The absolute folder of fixtures that a command is about: `--fixtures`, or where runs look for them.
 * @throws SetupError when it is not there.
 */
export function fixturesRoot(texts: FlagTexts, environment: Environment): string {
  const root = resolve(oneText(texts, 'fixtures') ?? resolveOptions({}, environment).settings.fixtures)
  if (existsSync(root)) return root
  throw new SetupError([
    new ProbeError('FIXTURES_EMPTY', 'there is no such folder', { file: root, field: '--fixtures' }),
  ])
}
