import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messageOf, ProbeError } from '../../model/errors.ts'
import type { ProbeClass } from '../../model/fixture.ts'
import { sumOfUsd, spentUsdOf } from '../../model/spend.ts'
import { writeWhole } from './journal.ts'
import { journalLine, readJournal, type JournalEntry } from './journal-entry.ts'
import { asideFiles, asideName, journalFiles, journalText } from './journal-text.ts'

/** What a journal holds of one model and class. */
export interface JournalSummary {
  readonly modelKey: string
  readonly probeClass: ProbeClass
  readonly calls: number
  /** Calls that brought a reply. */
  readonly replies: number
  readonly runs: number
  /** US dollars, unknown cost at its bound. */
  readonly costUsd: number
  /** When the first and the last call began: UTC, ISO 8601. */
  readonly first: string
  readonly last: string
}

/** What is to be thrown away; entries that meet all that is given. */
export interface PruneFilter {
  readonly modelKey?: string
  readonly probeClass?: ProbeClass
  /** Calls that began before this instant: UTC, ISO 8601. */
  readonly before?: string
}

/** What a journal folder holds. */
export interface JournalContents {
  readonly summaries: readonly JournalSummary[]
  /** Lines that were cut short, by name of their file. */
  readonly torn: Readonly<Record<string, number>>
}

/**
 * What the files of a journal folder hold; nothing where it is not there.
 * @throws ProbeError `JOURNAL_UNREADABLE`.
 */
export async function journalContents(folder: string): Promise<JournalContents> {
  const byKind = new Map<string, JournalEntry[]>()
  const torn: Record<string, number> = {}
  for (const file of await journalFiles(folder)) {
    const { entries, tornLines } = entriesIn(await journalText(join(folder, file)))
    if (tornLines > 0) torn[file] = tornLines
    for (const entry of entries) {
      const key = `${entry.modelKey} ${entry.probeClass}`
      byKind.set(key, [...(byKind.get(key) ?? []), entry])
    }
  }
  return { summaries: [...byKind.values()].map(summaryOf), torn }
}

/**
 * Throws entries away, and lines that cannot be read with them. A file is taken aside first, so that a run that writes
 * to it begins another, to which the entries that stay are added: no line is lost, whenever it is written.
 * @returns how many entries are gone.
 * @throws ProbeError `JOURNAL_UNREADABLE`, or `JOURNAL_UNWRITABLE`; then the file that was taken aside holds everything.
 */
export async function pruneJournal(folder: string, filter: PruneFilter): Promise<number> {
  let gone = 0
  for (const file of await journalFiles(folder)) {
    const { entries, tornLines } = entriesIn(await journalText(join(folder, file)))
    if (tornLines === 0 && !entries.some((entry) => meets(entry, filter))) continue
    gone += await pruneFile(join(folder, file), filter)
  }
  return gone
}

async function pruneFile(file: string, filter: PruneFilter): Promise<number> {
  try {
    await rename(file, asideName(file, randomUUID())).catch(ignoreMissing)
    const aside = (await asideFiles(file)).map((name) => join(dirname(file), name))
    const { entries } = entriesIn((await Promise.all(aside.map((path) => journalText(path)))).join('\n'))
    const kept = entries.filter((entry) => !meets(entry, filter))
    if (kept.length > 0) await addLines(file, kept)
    await Promise.all(aside.map((path) => rm(path, { force: true })))
    return entries.length - kept.length
  } catch (cause) {
    if (cause instanceof ProbeError) throw cause
    throw new ProbeError('JOURNAL_UNWRITABLE', `cannot write the call journal: ${messageOf(cause)}`, {
      file,
      fix: 'free the disk or mend its permissions',
      cause,
    })
  }
}

/** In one write: a run that writes to the file meanwhile does not get into the middle of a line. */
async function addLines(file: string, entries: readonly JournalEntry[]): Promise<void> {
  const handle = await open(file, 'a')
  try {
    await writeWhole(handle, entries.map(journalLine).join(''))
  } finally {
    await handle.close()
  }
}

/** Another prune was quicker, or one that was cut short has taken the file aside. */
function ignoreMissing(cause: NodeJS.ErrnoException): void {
  if (cause.code !== 'ENOENT') throw cause
}

function meets({ modelKey, probeClass, outcome }: JournalEntry, filter: PruneFilter): boolean {
  if (filter.modelKey !== undefined && filter.modelKey !== modelKey) return false
  if (filter.probeClass !== undefined && filter.probeClass !== probeClass) return false
  return filter.before === undefined || outcome.record.startedAt < filter.before
}

function entriesIn(text: string): { entries: JournalEntry[]; tornLines: number } {
  const lines = [...readJournal(text)]
  const entries = lines.flatMap((line) => (line.kind === 'entry' ? [line.entry] : []))
  return { entries, tornLines: lines.length - entries.length }
}

function summaryOf(entries: readonly JournalEntry[]): JournalSummary {
  const [{ modelKey, probeClass }] = entries as [JournalEntry]
  const records = entries.map(({ outcome }) => outcome.record)
  const started = records.map(({ startedAt }) => startedAt).toSorted()
  return {
    modelKey,
    probeClass,
    calls: entries.length,
    replies: entries.filter(({ outcome }) => outcome.kind === 'reply').length,
    runs: new Set(entries.map(({ runId }) => runId)).size,
    costUsd: sumOfUsd(records.map(spentUsdOf)),
    first: started[0]!,
    last: started.at(-1)!,
  }
}
