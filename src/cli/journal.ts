import { resolve } from 'node:path'
import {
  journalContents,
  pruneJournal,
  type JournalContents,
  type PruneFilter,
} from '../gateway/journal/journal-folder.ts'
import { EXIT_STATUS, ProbeError } from '../model/errors.ts'
import { PROBE_CLASSES, type ProbeClass } from '../model/fixture.ts'
import { readEnvironment } from '../plugin/environment.ts'
import { resolveOptions } from '../plugin/options.ts'
import type { Command, Flag, Given } from './command.ts'
import { optionFlag } from './option-flags.ts'
import { JSON_FLAG } from './shared-flags.ts'

/** Flags that say what is thrown away. */
const CHOICES: readonly Flag[] = [
  { name: 'model', value: 'key', meaning: 'Prune the calls of this model' },
  { name: 'class', value: 'class', oneOf: PROBE_CLASSES, meaning: 'Prune the calls of this class' },
  { name: 'before', value: 'day', meaning: 'Prune the calls that began before this UTC day' },
]

export const journalCommand: Command = {
  name: 'journal',
  operands: '[prune]',
  summary: 'Show what the call journal holds; "prune" throws calls away',
  flags: [optionFlag('journal'), ...CHOICES, JSON_FLAG],
  examples: ['modelrig-probes journal', 'modelrig-probes journal prune --before 2026-11-01'],
  statuses: {
    [EXIT_STATUS.done]: 'shown, or pruned',
    [EXIT_STATUS.checkFailed]: 'the journal cannot be read, or the command was wrong',
  },
  run: journal,
}

/** Shows what the call journal holds, or prunes it. */
async function journal(given: Given): Promise<number> {
  const [action, ...others] = given.operands
  const { settings } = resolveOptions({}, readEnvironment())
  const folder = resolve(given.one('journal') ?? settings.journal)
  if ((action !== undefined && action !== 'prune') || others.length > 0) {
    const unknown = action === 'prune' ? others.join(' ') : action
    throw new ProbeError('OPTION_INVALID', `there is no action "${unknown}"`, { field: 'journal', allowed: 'prune' })
  }
  if (action === 'prune') {
    const gone = await pruneJournal(folder, filterOf(given))
    if (given.has('json')) console.log(JSON.stringify({ folder, gone }, null, 2))
    else console.log(`${gone} ${gone === 1 ? 'call is' : 'calls are'} gone from ${folder}`)
    return EXIT_STATUS.done
  }
  const choice = CHOICES.find(({ name }) => given.has(name))
  if (choice !== undefined)
    throw new ProbeError('OPTION_INVALID', 'goes with prune alone', { field: `--${choice.name}` })
  show(await journalContents(folder), folder, given.has('json'))
  return EXIT_STATUS.done
}

/** What is thrown away is said, not guessed: no filter is no prune. */
function filterOf(given: Given): PruneFilter {
  const modelKey = given.one('model')
  const probeClass = given.one('class') as ProbeClass | undefined
  const day = given.one('before')
  if (day !== undefined && !(/^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)))) {
    throw new ProbeError('OPTION_INVALID', `"${day}" is not a day`, {
      field: '--before',
      allowed: 'a UTC day like 2026-11-30',
    })
  }
  if (modelKey === undefined && probeClass === undefined && day === undefined) {
    throw new ProbeError('OPTION_INVALID', 'nothing is chosen to be thrown away', {
      field: 'journal prune',
      allowed: CHOICES.map(({ name }) => `--${name}`).join(', ') + ', together or alone',
    })
  }
  return { ...(modelKey && { modelKey }), ...(probeClass && { probeClass }), ...(day && { before: day }) }
}

function show({ summaries, torn }: JournalContents, folder: string, asJson: boolean): void {
  if (asJson) return console.log(JSON.stringify({ summaries, torn }, null, 2))
  if (summaries.length === 0) console.log(`no calls in ${folder}`)
  for (const { modelKey, probeClass, calls, replies, runs, costUsd, first, last } of summaries) {
    const counts = `${calls} calls (${replies} replies) of ${runs} ${runs === 1 ? 'run' : 'runs'}, $${costUsd}`
    console.log(`${modelKey} · ${probeClass}: ${counts}, ${first.slice(0, 10)} to ${last.slice(0, 10)}`)
  }
  for (const [file, lines] of Object.entries(torn)) console.log(`${file}: ${lines} cut short, and left out`)
}
