import { PROBE_CLASSES } from '../model/fixture.ts'
import type { Flag } from './command.ts'
import { optionFlag } from './option-flags.ts'

/** `--class`, for any number of classes. */
export const classFlag = (meaning: string): Flag => ({
  name: 'class',
  value: 'class',
  list: true,
  oneOf: PROBE_CLASSES,
  meaning,
})

/** `--json` of commands whose output machines read. */
export const JSON_FLAG: Flag = { name: 'json', meaning: 'Print JSON' }

/** `--fixtures` of commands that only look at them. */
export const FIXTURES_FLAG: Flag = optionFlag('fixtures')
