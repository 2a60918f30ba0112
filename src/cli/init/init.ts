import { EXIT_STATUS } from '../../model/errors.ts'
import type { Command } from '../command.ts'
import { applyChanges } from './apply.ts'
import { planInit, type InitPlan } from './plan.ts'
import { packagesToInstall } from './repository.ts'
import { PLUGIN_ENTRY, PLUGIN_IMPORT } from './templates.ts'

export const initCommand: Command = {
  name: 'init',
  summary: 'Make this repository one that probes models: configuration, a probe file, a first fixture',
  flags: [],
  examples: ['modelrig-probes init'],
  statuses: {
    [EXIT_STATUS.done]: 'done, or nothing was left to do; no file is ever written over',
    [EXIT_STATUS.setup]:
      'something is in the way, or the Vitest here is another; all of it is listed, and nothing was changed',
  },
  run: init,
}

/** Adds what is missing for a first run, and says how to go on. */
async function init(): Promise<number> {
  const root = process.cwd()
  const plan = await planInit(root)
  applyChanges(root, plan.changes)
  console.log([...done(plan), '', ...next(plan, packagesToInstall(root))].join('\n'))
  return EXIT_STATUS.done
}

function done({ changes, kept }: InitPlan): string[] {
  const rows = [
    ...changes.map(({ kind, file, what }) => [kind, file, what]),
    ...kept.map(({ file, why }) => ['kept', file, why]),
  ]
  const width = Math.max(...rows.map(([, file]) => file!.length))
  return rows.map(([verb, file, what]) => `${verb!.padEnd(7)}  ${file!.padEnd(width)}  ${what}`)
}

function next({ lacksPlugin, unread }: InitPlan, missing: readonly string[]): string[] {
  return [
    ...(unread === null ? [] : [`Vitest does not read ${unread} any more: its projects go into test.projects.`, '']),
    ...(lacksPlugin === null ? [] : pluginLines(lacksPlugin)),
    ...(missing.length === 0
      ? []
      : ['Install what is missing:', '', `  npm install --save-dev ${missing.join(' ')}`, '']),
    'Run the first probe, on a simulated model that needs no key and costs nothing:',
    '',
    '  npx vitest run --project schema',
    '',
    'Then a real one, with its key in the environment (OPENAI_API_KEY for openai/…):',
    '',
    '  npx modelrig-probes run --class schema --model PROVIDER/MODEL --dry-run',
    '  npx modelrig-probes run --class schema --model PROVIDER/MODEL',
    '',
    'A vitest run without --project runs the probes too; without them: vitest run --project unit',
  ]
}

function pluginLines(file: string): string[] {
  return [
    `Add the plugin to ${file}: its import, and an entry among the plugins.`,
    '',
    `  ${PLUGIN_IMPORT}`,
    '',
    `  ${PLUGIN_ENTRY}`,
    '',
  ]
}
