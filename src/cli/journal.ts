import { resolve } from 'node:path'
import {
  journalContents,
  pruneJournal,
  type JournalContents,
  type PruneFilter,
} from '../gateway/journal/journal-folder.ts'
import { EXIT_STATUS, ProbeError } from '../model/errors.ts'
import { readEnvironment } from '../plugin/environment.ts'
import { resolveOptions } from '../plugin/options.ts'
import { chosenClasses } from './chosen-classes.ts'
import { flagTexts, listOf, oneText, type FlagTexts } from './flag-texts.ts'

/** Flags of `journal` that take a value. */
const FLAGS = ['journal', 'model', 'class', 'before']

/**
 * Shows what the call journal holds, or prunes it.
 * @param argv arguments after the command.
 * @returns the exit status.
 * @throws ProbeError `OPTION_INVALID` naming what is wrong.
 */
export async function journal(argv: readonly string[], action: string | undefined, asJson: boolean): Promise<number> {
  const texts = flagTexts(argv, FLAGS)
  const { settings } = resolveOptions({}, readEnvironment())
  const folder = resolve(oneText(texts, 'journal') ?? settings.journal)
  if (action === 'prune') {
    const gone = await pruneJournal(folder, filterOf(texts))
    console.log(`${gone} ${gone === 1 ? 'call is' : 'calls are'} gone from ${folder}`)
    return EXIT_STATUS.done
  }
  if (action !== undefined) {
    throw new ProbeError('OPTION_INVALID', `there is no action "${action}"`, { field: 'journal', allowed: 'prune' })
  }
  const given = FLAGS.slice(1).find((name) => texts[name]?.length)
  if (given !== undefined) throw new ProbeError('OPTION_INVALID', 'goes with prune alone', { field: `--${given}` })
  show(await journalContents(folder), folder, asJson)
  return EXIT_STATUS.done
}

/** What is thrown away is said, not guessed: no filter is no prune. */
function filterOf(texts: FlagTexts): PruneFilter {
  const modelKey = oneText(texts, 'model')
  const [probeClass] = chosenClasses(listOf(texts, 'class'))
  const day = oneText(texts, 'before')
  if (day !== undefined && !(/^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)))) {
    throw new ProbeError('OPTION_INVALID', `"${day}" is not a day`, {
      field: '--before',
      allowed: 'a UTC day like 2026-11-30',
    })
  }
  if (modelKey === undefined && probeClass === undefined && day === undefined) {
    throw new ProbeError('OPTION_INVALID', 'nothing is chosen to be thrown away', {
      field: 'journal prune',
      allowed: '--model, --class, --before, together or alone',
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
