import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { messageOf, ProbeError } from '../../model/errors.ts'

/** Ends of the names of files that are taken aside to be pruned. */
const ASIDE = /\.pruning-[0-9a-f-]+\.jsonl$/

/** Names of the journal files in a folder, without those that are taken aside; none where it is not there. */
export async function journalFiles(folder: string): Promise<string[]> {
  const names = (await namesIn(folder)).map((name) => name.replace(ASIDE, '.jsonl'))
  return [...new Set(names)].toSorted()
}

/** Names of what was taken aside of a file, by a prune that is still at it or was cut short. */
export async function asideFiles(file: string): Promise<string[]> {
  const names = await namesIn(dirname(file))
  return names.filter((name) => ASIDE.test(name) && name.replace(ASIDE, '.jsonl') === basename(file))
}

/** A name for a file that is taken aside to be pruned. */
export function asideName(file: string, id: string): string {
  return file.replace(/\.jsonl$/, `.pruning-${id}.jsonl`)
}

/**
 * The text of a journal file, with what was taken aside of it: what a prune that was cut short has left there is in the
 * journal still. Nothing where there is no such file.
 * @throws ProbeError `JOURNAL_UNREADABLE`.
 */
export async function journalText(file: string): Promise<string> {
  const aside = await asideFiles(file)
  const paths = [...aside.map((name) => join(dirname(file), name)), file]
  const texts = await Promise.all(paths.map(textOf))
  // A prune that began or ended meanwhile has moved what was not read yet.
  const still = (await asideFiles(file)).join() === aside.join()
  return still ? texts.filter((text) => text !== '').join('\n') : journalText(file)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).toSorted()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw unreadable(folder, cause)
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw unreadable(path, cause)
  }
}

function unreadable(file: string, cause: unknown): ProbeError {
  return new ProbeError('JOURNAL_UNREADABLE', `cannot read the call journal: ${messageOf(cause)}`, {
    file,
    fix: 'mend its permissions, or run without --resume',
    cause,
  })
}
